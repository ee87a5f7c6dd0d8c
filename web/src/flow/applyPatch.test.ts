/** Replays the cases that Python made: the same flows, the same conflicts (SPEC P7). */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { applyPatch, conflictsOf, inverse, type PatchConflict, sameJson } from "./applyPatch.ts";
import { EMPTY_DOCUMENT, type FlowDocument, type Json, type Patch } from "./document.ts";

interface Case {
  a: FlowDocument;
  patch: Patch;
  b: FlowDocument;
  other: Patch;
  onOther: { flow: FlowDocument } | { conflicts: PatchConflict[] } | { unsound: true };
}

const HOUSE = resolve(import.meta.dirname, "../../..");
const PYTHON = join(HOUSE, ".venv/bin/python");
const THOROUGH = process.env.CI !== undefined || process.env.HEADRACE_TEST_PROFILE === "thorough";

/** JSON with sorted keys, so that a difference can be read. */
function text(value: unknown): string {
  const sorted = (_: string, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner;
  return JSON.stringify(value, sorted);
}

function replay({ a, patch, b, other, onOther }: Case): void {
  const before = text(a);
  expect(text(applyPatch(a, patch))).toBe(text(b));
  expect(text(applyPatch(b, inverse(patch)))).toBe(before);
  expect(text(a)).toBe(before);
  const c = applyPatch(a, other);
  if (!c) throw new Error("the other patch must fit the flow that it was made on");
  if ("flow" in onOther) expect(text(applyPatch(c, patch))).toBe(text(onOther.flow));
  else if ("conflicts" in onOther) {
    expect(applyPatch(c, patch)).toBeNull();
    expect(conflictsOf(c, patch)).toEqual(onOther.conflicts);
  } else expect(conflictsOf(c, patch)).toEqual([]);
}

function read(path: string): Case[] {
  return JSON.parse(readFileSync(path, "utf8")) as Case[];
}

describe("applyPatch", () => {
  it("replays every kept case as Python does [P7]", () => {
    const cases = read(join(HOUSE, "vectors/patches.json"));
    expect(cases.length).toBe(300);
    for (const one of cases) replay(one);
  });

  it.runIf(THOROUGH && existsSync(PYTHON))(
    "replays two thousand fresh cases as Python does [P7]",
    { timeout: 60_000 },
    () => {
      const folder = mkdtempSync(join(tmpdir(), "vectors-"));
      try {
        const path = join(folder, "cases.json");
        const seed = String(Math.floor(Math.random() * 1e9));
        execFileSync(PYTHON, ["-m", "vectors.make", "--count", "2000", "--seed", seed, "--out", path], { cwd: HOUSE });
        for (const one of read(path)) replay(one);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  it("shares what a patch does not touch [F2]", () => {
    const document: FlowDocument = {
      ...EMPTY_DOCUMENT,
      nodes: { a: { type: "filter", title: "", config: {} }, b: { type: "sort", title: "", config: {} } },
    };
    const patch: Patch = { changes: [{ kind: "changed", path: ["nodes", "a", "title"], before: "", after: "A" }] };
    const after = applyPatch(document, patch);
    expect(after?.nodes.a?.title).toBe("A");
    expect(after?.nodes.b).toBe(document.nodes.b);
    expect(after?.edges).toBe(document.edges);
  });

  it("takes a key called __proto__ for a key like any other [P7]", () => {
    const document: FlowDocument = { ...EMPTY_DOCUMENT, nodes: { a: { type: "filter", config: {} } } };
    const path = ["nodes", "a", "config", "__proto__"];
    const after = applyPatch(document, { changes: [{ kind: "added", path, after: { polluted: true } }] });
    expect(Object.keys(after?.nodes.a?.config ?? {})).toEqual(["__proto__"]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(applyPatch(document, { changes: [{ kind: "removed", path, before: {} }] })).toBeNull();
  });

  it("is quick on a flow of ten thousand nodes [P5]", () => {
    const nodes = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, n) => [`n${n}`, { type: "filter", title: "", config: { u: n } }]),
    );
    const changes: Patch["changes"] = Array.from({ length: 1_000 }, (_, n) => ({
      kind: "changed",
      path: ["nodes", `n${n}`, "config", "u"],
      before: n,
      after: -1,
    }));
    const start = performance.now();
    expect(applyPatch({ ...EMPTY_DOCUMENT, nodes }, { changes })?.nodes.n7?.config.u).toBe(-1);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

describe("sameJson", () => {
  it.each<[Json, Json, boolean]>([
    [false, 0, false],
    [null, 0, false],
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [{ a: 1 }, { b: 1 }, false],
    [[], {}, false],
    [[1, 2], [1], false],
    ["1", 1, false],
  ])("compares %j and %j as JSON [F3]", (a, b, same) => {
    expect(sameJson(a, b)).toBe(same);
  });
});
