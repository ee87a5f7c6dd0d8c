import { describe, expect, it } from "vitest";
import { freeName, isTable, plainName } from "./brought.ts";

describe("the name of a file that is brought", () => {
  it.each([
    ["orders.csv", true],
    ["Orders 2024.XLSX", true],
    ["log.json.gz", true],
    ["photo.png", false],
    ["notes", false],
  ])("%s is a table: %s", (name, table) => expect(isTable(name)).toBe(table));

  it.each([
    ["orders.csv", "orders.csv"],
    ["a/b:c?.csv", "a-b-c-.csv"],
    ["..\\..\\x.csv", "-..-x.csv"],
    [".hidden.csv", "hidden.csv"],
    ["  ", "table.csv"],
    ["Umsätze März.csv", "Umsätze März.csv"],
  ])("%j is kept as %j", (name, kept) => expect(plainName(name)).toBe(kept));

  it("is another one where it is taken", () => {
    const taken = new Set(["orders.csv", "orders-2.csv", "log.json.gz"]);
    expect(freeName("new.csv", taken)).toBe("new.csv");
    expect(freeName("orders.csv", taken)).toBe("orders-3.csv");
    expect(freeName("log.json.gz", taken)).toBe("log-2.json.gz");
  });
});
