/** A table of any length: only the rows in sight are drawn. Numbers stand right, what is missing looks missing. */
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Column, Json } from "@/flow/document.ts";
import { isNumeric, typeWords } from "@/flow/look.ts";

const ROW = 26;
const HEAD = 42;
const SPARE = 8;

interface Props {
  columns: Column[];
  rows: Json[][];
  onEnd?: () => void;
  children?: ReactNode;
}

export function DataTable({ columns, rows, onEnd, children }: Props) {
  const area = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState({ top: 0, height: 400 });
  const widths = useMemo(() => widthsOf(columns, rows), [columns, rows]);
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
  const first = Math.max(0, Math.floor(sight.top / ROW) - SPARE);
  const last = Math.min(rows.length, Math.ceil((sight.top + sight.height) / ROW) + SPARE);
  useEffect(() => {
    if (last >= rows.length && rows.length > 0) onEnd?.();
  }, [last, rows.length, onEnd]);
  const template = `52px ${widths.map((width) => `minmax(${width}px, 1fr)`).join(" ")}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard.
    <div ref={area} tabIndex={0} role="group" aria-label="Rows" className="min-h-0 flex-1 overflow-auto -outline-offset-2">
      {/* biome-ignore lint/a11y/useSemanticElements: rows out of sight are not drawn, which a table element cannot do. */}
      <div role="table" aria-rowcount={rows.length + 1} aria-colcount={columns.length} className="w-max min-w-full text-xs">
        <Head columns={columns} template={template} />
        <div role="rowgroup" className="relative" style={{ height: rows.length * ROW }}>
          {rows.slice(first, last).map((row, index) => (
            <Row key={first + index} index={first + index} row={row} columns={columns} template={template} />
          ))}
        </div>
      </div>
      {children}
    </div>
  );
}

function Head({ columns, template }: { columns: Column[]; template: string }) {
  return (
    <div role="rowgroup" className="sticky top-0 z-10 bg-sunken">
      <div role="row" aria-rowindex={1} className="grid border-b border-line" style={{ gridTemplateColumns: template, height: HEAD }}>
        <span role="columnheader" className="sticky left-0 bg-sunken">
          <span className="sr-only">Row</span>
        </span>
        {columns.map((column) => (
          <span
            key={column.name}
            role="columnheader"
            title={`${column.name}: ${column.type}`}
            className={`flex min-w-0 flex-col justify-center px-2.5 ${isNumeric(column.type) ? "items-end" : "items-start"}`}
          >
            <span className="max-w-full truncate font-semibold">{column.name}</span>
            <span className="max-w-full truncate text-2xs leading-3.5 text-faint">{typeWords(column.type)}</span>
          </span>
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  index: number;
  row: Json[];
  columns: Column[];
  template: string;
}

function Row({ index, row, columns, template }: RowProps) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className="num group absolute grid w-full border-b border-line/60 hover:bg-hover"
      style={{ gridTemplateColumns: template, height: ROW, top: index * ROW }}
    >
      <span role="rowheader" className="sticky left-0 bg-surface px-2 text-right leading-[25px] text-faint group-hover:bg-hover">
        {index + 1}
      </span>
      {columns.map((column, at) => (
        <Cell key={column.name} value={row[at]} type={column.type} />
      ))}
    </div>
  );
}

function Cell({ value, type }: { value: Json | undefined; type: string }) {
  const side = isNumeric(type) ? "text-right" : "";
  const base = `truncate px-2.5 leading-[25px] ${side}`;
  if (value === null || value === undefined)
    return (
      <span role="cell" className={`${base} text-faint italic opacity-80`}>
        null
      </span>
    );
  if (value === "")
    return (
      <span role="cell" className={`${base} text-faint`} title="Empty text">
        “”
      </span>
    );
  const text = cellText(value, type);
  return (
    <span role="cell" className={base} title={text.length > 18 ? text : undefined}>
      {text}
    </span>
  );
}

/** Return how a value is shown: numbers grouped, lists and records as JSON. */
export function cellText(value: Json, type: string): string {
  if (typeof value === "number" && typeWords(type) !== "text")
    return value.toLocaleString("en", { maximumFractionDigits: 10, useGrouping: false });
  if (typeof value === "object") return JSON.stringify(value);
  return String(value);
}

function widthsOf(columns: Column[], rows: Json[][]): number[] {
  return columns.map((column, at) => {
    let longest = Math.max(column.name.length, typeWords(column.type).length);
    for (const row of rows.slice(0, 60)) {
      const value = row[at];
      if (value !== null && value !== undefined) longest = Math.max(longest, cellText(value, column.type).length);
    }
    return Math.min(320, Math.max(72, longest * 7.2 + 22));
  });
}
