"""`headrace build`: say what you want. The assistant drafts the change, the person sees it and applies it, it runs.

Turns follow one another; one that is refused, fails or is left staged ends the chain, and nothing is run then.
"""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import dataclass, field, replace
from pathlib import Path

from headrace.app import Settings, assistant_of, settings_from, workspace_in_memory
from headrace.assistant.turns import Assistant
from headrace.base.actor import LOCAL
from headrace.flow.model import EMPTY, document_of, flow_from_document
from headrace.nodes.files import FileSpace
from headrace.workspace.views import FlowView, PreviewView, RunView
from headrace.workspace.workspace import Workspace

from .building import Built, Turned, built_lines, built_object, change_lines, status_of, turn_lines
from .ending import DONE, Usage
from .flow_files import read_flow, require_no_input, require_writable, space_for, write_flow
from .running import answer_of, check_out, inputs_of, run_to_end
from .screen import Progress, ask, is_interactive, plain

_PATIENCE = 5.0


@dataclass(slots=True)
class _Bench:
    """What one call of the command works with."""

    options: argparse.Namespace
    space: FileSpace
    workspace: Workspace
    assistant: Assistant
    flow_id: str
    chat_id: str
    turns: list[Turned] = field(default_factory=list)

    def flow(self) -> FlowView:
        return self.workspace.flow(LOCAL, self.flow_id)


def call(options: argparse.Namespace) -> int:
    """Carry the command out and return its exit code."""
    requests = [request for request in (options.request, *options.then) if request is not None]
    if not options.show_briefing and (options.request is None or not options.request.strip()):
        raise Usage(
            "No request is given.", 'Say what you want first: headrace build "total per month" --files orders.csv'
        )
    bench = _set_up(options)
    try:
        if options.show_briefing:
            print(bench.assistant.briefing(LOCAL, bench.chat_id, model=options.model))
            return DONE
        built = _build(bench, requests)
    finally:
        bench.assistant.close()
        bench.workspace.close()
    if options.json:
        print(json.dumps(built_object(built), ensure_ascii=False))
    elif lines := built_lines(built):
        print(plain("\n".join(lines)))
    return built.exit_code


def _set_up(options: argparse.Namespace) -> _Bench:
    flow = read_flow(options.flow) if options.flow else EMPTY
    space = space_for(options.files, options.flow)
    workspace = workspace_in_memory(space)
    inputs = inputs_of(workspace.catalog, flow, space)
    if options.files and options.flow:
        # At hand is what was named and what the flow reads already, not all that lies beside the flow.
        space = space_for([*options.files, *map(str, inputs)])
        workspace = workspace_in_memory(space)
    inputs += [Path(name) for name in options.files]
    if options.out:
        check_out(options.out, inputs)
    if options.save:
        require_no_input(options.save, inputs, option="--save")
        require_writable(options.save)
    settings, options.model = _model(options.model, options.share)
    assistant = assistant_of(workspace, settings)
    view = workspace.create_flow(LOCAL, flow.name, document_of(flow))
    chat = workspace.create_chat(LOCAL, view.flow_id)
    return _Bench(options, space, workspace, assistant, view.flow_id, chat.chat_id)


def _model(name: str | None, share: str | None) -> tuple[Settings, str]:
    """The settings and the model's name that `--model` means; an address stands for itself."""
    settings = settings_from(os.environ, share=share)
    if name is not None and name.startswith(("http://", "https://")):
        return replace(settings, model_url=name), "endpoint"
    return settings, name or ""


def _build(bench: _Bench, requests: list[str]) -> Built:
    for number, request in enumerate(requests, start=1):
        turned = _turn(bench, request, last=number == len(requests))
        bench.turns.append(turned)
        if not bench.options.json:
            print(plain("\n".join(_said(turned))), flush=True)
        # a turn that ends in a question is not approved beforehand, whatever it drafted
        if turned.changeset is not None and turned.turn.status == "answered" and not turned.turn.code:
            turned = bench.turns[-1] = _decide(bench, turned)
        if status_of(turned) not in ("answered", "applied"):
            break
    run, answer, out = _run(bench)
    view = bench.flow()
    saved = None
    if (
        bench.options.save
        and (view.number or bench.options.flow)
        and status_of(bench.turns[-1]) in ("answered", "applied")
    ):
        write_flow(bench.options.save, flow_from_document(view.document))
        saved = bench.options.save
    left = len(requests) - len(bench.turns)
    return Built(tuple(bench.turns), view, run=run, answer=answer, out=out, saved=saved, left=left)


def _turn(bench: _Bench, request: str, *, last: bool) -> Turned:
    """Let the assistant answer one request; the keyboard stops it."""
    started = bench.assistant.start_turn(LOCAL, bench.chat_id, request, model=bench.options.model, last=last)

    def words() -> str:
        return f"Working on “{request if len(request) < 50 else request[:49] + '…'}”"

    with Progress(words):
        try:
            turn = bench.assistant.wait(LOCAL, started.turn_id)
        except KeyboardInterrupt:
            bench.assistant.stop_turn(LOCAL, started.turn_id)
            bench.assistant.wait(LOCAL, started.turn_id, timeout=_PATIENCE)
            raise
    changeset = bench.workspace.changeset(LOCAL, turn.changeset_id) if turn.changeset_id else None
    if changeset is not None and not changeset.patch.changes:
        changeset = None
    return Turned(request, turn, changeset)


def _said(turned: Turned) -> list[str]:
    lines = [turned.turn.reply, *turn_lines(turned.turn)]
    if turned.changeset is not None:
        lines += ["", *change_lines(turned.changeset)]
    return lines


def _decide(bench: _Bench, turned: Turned) -> Turned:
    """Apply a change where the person wants it: said beforehand, or asked now."""
    changeset = turned.changeset
    assert changeset is not None
    if not bench.options.approve:
        if bench.options.json or not is_interactive():
            return turned
        if not ask("Apply this change?"):
            rejected = bench.workspace.reject(LOCAL, changeset.changeset_id)
            return replace(turned, changeset=rejected)
    bench.workspace.approve(LOCAL, changeset.changeset_id, digest=changeset.digest)
    return replace(turned, changeset=bench.workspace.changeset(LOCAL, changeset.changeset_id))


def _run(bench: _Bench) -> tuple[RunView | None, PreviewView | None, str | None]:
    """Run what was applied, where that was asked for: all of it with --run, up to the answer with --out alone."""
    options, last = bench.options, bench.turns[-1]
    applied = any(status_of(each) == "applied" for each in bench.turns)
    if not applied or status_of(last) not in ("answered", "applied") or not (options.run or options.out):
        return None, None, None
    wants_table = bool(options.out) and status_of(last) == "applied"
    if not options.run and not wants_table:
        return None, None, None
    answering = bench.workspace.answering(LOCAL, bench.flow_id) if wants_table else None
    if not options.run and answering is None:
        return None, None, None
    exports = None
    if answering is not None:
        flow = flow_from_document(bench.flow().document)
        exports = {answering: check_out(options.out, inputs_of(bench.workspace.catalog, flow, bench.space))}
    run = run_to_end(bench.workspace, bench.flow_id, to=None if options.run else answering, exports=exports)
    answer = answer_of(bench.workspace, run)
    kept = exports is not None and answer is not None and run.answer in exports and Path(options.out).exists()
    return run, answer, options.out if kept else None
