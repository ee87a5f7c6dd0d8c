/** One's own file: chosen or dropped, read at once, never over another one unasked; and its first answer. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { node, ownHouse, rows, run } from "./headrace.ts";

const house = ownHouse();
const TOWNS = "town,size\nBern,140\nBasel,170\nChur,40\n";

/** Let a file fall onto a place, as a hand does that comes from another window. */
async function drop(page: Page, onto: string, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([called, content]) => {
      const held = new DataTransfer();
      held.items.add(new File([content ?? ""], called ?? "", { type: "text/csv" }));
      return held;
    },
    [name, text],
  );
  const box = await page.locator(onto).boundingBox();
  if (!box) throw new Error(`${onto} is not drawn`);
  const at = { clientX: box.x + 200, clientY: box.y + 120 };
  for (const kind of ["dragenter", "dragover", "drop"]) await page.dispatchEvent(onto, kind, { dataTransfer, ...at });
}

describe("a file of one's own", () => {
  it("begins a flow when it is dropped on the first page, and is read", async () => {
    const { page } = await house.visit();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await drop(page, "main", "towns.csv", TOWNS);
    await node(page, "read_file").getByText("2 columns").waitFor();
    expect(await page.getByRole("textbox", { name: "Name of the flow" }).inputValue()).toBe("towns");
    await page.getByRole("button", { name: "Total size per town, highest first" }).waitFor();
    await run(page);
    await page.getByText("3 rows × 2 columns").waitFor();
    expect((await rows(page))[0]).toEqual(["Bern", "140"]);
  });

  it("is asked about where its name is taken, and left out where it is no table", async () => {
    const { page } = await house.visit();
    await page.getByRole("button", { name: "New flow" }).click();
    await page.getByText("Where does the data come from?").waitFor();
    await drop(page, ".react-flow", "more.csv", TOWNS);
    await node(page, "read_file").getByText("more.csv").waitFor();
    await drop(page, ".react-flow", "more.csv", "town,size\nBern,1\n");
    await page.getByRole("button", { name: "Keep both" }).click();
    await node(page, "read_file_2").getByText("more-2.csv").waitFor();
    await drop(page, ".react-flow", "photo.png", "x");
    await page.getByText("“photo.png” is not a table that can be read here.").waitFor();
    expect(await page.locator(".node-card").count()).toBe(2);
  });

  it("can be chosen through a button, in several parts where it is large", async () => {
    const { page } = await house.visit();
    await page.getByRole("heading", { level: 1 }).waitFor();
    const line = `${"x".repeat(99)},1\n`;
    const buffer = Buffer.from(`name,n\n${line.repeat(130_000)}`);
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Bring a file" }).click();
    await (await chooser).setFiles([{ name: "large.csv", mimeType: "text/csv", buffer }]);
    await node(page, "read_file").getByText("2 columns").waitFor();
    await run(page);
    await page.getByText("First 100 of 130,000 rows × 2 columns").waitFor();
  });
});
