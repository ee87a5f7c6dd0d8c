import { describe, expect, it } from "vitest";
import type { ToolLine } from "@/api/types.ts";
import { allInAll, toolWords } from "./toolWords.ts";

const call = (name: string, state: ToolLine["state"] = "finished", summary = ""): ToolLine => ({
  call_id: name,
  name,
  state,
  summary,
});

describe("what the assistant did", () => {
  it("is said once, by the tool itself where it says it", () => {
    expect(toolWords(call("list_files", "finished", "Listed the files: 2"))).toBe("Listed the files: 2");
    expect(toolWords(call("list_files"))).toBe("Looked at the files");
    expect(toolWords(call("list_files", "started"))).toBe("Looking at the files…");
    expect(toolWords(call("list_files", "failed", "no folder"))).toBe("Looking at the files did not work: no folder");
  });

  it("comes to one line", () => {
    expect(allInAll([call("list_files"), call("edit_flow")])).toBe("Looked at the data and drafted the change");
    expect(allInAll([call("list_files"), call("scratch_run")])).toBe("Looked at the data and worked out the answer");
    expect(allInAll([call("edit_flow", "failed")])).toBe("Tried in vain");
  });
});
