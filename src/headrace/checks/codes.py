"""The one table of diagnostic codes; docs/reference/diagnostics.md is made from it.

A code never changes its meaning and is never given away again. Severity: an `error` stops the node from running, a
`warning` will probably surprise, a `note` is good to know.
"""

from __future__ import annotations

from dataclasses import dataclass

from headrace.flow.diagnostic import Severity


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of finding."""

    code: str
    severity: Severity
    title: str
    explanation: str
    """When it appears and what to do; Markdown."""
    example: str
    """A message as a user sees it."""


_TABLE = (
    # F1xx: the shape of the flow
    Code(
        "F101",
        "error",
        "Edges go in a circle",
        "A flow runs from its inputs to its outputs; no node can wait for what it makes itself. Disconnect one edge of the circle.",
        "'clean', 'sort' feed each other in a circle: clean → sort → clean. A flow runs one way; disconnect one of these edges.",
    ),
    Code(
        "F102",
        "warning",
        "No data reaches this node",
        "The nodes before it lead back to nothing that brings data. Connect the first of them to a source, or remove them.",
        "No data reaches 'Sort by date': it hangs on 'filter', whose input is not connected. Connect that one to a table.",
    ),
    Code(
        "F103",
        "note",
        "Nothing is written or drawn",
        "The flow is empty, or none of its nodes writes a file or draws a chart. That is fine where the table itself is the answer.",
        "This flow is empty. Add a node that brings data, such as `read_file`.",
    ),
    Code(
        "F104",
        "error",
        "A required input is not connected",
        "The node cannot work on nothing. Connect a table to the port; where exactly one loose table would fit, a fix does it.",
        "Nothing is connected to 'in' of 'filter'. It takes a table; connect one, such as 'orders'.",
    ),
    Code(
        "F105",
        "error",
        "Too many edges at a port",
        "The port takes one edge. Put the tables together first (`union`, `join`), or disconnect all but one.",
        "'in' of 'sort' takes one edge and has 2: from 'a', 'b'. Disconnect all but one, or put the tables together with `union` first.",
    ),
    Code(
        "F106",
        "error",
        "Two nodes write the same file",
        "The one that runs last would replace what the other wrote. Give each its own path.",
        "'save' and 'save_2' both write 'out.csv'. Give one of them another path.",
    ),
    Code(
        "F107",
        "note",
        "Nothing uses this node",
        "The node is not connected to anything while the rest of the flow is. Connect it, or remove it.",
        "Nothing uses 'old_orders' and it uses nothing. Connect it, or remove it.",
    ),
    # F2xx: node types and ports
    Code(
        "F201",
        "error",
        "Unknown node type",
        "This program has no node type of that name. Choose one that exists; the nearest is offered.",
        "There is no node type 'filtre'. Near ones: 'filter'. Replace the node by one of them.",
    ),
    Code(
        "F202",
        "error",
        "Unknown port",
        "An edge begins or ends at a port that the node type does not have.",
        "'sort' has no input 'table'; it has 'in'. Connect the edge there.",
    ),
    Code(
        "F203",
        "error",
        "Port types differ",
        "What leaves the source port is not what the target port takes.",
        "'file' of 'save' gives a file, and 'in' of 'sort' takes a table. Disconnect them.",
    ),
    Code(
        "F204",
        "error",
        "The node was made by a newer version",
        "The node's config was written for a newer version of its node type than this program knows.",
        "'clean' was made for version 3 of `filter`; this program knows version 1. Use a newer Headrace, or make the node anew.",
    ),
    # F3xx: config
    Code(
        "F301",
        "error",
        "A config value is missing",
        "The node type needs a value that is not given.",
        "'count' is missing. What goes there: how many rows to keep, at most.",
    ),
    Code(
        "F302",
        "error",
        "Unknown config key",
        "The node type has no such key. A fix renames it to the nearest one, another removes it.",
        "'conditon' is not a key of this config. Did you mean 'condition'? The keys are condition. Rename it, or take it out.",
    ),
    Code(
        "F303",
        "error",
        "Wrong config value",
        "The value is not of the kind, or not within the range, that the key takes.",
        "'count' is -5; it must be greater than or equal to 0.",
    ),
    Code(
        "F304",
        "error",
        "Unknown parameter",
        "A config value refers to a parameter that the flow does not have, or that has no value.",
        "`count` of 'limit' refers to the parameter 'top'; the flow has none of that name. Add it, or give a value.",
    ),
    # F4xx: columns and expressions
    Code(
        "F401",
        "error",
        "Unknown column",
        "The table that arrives has no such column. The nearest names are offered as fixes.",
        "There is no column 'amont'. The nearest is 'amount'; the table has id, region, amount.",
    ),
    Code(
        "F402",
        "error",
        "Wrong type",
        "A value or column is of a type that cannot be used this way.",
        "`sum` cannot take 'region', which is text (VARCHAR). Choose a number, or cast it.",
    ),
    Code(
        "F403",
        "error",
        "The expression cannot be read",
        "It is not a SQL expression. The message says where reading stopped.",
        "The condition cannot be read at character 10, near 'AND'. Write for example: amount > 100 AND region = 'north'.",
    ),
    Code(
        "F404",
        "error",
        "Function not allowed",
        "The function does not exist or may not be used here: only functions that compute on their arguments may.",
        "The function 'read_csv' may not be used in an expression.",
    ),
    Code(
        "F405",
        "error",
        "Text compared with a number or a date",
        "The text cannot be read as what it is compared with, so the comparison would fail when it runs.",
        "'yesterday' is compared with `day`, a date, and is not one. Write a date such as '2026-01-31'.",
    ),
    Code(
        "F406",
        "error",
        "Two columns of one name",
        "A table's column names differ, whatever their case.",
        "The column 'total' would be made twice. Give one of them another name.",
    ),
    # F5xx: files and effects
    Code(
        "F501",
        "error",
        "File not found",
        "No file is at the path. The nearest names are offered.",
        "There is no file 'order.csv'. The nearest is 'orders.csv'.",
    ),
    Code(
        "F502",
        "error",
        "Not a file",
        "The path is a folder or something else that cannot be read as a file.",
        "'data' is a folder. Name a file in it, or several as 'data/*.csv'.",
    ),
    Code(
        "F503",
        "error",
        "Outside the allowed folders",
        "Flows read and write in the data folder and what was named on the command line, nowhere else.",
        "'/etc/passwd' lies outside the folders that this flow may use.",
    ),
    Code(
        "F504",
        "error",
        "Cannot be read",
        "The file is not what it was taken for, or is damaged. The message says where.",
        "'orders.parquet' cannot be read as parquet: it is cut off. Get a whole copy.",
    ),
    Code(
        "F505",
        "error",
        "Empty file",
        "There is nothing in the file, not even a header.",
        "'orders.csv' is empty. Choose another file.",
    ),
    Code(
        "F510",
        "note",
        "Needs approval",
        "Running this node changes something outside the flow. It runs when a person starts the run, never before.",
        "'save' will write 'out.csv' when the flow runs.",
    ),
    Code(
        "F511",
        "warning",
        "Would overwrite",
        "The file is there already, so the next run would stop at this node. A fix allows replacing it; another path keeps it.",
        "'out.csv' is there already. Choose another path, or say that it may be replaced (overwrite).",
    ),
    Code(
        "F512",
        "error",
        "Would overwrite an input",
        "The file is read by the same flow. What is read is never replaced: write to another path.",
        "'orders.csv' is read by 'read_orders'. Choose another path.",
    ),
    # F6xx: runs
    Code(
        "F601",
        "error",
        "Failed while running",
        "The data contradicts what was expected of it: a value that cannot be cast, a number that is too large.",
        "'clean' failed: 'n/a' of column 'amount' is not a number. Clean the column first, or write TRY_CAST(amount AS DOUBLE) in a formula, which leaves such values empty.",
    ),
    Code(
        "F602",
        "error",
        "Out of memory",
        "The run needed more memory, or more space for temporary files, than it may use.",
        "'join' needed more memory than the 2.0 GiB that a run may use. Filter earlier, or raise the limit.",
    ),
    Code(
        "F603",
        "error",
        "Disk full",
        "There is no space left where the run writes. Nothing half-written was kept.",
        "The disk is full: 'out.csv' was not written. Free some space and run again.",
    ),
    Code(
        "F604",
        "error",
        "Not permitted",
        "The system does not let the program read or write there.",
        "'out.csv' may not be written: permission denied. Choose another folder.",
    ),
    Code(
        "F605",
        "error",
        "Broke down",
        "The program itself failed; the log has the details under the id in the message.",
        "'chart' broke down for a reason that is not in the flow (id err_k3v9…). The log has the details.",
    ),
)

CODES: dict[str, Code] = {code.code: code for code in _TABLE}
"""Every diagnostic code, by code, in order."""
