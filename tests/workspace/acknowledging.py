"""A program that works on a database and says, line by line, what was acknowledged to it. Made to be killed.

Run as `python -m tests.workspace.acknowledging DATABASE FOLDER SEED`; each line is JSON:
`{"flow_id", "number", "changeset_id"?, "held"?}`; `held` is what the changeset holds: `{"digest", "amended", "operations"}`.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

from headrace.base.actor import LOCAL, assistant_for
from headrace.base.errors import WrongState
from headrace.flow.patch import PatchConflict
from headrace.nodes.catalog import standard_catalog
from headrace.nodes.files import FileSpace
from headrace.store.sql import open_store
from headrace.workspace.workspace import Workspace


def main(database: str, folder: str, seed: str) -> None:
    """Do random operations for ever."""
    chance = random.Random(seed)
    workspace = Workspace(open_store(Path(database)), standard_catalog(), FileSpace([folder]))
    flows = [each.flow_id for each in workspace.flows(LOCAL)]
    while len(flows) < 3:
        flows.append(workspace.create_flow(LOCAL, "Flow").flow_id)
        acknowledge(flow_id=flows[-1], number=0)
    count = 0
    while True:
        count += 1
        flow_id = chance.choice(flows)
        try:
            acknowledge(flow_id=flow_id, **something(workspace, flow_id, chance, name=f"n{seed}_{count}"))
        except (WrongState, PatchConflict):
            continue


def something(workspace: Workspace, flow_id: str, chance: random.Random, *, name: str) -> dict[str, Any]:
    """Do one thing and return what was acknowledged."""
    add = {"op": "set_note", "note_id": name, "note": {"text": "x" * chance.randrange(2_000)}}
    match chance.randrange(7):
        case 0:
            return {"number": workspace.undo(LOCAL, flow_id).number}
        case 1:
            return {"number": workspace.redo(LOCAL, flow_id).number}
        case 2:
            staged = workspace.propose(assistant_for(LOCAL), flow_id, [add])
            return {"number": 0, "changeset_id": staged.changeset_id}
        case 3:
            staged = workspace.propose(assistant_for(LOCAL), flow_id, [add], summary=name)
            revision = workspace.approve(LOCAL, staged.changeset_id, digest=staged.digest)
            return {"number": revision.number, "changeset_id": staged.changeset_id}
        case 4:
            turn_id = f"turn_{flow_id}"
            staged = workspace.propose(assistant_for(LOCAL), flow_id, [add], turn_id=turn_id)
            if chance.random() < 0.05:
                workspace.approve(LOCAL, staged.changeset_id, digest=staged.digest)
                return {"number": 0}
            held = {"digest": staged.digest, "amended": staged.amended, "operations": len(staged.operations)}
            return {"number": 0, "changeset_id": staged.changeset_id, "held": held}
        case _:
            return {"number": workspace.edit(LOCAL, flow_id, [add], message=name).number}


def acknowledge(**facts: Any) -> None:
    """Say what was acknowledged."""
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
