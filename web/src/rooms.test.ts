/** The rooms of the web app: who may import whom. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const HERE = import.meta.dirname;
const LOWER: Record<string, string[]> = {
  ui: [],
  flow: [],
  api: ["flow"],
  state: ["flow", "api"],
};
const PANELS = ["add", "canvas", "chat", "data", "home", "inspector", "review"];
for (const panel of PANELS) LOWER[panel] = ["ui", "flow", "api", "state"];
LOWER.frame = ["ui", "flow", "api", "state", ...PANELS];

const files = readdirSync(HERE, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name) && name.includes("/"))
  .map((name) => ({ name, room: name.split("/")[0] ?? "", text: readFileSync(join(HERE, name), "utf8") }));

const importsOf = (text: string) => [...text.matchAll(/from "(@\/([a-z]+)\/[^"]*|\.\.\/[^"]*)"/g)];

describe("the rooms", () => {
  it("are all known", () => {
    expect([...new Set(files.map((file) => file.room))].sort()).toEqual(Object.keys(LOWER).sort());
  });

  it("use the rooms below them, never above or beside", () => {
    const faults = files.flatMap(({ name, room, text }) =>
      importsOf(text)
        .filter(([, , from]) => from === undefined || (from !== room && !LOWER[room]?.includes(from)))
        .map(([, from]) => `${relative(HERE, join(HERE, name))} imports ${from}`),
    );
    expect(faults).toEqual([]);
  });

  it("keep the network in one place", () => {
    const others = files.filter(
      ({ room, text }) => room !== "api" && /\bfetch\(|new EventSource|XMLHttpRequest/.test(text),
    );
    expect(others.map((file) => file.name)).toEqual([]);
  });

  it("evaluate nothing and write no HTML", () => {
    const risky = /\beval\(|new Function|dangerouslySetInnerHTML|innerHTML|document\.write/;
    const found = files.filter(({ name, text }) => !name.includes(".test.") && risky.test(text));
    expect(found.map((file) => file.name)).toEqual([]);
  });
});
