/** What the assistant did, in plain words: the tool's own summary, or its name said kindly. Pure. */
import type { ToolLine } from "@/api/types.ts";

const WORDS: Record<string, [string, string]> = {
  search_node_types: ["Looking for fitting node types", "Looked for fitting node types"],
  describe_node_type: ["Reading about a node type", "Read about a node type"],
  read_outline: ["Reading the flow", "Read the flow"],
  read_node: ["Reading a node", "Read a node"],
  read_columns: ["Reading the columns", "Read the columns"],
  preview_table: ["Looking at rows", "Looked at rows"],
  profile_columns: ["Looking at the columns' values", "Looked at the columns' values"],
  read_diagnostics: ["Checking the flow", "Checked the flow"],
  list_files: ["Looking at the files", "Looked at the files"],
  describe_file: ["Reading a file's columns", "Read a file's columns"],
  find_values: ["Looking for values in the data", "Looked for values in the data"],
  list_runs: ["Looking at the runs", "Looked at the runs"],
  read_run: ["Reading a run", "Read a run"],
  scratch_run: ["Working out the answer", "Worked out the answer"],
  edit_flow: ["Drafting the change", "Drafted the change"],
  set_flow: ["Drafting the flow", "Drafted the flow"],
  run_flow: ["Running the flow", "Ran the flow"],
  run_status: ["Watching the run", "Watched the run"],
  cancel_run: ["Stopping the run", "Stopped the run"],
};

export function toolWords(tool: ToolLine): string {
  const name = tool.name.replaceAll("_", " ");
  const [doing, done] = WORDS[tool.name] ?? [name, name];
  if (tool.state === "started") return `${doing}…`;
  if (tool.state === "failed") return `${doing} did not work${tool.summary ? `: ${tool.summary}` : ""}`;
  return tool.summary || done;
}

const DRAFTS: ReadonlySet<string> = new Set(["edit_flow", "set_flow"]);
const RUNS: ReadonlySet<string> = new Set(["scratch_run", "run_flow"]);

/** Return what came of all the calls of a turn, in a line. */
export function allInAll(tools: ToolLine[]): string {
  const done = tools.filter((tool) => tool.state === "finished");
  const looked = done.some((tool) => !DRAFTS.has(tool.name) && !RUNS.has(tool.name));
  const parts = [
    looked ? "looked at the data" : "",
    done.some((tool) => RUNS.has(tool.name)) ? "worked out the answer" : "",
    done.some((tool) => DRAFTS.has(tool.name)) ? "drafted the change" : "",
  ].filter(Boolean);
  const line =
    parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : (parts[0] ?? "tried in vain");
  return line.charAt(0).toUpperCase() + line.slice(1);
}
