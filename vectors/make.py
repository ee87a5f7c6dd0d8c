"""Makes patch cases that both sides replay: python -m vectors.make [--count N] [--seed N] [--out FILE]

A case is a flow, two patches made on it side by side, and what comes of them:

    a       a flow's document            b      the flow that `patch` makes of a
    patch   one change of a              onOther   what `patch` makes of (a after `other`):
    other   another change of a                    {"flow": …}, {"conflicts": [{"path", "reason"}, …]} or {"unsound": true}

Deterministic: the same count and seed give the same bytes. `patches.json` is kept under version control.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from headrace.flow.model import EMPTY, Flow, document_of
from headrace.flow.operations import OperationError, apply_all, operations_from
from headrace.flow.patch import Patch, PatchConflict, apply, diff

KEPT = Path(__file__).parent / "patches.json"
COUNT, SEED = 300, 1
VALUES = (0, 1, 1.5, False, True, None, "", "x", "é/~", [1, [2]], {"k": 0}, {"__proto__": 1}, {"$parameter": "p"})
KEYS = ("u", "v", "__proto__", "constructor")


class _Dice:
    """Random operations from one seed, over few names, so that they often meet."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - cases, not secrets

    def flow(self, base: Flow, tries: int) -> Flow:
        """Return a flow some random operations further."""
        batch: list[Any] = []
        after = base
        for _ in range(tries):
            written = self._operation()
            try:
                after = apply_all(base, operations_from([*batch, written]))
            except OperationError:
                continue
            batch.append(written)
        return after

    def _operation(self) -> dict[str, Any]:
        make = self._random.choice(
            (
                self._add,
                self._add,
                self._about_a_node,
                self._about_a_node,
                self._edge,
                self._edge,
                self._aside,
                self._between,
            )
        )
        return make()

    def _add(self) -> dict[str, Any]:
        at = self._random.choice((None, self._point()))
        return {"op": "add_node", "node": self._node(), "at": at}

    def _about_a_node(self) -> dict[str, Any]:
        node_id = self._id()
        return self._random.choice(
            (
                {"op": "remove_node", "node_id": node_id},
                {"op": "set_title", "node_id": node_id, "title": self._random.choice(("", "A", "ü"))},
                {"op": "set_config", "node_id": node_id, "values": self._config()},
                {"op": "unset_config", "node_id": node_id, "keys": [self._random.choice(KEYS)]},
                {"op": "replace_node", "node_id": node_id, "type": "sort", "config": self._config()},
                {"op": "move_nodes", "positions": {node_id: self._point()}},
            )
        )

    def _edge(self) -> dict[str, Any]:
        verb = self._random.choice(("connect", "connect", "disconnect"))
        return {"op": verb, "source": self._id(), "target": f"{self._id()}.{self._random.choice(('in', 'left'))}"}

    def _between(self) -> dict[str, Any]:
        return {"op": "insert_between", "source": self._id(), "target": self._id(), "node": self._node()}

    def _aside(self) -> dict[str, Any]:
        number = self._random.randint(0, 2)
        note = {"text": self._random.choice("ab"), "at": self._random.choice((None, self._point()))}
        return self._random.choice(
            (
                {"op": "set_name", "name": self._random.choice(("", "x", "y"))},
                {"op": "set_note", "note_id": "n", "note": self._random.choice((None, note))},
                {"op": "set_parameter", "name": "p", "parameter": {"type": "number", "default": number}},
                {"op": "set_parameter", "name": "p", "parameter": None},
            )
        )

    def _node(self) -> dict[str, Any]:
        return {"id": self._id(), "type": self._random.choice(("filter", "join")), "config": self._config()}

    def _config(self) -> dict[str, Any]:
        return {key: self._random.choice(VALUES) for key in self._random.sample(KEYS, self._random.randint(0, 2))}

    def _point(self) -> dict[str, Any]:
        return {"x": self._random.randint(0, 2), "y": self._random.choice((0, 0.5))}

    def _id(self) -> str:
        return self._random.choice("abcd")


def cases(count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Return so many cases."""
    dice = _Dice(seed)
    for _ in range(count):
        a = dice.flow(EMPTY, 12)
        b, c = dice.flow(a, 5), dice.flow(a, 4)
        patch = diff(a, b)
        yield {
            "a": document_of(a),
            "patch": patch.model_dump(mode="json"),
            "b": document_of(b),
            "other": diff(a, c).model_dump(mode="json"),
            "onOther": outcome(c, patch),
        }


def outcome(flow: Flow, patch: Patch) -> dict[str, Any]:
    """Return what a patch makes of a flow, as a case writes it."""
    try:
        return {"flow": document_of(apply(flow, patch))}
    except PatchConflict as error:
        if any(conflict.reason == "unsound" for conflict in error.conflicts):
            return {"unsound": True}
        return {"conflicts": [{"path": list(c.path), "reason": c.reason} for c in error.conflicts]}


def text(count: int = COUNT, seed: int = SEED) -> str:
    """Return the cases as JSON, one a line."""
    lines = (json.dumps(case, ensure_ascii=False, sort_keys=True, separators=(",", ":")) for case in cases(count, seed))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def main() -> None:
    """Write the cases."""
    parser = argparse.ArgumentParser(description="Make patch cases for both sides to replay.")
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, default=KEPT)
    given = parser.parse_args()
    given.out.write_text(text(given.count, given.seed), encoding="utf-8")


if __name__ == "__main__":
    main()
