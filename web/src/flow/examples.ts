/** Requests that make sense for the data at hand: made of its real column names. Pure. */
import type { Column } from "./document.ts";
import { isNumeric, typeWords } from "./look.ts";

/** Return three or four requests about a table; none without columns. */
export function exampleRequests(name: string, columns: Column[]): string[] {
  const numbers = columns.filter((column) => isNumeric(column.type) && !isKey(column.name)).map(said);
  const texts = columns.filter((column) => typeWords(column.type) === "text" && !isKey(column.name)).map(said);
  const dates = columns.filter((column) => typeWords(column.type).startsWith("date")).map(said);
  const [number] = numbers;
  const group = texts.find((text) => !/name|mail|phone|address|note|comment/i.test(text)) ?? texts[0];
  const [date] = dates;
  const requests: string[] = [];
  if (number && group) requests.push(`Total ${number} per ${group}, highest first`);
  if (group) requests.push(`How many rows per ${group}?`);
  if (number && date) requests.push(`Bar chart of total ${number} per month of ${date}`);
  else if (number && group) requests.push(`Bar chart of average ${number} per ${group}`);
  if (number) requests.push(`The 10 rows with the highest ${number}`);
  if (requests.length < 3) requests.push(`Which columns of ${name} have missing values?`);
  return requests.slice(0, 4);
}

const isKey = (name: string) => /(^|_)(id|key|code|no|nr|number|zip|index)$/i.test(name);
const said = (column: Column) => column.name.replaceAll("_", " ");
