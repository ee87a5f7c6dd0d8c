/** The icon set: one grid of 16 px, one stroke. Owns no meaning: who uses an icon says what it stands for. */
import type { SVGProps } from "react";

const SHAPES = {
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  close: "M4 4l8 8M12 4l-8 8",
  check: "M3 8.5l3.2 3.2L13 4.8",
  "chevron-down": "M4 6l4 4 4-4",
  "chevron-right": "M6 4l4 4-4 4",
  "chevron-left": "M10 4L6 8l4 4",
  "chevron-up": "M4 10l4-4 4 4",
  play: "M5 3.2v9.6L12.6 8z",
  stop: "M4.5 4.5h7v7h-7z",
  undo: "M6 3.5L3 6.5l3 3M3 6.5h6.2a3.4 3.4 0 010 6.8H7",
  redo: "M10 3.5l3 3-3 3M13 6.5H6.8a3.4 3.4 0 000 6.8H9",
  search: "M7 11.5a4.5 4.5 0 100-9 4.5 4.5 0 000 9zM10.4 10.4L14 14",
  sun: "M8 10.8a2.8 2.8 0 100-5.6 2.8 2.8 0 000 5.6zM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9",
  moon: "M13.3 9.6A5.6 5.6 0 016.4 2.7a5.6 5.6 0 106.9 6.9z",
  screen: "M2.5 3h11v7.5h-11zM6 13.2h4M8 10.5v2.7",
  help: "M6 6.1a2 2 0 113 1.7c-.7.4-1 .8-1 1.6M8 11.7v.1M8 14.2A6.2 6.2 0 108 1.8a6.2 6.2 0 000 12.4z",
  home: "M2.5 7.6L8 3l5.5 4.6M4 6.6V13h8V6.6",
  file: "M4 2h5.2L12 4.8V14H4zM9 2v3h3",
  "file-in": "M4 6V2h5.2L12 4.8V14H4v-1.5M9 2v3h3M1.5 9.3h6M5.5 7.2l2.1 2.1-2.1 2.1",
  "file-out": "M12 8.5V4.8L9.2 2H4v12h5M9 2v3h3M8 11.5h6M12 9.4l2.1 2.1-2.1 2.1",
  folder: "M2 4h4.2l1.4 1.6H14V13H2z",
  table: "M2.5 3h11v10h-11zM2.5 6.3h11M6.4 6.3V13",
  "table-edit": "M7 13H2.5V3h11v4M2.5 6.3h11M6.4 6.3V13M9.2 13.2l.4-1.8 3.3-3.3 1.4 1.4-3.3 3.3z",
  chart: "M2.5 2.5v11h11M5.5 11V8M8.5 11V4.8M11.5 11V6.6",
  code: "M5.5 5L2.5 8l3 3M10.5 5l3 3-3 3",
  alert: "M8 2.6l6 10.6H2zM8 6.6v3M8 11.3v.1",
  clock: "M8 4.6V8l2.2 1.6M8 14.2A6.2 6.2 0 108 1.8a6.2 6.2 0 000 12.4z",
  trash: "M2.8 4.5h10.4M6.3 4.5V2.8h3.4v1.7M4.3 4.5l.6 8.7h6.2l.6-8.7",
  copy: "M5.7 5.7h7.8v7.8H5.7zM10.3 5.7V2.5H2.5v7.8h3.2",
  download: "M8 2.5v8M4.6 7.3L8 10.7l3.4-3.4M3 13.5h10",
  upload: "M8 10.5v-8M4.6 5.7L8 2.3l3.4 3.4M3 13.5h10",
  arrange: "M2.3 6h4v4h-4zM10 2.5h3.7v3.7H10zM10 9.8h3.7v3.7H10zM6.3 8h1.8M10 4.4H8.1v7.2H10",
  fit: "M2.5 5.8V2.5h3.3M10.2 2.5h3.3v3.3M13.5 10.2v3.3h-3.3M5.8 13.5H2.5v-3.3",
  send: "M8 13.2V3M3.8 7.2L8 3l4.2 4.2",
  chat: "M2.5 3h11v8H7.2L4.5 13.6V11h-2z",
  sliders:
    "M2.5 5h5.2M12 5h1.5M2.5 11H4M8.3 11h5.2M9.8 6.9a1.9 1.9 0 100-3.8 1.9 1.9 0 000 3.8zM6.1 12.9a1.9 1.9 0 100-3.8 1.9 1.9 0 000 3.8z",
  dots: "M3.5 8h.1M8 8h.1M12.5 8h.1",
  panel: "M2.5 3h11v10h-11zM6 3v10",
  filter: "M2.5 3h11L9.6 8.2v4.6l-3.2-1.5V8.2z",
  columns: "M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10",
  formula: "M10.6 3.2c-1.9-.3-2.4.7-2.7 2.4l-1 5c-.3 1.6-.9 2.5-2.5 2.2M4.6 6.6h5M10.5 9.3l3 3.5M13.5 9.3l-3 3.5",
  sort: "M4.5 3v10M2.3 10.8L4.5 13l2.2-2.2M9 4h5M9 8h3.6M9 12h2.2",
  limit: "M2.5 3.5h11M2.5 7.2h11M2.5 11.5h1M5.8 11.5h1M9.1 11.5h1M12.5 11.5h1",
  distinct: "M6 11.2a3.8 3.8 0 100-7.6 3.8 3.8 0 000 7.6zM10.5 4.6a3.8 3.8 0 11-2.6 7.2",
  sum: "M12.3 4.8V3H3.8l4.4 5-4.4 5h8.5v-1.8",
  join: "M6 12a4 4 0 100-8 4 4 0 000 8zM10 12a4 4 0 100-8 4 4 0 000 8z",
  union: "M3 2.8h10v4H3zM3 9.2h10v4H3zM8 6.8v2.4",
  droplet: "M8 2.2c2.4 2.9 4 4.9 4 7a4 4 0 01-8 0c0-2.1 1.6-4.1 4-7z",
  node: "M3 4.5h10v7H3zM1 8h2M13 8h2",
} as const;

export type IconName = keyof typeof SHAPES;

const FILLED: ReadonlySet<IconName> = new Set(["play", "stop"]);

interface Props extends Omit<SVGProps<SVGSVGElement>, "name"> {
  name: IconName;
  size?: number;
}

/** Return a decorative icon; the control round it carries the accessible name. */
export function Icon({ name, size = 16, ...rest }: Props) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill={FILLED.has(name) ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth={name === "dots" ? 2.4 : 1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      {...rest}
      className={`shrink-0 ${rest.className ?? ""}`}
    >
      <path d={SHAPES[name]} />
    </svg>
  );
}
