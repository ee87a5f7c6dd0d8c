"""Tools that look at files: which there are, what is in one, where a value stands."""

from __future__ import annotations

from .result import columns_text, table_passage
from .spec import Arguments, NoArguments, Passage, Tool, ToolContext, ToolResult, clip


class DescribeFile(Arguments):
    """Which file."""

    path: str
    """As list_files gives it."""
    rows: int = 5
    """Sample rows to show; at most 20."""


class FindValues(Arguments):
    """What to look for."""

    words: tuple[str, ...]
    """Words or phrases of the request that may be values: `female`, `New York`."""
    paths: tuple[str, ...] = ()
    """Files to search; empty searches all."""


def _list(ctx: ToolContext, arguments: NoArguments) -> ToolResult:
    del arguments
    found = ctx.workspace.files(ctx.actor)
    lines = [f"{file.path} ({file.size:,} bytes)" for file in found]
    text = "\n".join(lines) or "There are no files here."
    data = {"files": [{"path": file.path, "size": file.size} for file in found]}
    return ToolResult(clip(text), data=data, summary=f"Listed the files: {len(found)}")


def _describe(ctx: ToolContext, arguments: DescribeFile) -> ToolResult:
    found = ctx.workspace.describe_file(ctx.actor, arguments.path)
    rows = found.sample[: max(0, min(arguments.rows, 20))]
    columns = [column.model_dump() for column in found.columns]
    names = [column["name"] for column in columns]
    passages = [Passage(f"{found.path}: {found.format}"), Passage(columns_text(columns))]
    passages += [Passage(f"note: {note}", "values") for note in found.notes]
    if found.sheets:
        passages.append(Passage(f"sheets: {', '.join(found.sheets)}; this is {found.sheet!r}"))
    if rows:
        passages += [Passage("sample:"), table_passage(names, rows)]
    data = {
        "path": found.path,
        "columns": columns,
        "notes": list(found.notes),
        "rows": [list(row) for row in rows],
    }
    return ToolResult.of(passages, data=data, summary=f"Looked at {found.path}: {len(columns)} columns")


def _find(ctx: ToolContext, arguments: FindValues) -> ToolResult:
    found = ctx.workspace.find_values(ctx.actor, arguments.words, paths=arguments.paths or None)
    lines = [
        f"“{each.words}”: {each.path} · {each.column} = {each.value!r} ({each.count:,} rows)" for each in found.values
    ]
    seen = {each.words for each in found.values}
    lines += [f"“{word}”: found in no text column" for word in arguments.words if word not in seen]
    passages = [Passage("\n".join(lines), "values"), *map(Passage, found.notes)]
    data = {"values": [each.model_dump(mode="json") for each in found.values], "notes": list(found.notes)}
    return ToolResult.of(passages, data=data, summary=f"Looked for {', '.join(arguments.words[:4])} in the data")


TOOLS = (
    Tool("list_files", "The files that can be read here.", NoArguments, "read", _list),
    Tool(
        "describe_file",
        "A file's columns with types, how it was read (dates, decimal marks, missing values), and sample rows.",
        DescribeFile,
        "read",
        _describe,
    ),
    Tool(
        "find_values",
        "Which columns of which files hold these words as values, and how they are written there.",
        FindValues,
        "read",
        _find,
    ),
)
