/** A table of any length: only the rows in sight are drawn. Numbers stand right, what is missing looks missing. */
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Column, Json } from "@/flow/document.ts";
import { isNumeric, typeWords } from "@/flow/look.ts";

const ROW = 26;
const SPARE = 8;
const GUTTER = 52;

interface Props {
  columns: Column[];
  rows: Json[][];
  onEnd?: () => void;
  children?: ReactNode;
}

export function DataTable({ columns, rows, onEnd, children }: Props) {
  const { area, first, last } = useSight(rows.length);
  const widths = useMemo(() => widthsOf(columns, rows), [columns, rows]);
  const width = widths.reduce((sum, one) => sum + one, GUTTER);
  useEffect(() => {
    if (last >= rows.length && rows.length > 0) onEnd?.();
  }, [last, rows.length, onEnd]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard.
    <section ref={area} tabIndex={0} aria-label="Rows" className="min-h-0 flex-1 overflow-auto -outline-offset-2">
      <table
        aria-rowcount={rows.length + 1}
        className="w-full table-fixed border-separate border-spacing-0 text-xs"
        style={{ minWidth: width }}
      >
        <colgroup>
          <col style={{ width: GUTTER }} />
          {columns.map((column, at) => (
            <col key={column.name} style={{ width: widths[at] }} />
          ))}
          <col />
        </colgroup>
        <Head columns={columns} />
        <tbody>
          <Spacer rows={first} />
          {rows.slice(first, last).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row of a table is known by its place.
            <Row key={`row ${first + index}`} index={first + index} row={row} columns={columns} />
          ))}
          <Spacer rows={rows.length - last} />
        </tbody>
      </table>
      {children}
    </section>
  );
}

/** Watch which rows are in sight. */
function useSight(total: number) {
  const area = useRef<HTMLElement>(null);
  const [sight, setSight] = useState({ top: 0, height: 400 });
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    const look = () => setSight({ top: element.scrollTop, height: element.clientHeight });
    look();
    element.addEventListener("scroll", look, { passive: true });
    const sized = new ResizeObserver(look);
    sized.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      sized.disconnect();
    };
  }, []);
  const first = Math.min(total, Math.max(0, Math.floor(sight.top / ROW) - SPARE));
  const last = Math.min(total, Math.ceil((sight.top + sight.height) / ROW) + SPARE);
  return { area, first, last };
}

function Spacer({ rows }: { rows: number }) {
  return rows > 0 ? <tr style={{ height: rows * ROW }} /> : null;
}

function Head({ columns }: { columns: Column[] }) {
  return (
    <thead>
      <tr aria-rowindex={1} className="h-[42px]">
        <th scope="col" className="sticky top-0 left-0 z-20 border-b border-line bg-sunken">
          <span className="sr-only">Row</span>
        </th>
        {columns.map((column) => (
          <th
            key={column.name}
            scope="col"
            title={`${column.name}: ${column.type}`}
            className={`sticky top-0 z-10 border-b border-line bg-sunken px-2.5 ${isNumeric(column.type) ? "text-right" : "text-left"}`}
          >
            <div className="truncate leading-4 font-semibold">{column.name}</div>
            <div className="truncate text-2xs leading-3.5 font-normal text-faint">{typeWords(column.type)}</div>
          </th>
        ))}
        <td className="sticky top-0 z-10 border-b border-line bg-sunken" />
      </tr>
    </thead>
  );
}

interface RowProps {
  index: number;
  row: Json[];
  columns: Column[];
}

function Row({ index, row, columns }: RowProps) {
  return (
    <tr aria-rowindex={index + 2} className="num group h-[26px] hover:bg-hover">
      <th
        scope="row"
        className="sticky left-0 border-b border-line/60 bg-surface px-2 text-right font-normal text-faint group-hover:bg-hover"
      >
        {index + 1}
      </th>
      {columns.map((column, at) => (
        <Cell key={column.name} value={row[at]} type={column.type} />
      ))}
      <td className="border-b border-line/60" />
    </tr>
  );
}

function Cell({ value, type }: { value: Json | undefined; type: string }) {
  const base = `truncate border-b border-line/60 px-2.5 ${isNumeric(type) ? "text-right" : ""}`;
  if (value === null || value === undefined) return <td className={`${base} text-faint italic`}>null</td>;
  if (value === "")
    return (
      <td className={`${base} text-faint`} title="Empty text">
        “”
      </td>
    );
  const text = cellText(value, type);
  return (
    <td className={base} title={text.length > 18 ? text : undefined}>
      {text}
    </td>
  );
}

/** Return how a value is shown: numbers in full, lists and records as JSON. */
function cellText(value: Json, type: string): string {
  if (typeof value === "number" && typeWords(type) !== "text")
    return value.toLocaleString("en", { maximumFractionDigits: 10, useGrouping: false });
  if (typeof value === "object") return JSON.stringify(value);
  return String(value);
}

function widthsOf(columns: Column[], rows: Json[][]): number[] {
  return columns.map((column, at) => {
    let longest = Math.max(column.name.length + 1, typeWords(column.type).length);
    for (const row of rows.slice(0, 60)) {
      const value = row[at];
      if (value !== null && value !== undefined) longest = Math.max(longest, cellText(value, column.type).length);
    }
    return Math.round(Math.min(320, Math.max(72, longest * 7.2 + 22)));
  });
}
