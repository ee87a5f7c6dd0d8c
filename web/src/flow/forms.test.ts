import { describe, expect, it } from "vitest";
import { clausesIn, splitReply } from "./account.ts";
import { completionsAt, quoted } from "./completion.ts";
import { exampleRequests } from "./examples.ts";
import { blankRecord, configEdits, fieldsOf, helpWords, isMain, referenceOf, withoutBlanks } from "./forms.ts";
import { duration, fileSize, typeWords } from "./look.ts";
import { summarize } from "./summary.ts";

const SCHEMA = {
  $defs: {
    SortKey: {
      type: "object",
      required: ["column"],
      properties: {
        column: { type: "string", "x-slot": "column", "x-port": "in" },
        descending: { type: "boolean", default: false },
        nulls: { enum: ["last", "first"], type: "string", default: "last" },
      },
    },
  },
  type: "object",
  required: ["by"],
  properties: {
    by: {
      type: "array",
      items: { $ref: "#/$defs/SortKey" },
      "x-slot": "sort_keys",
      "x-port": "in",
      description: 'What to sort by: `[{"column": "a"}]`.',
    },
    keep: {
      anyOf: [{ type: "array", items: { type: "string" }, "x-slot": "columns" }, { type: "null" }],
      default: null,
    },
    note: { anyOf: [{ type: "string" }, { type: "null" }], default: null },
    how: { enum: ["left", "inner"], type: "string", default: "inner" },
    loud: { type: "boolean", default: false },
    words: { anyOf: [{ type: "array", items: { type: "string" } }, { type: "null" }], default: null },
  },
};
const FIELDS = fieldsOf(SCHEMA);
const field = (key: string) => FIELDS.find((one) => one.key === key) ?? FIELDS[0];

describe("the form of a schema", () => {
  it("has a slot for every field, marked or guessed", () => {
    expect(FIELDS.map((one) => [one.key, one.slot])).toEqual([
      ["by", "sort_keys"],
      ["keep", "columns"],
      ["note", "text"],
      ["how", "choice"],
      ["loud", "flag"],
      ["words", "texts"],
    ]);
  });

  it("knows the fields of the records in a list", () => {
    expect(field("by")?.items.map((item) => [item.key, item.slot, item.required])).toEqual([
      ["column", "column", true],
      ["descending", "flag", false],
      ["nulls", "choice", false],
    ]);
  });

  it("knows what may be left out", () => {
    expect(field("keep")).toMatchObject({ required: false, nullable: true, fallback: null });
    expect(field("by")).toMatchObject({ required: true, nullable: false });
  });

  it("folds away what is rarely set, until it is set", () => {
    const note = FIELDS.find((one) => one.key === "note") as (typeof FIELDS)[number];
    expect(isMain(note, {})).toBe(false);
    expect(isMain(note, { note: "x" })).toBe(true);
  });

  it("explains without examples that only a program writes", () => {
    expect(helpWords(String(SCHEMA.properties.by.description))).toBe("What to sort by.");
    expect(helpWords("True: `amount > 100`.")).toBe("True: `amount > 100`.");
  });
});

describe("edits of a config", () => {
  it("set what changed and unset what went", () => {
    expect(configEdits({ a: 1, b: [1], c: 2 }, { a: 1, b: [2] })).toEqual({ values: { b: [2] }, keys: ["c"] });
  });

  it("leave out records that nobody has filled in", () => {
    const blank = blankRecord(field("by")?.items ?? []);
    expect(withoutBlanks(FIELDS, { by: [{ column: "a" }, blank] })).toEqual({ by: [{ column: "a" }] });
  });

  it("leave out an optional field that was emptied", () => {
    expect(withoutBlanks(fieldsOf({ properties: { y: { type: "string", "x-slot": "column" } } }), { y: "" })).toEqual(
      {},
    );
  });

  it("know a reference from a value", () => {
    expect(referenceOf({ $parameter: "year" })).toEqual({ kind: "parameter", name: "year" });
    expect(referenceOf({ column: "year" })).toBeNull();
  });
});

describe("the line that says what a node does", () => {
  it("reads like one", () => {
    expect(summarize(FIELDS, { by: [{ column: "amount", descending: true }, { column: "day" }], how: "left" })).toBe(
      "amount ↓, day ↑ · left",
    );
    expect(summarize(FIELDS, { keep: ["a", "b", "c", "d", "e"] })).toBe("keep a, b, c, +2");
    expect(summarize(FIELDS, { note: { $parameter: "n" } })).toBe("note parameter n");
    expect(summarize(FIELDS, {})).toBe("");
  });
});

describe("completion in an expression", () => {
  const columns = [
    { name: "amount", type: "DOUBLE" },
    { name: "First Name", type: "VARCHAR" },
  ];

  it("offers columns before functions", () => {
    expect(completionsAt("am", 2, columns)?.options[0]).toMatchObject({ label: "amount", insert: "amount" });
    expect(completionsAt("su", 2, columns)?.options.map((option) => option.label)).toContain("sum()");
  });

  it("stays away where a word of the language is complete", () => {
    expect(completionsAt("amount IS NOT NULL", 18, columns)).toBeNull();
    expect(completionsAt("a AND", 5, columns)).toBeNull();
  });

  it("quotes a name that needs it, and replaces all of what was typed", () => {
    expect(completionsAt("upper(First N", 13, columns)).toMatchObject({
      from: 6,
      to: 13,
      options: [{ insert: '"First Name"' }],
    });
    expect(quoted('a"b')).toBe('"a""b"');
  });

  it("stays silent inside a text and after a whole word", () => {
    expect(completionsAt("x = 'am", 7, columns)).toBeNull();
    expect(completionsAt("amount", 6, columns)).toBeNull();
  });
});

describe("words for people", () => {
  it("name types, sizes and times", () => {
    expect(
      ["BIGINT", "DECIMAL(12,2)", "VARCHAR[]", "TIMESTAMP WITH TIME ZONE", "STRUCT(a INTEGER)"].map(typeWords),
    ).toEqual(["integer", "number", "list", "date & time", "record"]);
    expect([fileSize(999), fileSize(38_123), fileSize(2_500_000)]).toEqual(["999 B", "38 KB", "2.5 MB"]);
    expect([duration(12), duration(1234), duration(65_000)]).toEqual(["12 ms", "1.2 s", "1 min 5 s"]);
  });

  it("make example requests of the columns that are there", () => {
    const requests = exampleRequests("orders.csv", [
      { name: "order_id", type: "BIGINT" },
      { name: "unit_price", type: "DOUBLE" },
      { name: "category", type: "VARCHAR" },
      { name: "ordered_on", type: "DATE" },
    ]);
    expect(requests[0]).toBe("Total unit price per category, highest first");
    expect(requests.join()).not.toContain("order id");
    expect(exampleRequests("x", []).length).toBeLessThan(2);
  });

  it("read an account however loose it is", () => {
    expect(clausesIn([{ words: "sort it", became: "sort by amount", assumed: true }])).toEqual([
      { words: "sort it", became: "sort by amount", assumed: true, open: false },
    ]);
    expect(clausesIn(null)).toEqual([]);
    expect(clausesIn("text")).toEqual([]);
    expect(clausesIn([{ words: "the moon" }])).toMatchObject([{ became: "not understood", open: true }]);
  });

  it("take the account out of a reply that ends with one, and leave any other text whole", () => {
    const reply = "Sorted.\n\nHow I read it:\n- “sort it” → sort by amount (assumed)\n- “top 3” → first 3 rows";
    expect(splitReply(reply)).toEqual({
      text: "Sorted.",
      clauses: [
        { words: "sort it", became: "sort by amount", assumed: true, open: false },
        { words: "top 3", became: "first 3 rows", assumed: false, open: false },
      ],
    });
    expect(splitReply("How I read it:\nnot at all").clauses).toEqual([]);
    expect(splitReply("Plain").text).toBe("Plain");
  });
});
