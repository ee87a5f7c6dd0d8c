"""Operations as a model writes them: the forms that it is taught, and the clear slips that are read as what they mean.

What an operation may hold and whether it can be applied is `flow.operations`' to judge.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FORMS = {
    "add_node": '{"op":"add_node","node":{"id","type","config","title"?}}',
    "remove_node": '{"op":"remove_node","node_id"}',
    "replace_node": '{"op":"replace_node","node_id","type","config"}',
    "set_config": '{"op":"set_config","node_id","values":{…}}',
    "unset_config": '{"op":"unset_config","node_id","keys":[…]}',
    "set_title": '{"op":"set_title","node_id","title"}',
    "connect": '{"op":"connect","source":"a.out","target":"b.in"}',
    "disconnect": '{"op":"disconnect","source","target"}',
    "insert_between": '{"op":"insert_between","source","target","node":{…}}',
    "set_name": '{"op":"set_name","name"}',
}
_NODE = ("id", "type", "config", "title")
_OF_A_NODE = ("remove_node", "replace_node", "set_config", "unset_config", "set_title")
_OF_AN_EDGE = ("connect", "disconnect", "insert_between")


def plain_operation(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return an operation in its own form, where it was written in one that can mean only that.

    So a node that lies flat in `add_node`, `id` for `node_id`, `from` and `to` for the ends of an edge, `config` for `values`.
    """
    found = dict(given)
    op = found.get("op")
    if op == "add_node" and "node" not in found and {"id", "type"} <= found.keys():
        found["node"] = {key: found.pop(key) for key in _NODE if key in found}
    if op in _OF_A_NODE:
        _rename(found, "id", "node_id")
    if op == "set_config":
        _rename(found, "config", "values")
    if op in _OF_AN_EDGE:
        edge = found.get("edge")
        if isinstance(edge, str) and edge.count(">") == 1 and not {"source", "target"} & found.keys():
            del found["edge"]
            found["source"], found["target"] = (end.strip(" -") for end in edge.split(">"))
        _rename(found, "from", "source")
        _rename(found, "to", "target")
    return found


def forms_of(operations: object) -> str:
    """Return the forms of the operations that a batch holds, or of all where it names none that there is."""
    named = (
        [each.get("op") for each in operations if isinstance(each, Mapping)] if isinstance(operations, tuple) else []
    )
    return " ".join(dict.fromkeys(FORMS[op] for op in named if op in FORMS)) or " ".join(FORMS.values())


def _rename(found: dict[str, Any], old: str, new: str) -> None:
    if old in found and new not in found:
        found[new] = found.pop(old)
