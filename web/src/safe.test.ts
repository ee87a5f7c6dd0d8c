/** What no file of the web app may do. Who may import whom is a house test. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const HERE = import.meta.dirname;
const files = readdirSync(HERE, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."))
  .map((name) => ({ name, text: readFileSync(join(HERE, name), "utf8") }));

const having = (pattern: RegExp, where: (name: string) => boolean = () => true) =>
  files.filter(({ name, text }) => where(name) && pattern.test(text)).map((file) => file.name);

describe("the web app", () => {
  it("reaches the network in one room only", () => {
    expect(
      having(/\bfetch\(|new EventSource|XMLHttpRequest|WebSocket|sendBeacon/, (name) => !name.startsWith("api/")),
    ).toEqual([]);
  });

  it("evaluates nothing and writes no HTML", () => {
    expect(having(/\beval\(|new Function|dangerouslySetInnerHTML|innerHTML|document\.write/)).toEqual([]);
  });

  it("names no other server", () => {
    expect(having(/https?:\/\/\w/)).toEqual([]);
  });
});
