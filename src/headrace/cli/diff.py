"""`headrace diff`: what differs between two flows, in words or as a patch. Needs no node types and runs nothing."""

from __future__ import annotations

import argparse
import json

from headrace.flow.patch import describe_patch, diff, seal

from .ending import DONE
from .flow_files import read_flow
from .screen import plain


def call(options: argparse.Namespace) -> int:
    """Carry the command out and return its exit code."""
    before, after = read_flow(options.before), read_flow(options.after)
    patch = diff(before, after)
    words = describe_patch(patch, before)
    if options.json:
        shown = {
            "same": not patch.changes,
            "changes": words,
            "patch": patch.model_dump(mode="json"),
            "digest": seal(patch),
        }
        print(json.dumps(shown, ensure_ascii=False))
    elif patch.changes:
        print(plain("\n".join(f"- {sentence}" for sentence in words)))
    else:
        print("The two flows are the same.")
    return DONE
