"""The flow as the planner changes it: one main path of pieces from a source to the answer, what joins it, what leaves it.

Owns where a piece may stand, which columns there are behind each, and the operations that turn the old flow into the new.
Refuses to judge: types are only as fine as a person's words (number, text, date); the tools check the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from headrace.base.ids import slug, unused
from headrace.flow.model import Flow
from headrace.nodes.wordlist import word_set

from .fields import Field, kind_of
from .situation import FileFacts, Situation
from .titles import title_of

MAIN_PORTS = ("in", "left")
UNTOLD = word_set("the a an is where of with in to and or")
"""Small words that no id needs."""


@dataclass(slots=True)
class Piece:
    """A node on its way into the flow, or out of it."""

    node_id: str
    type: str
    config: dict[str, Any]
    given: str = ""
    """The title that a person gave it."""
    sides: list[tuple[str, Piece]] = field(default_factory=list)
    """Further inputs: port, and the piece whose output goes there."""
    makes: dict[str, str] = field(default_factory=dict)
    """Kinds of the columns that it makes."""

    @property
    def own(self) -> str:
        """The title that its type and config make."""
        return title_of(self.type, self.config, (str(side.config.get("path", "")) for _, side in self.sides))

    @property
    def title(self) -> str:
        """What it is called: as a person called it, or by what it does."""
        return self.given or self.own


class Sketch:
    """A main path of pieces that starts as the present flow and is changed in place."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self.flow: Flow = situation.flow
        self.facts: Mapping[str, FileFacts] = {file.path: file for file in situation.files}
        self.known = situation.columns
        self.main: list[Piece] = []
        self.sinks: list[Piece] = []
        self._taken = set(self.flow.nodes)
        self._read_flow()

    # --- reading the flow -------------------------------------------------------------------------------------------

    def _read_flow(self) -> None:
        end = self._answer()
        while end is not None:
            piece = self._piece(end)
            self.main.insert(0, piece)
            end = None
            for edge in self.flow.edges_into(piece.node_id):
                if edge.target.port in MAIN_PORTS and end is None:
                    end = edge.source.node
                else:
                    piece.sides.append((edge.target.port, self._piece(edge.source.node)))
        if self.main:
            leaving = self.flow.edges_from(self.main[-1].node_id)
            self.sinks += [self._piece(edge.target.node) for edge in leaving if edge.target.port == "in"]
        for piece in self.pieces():
            piece.given = "" if piece.given == piece.own else piece.given

    def _answer(self) -> str | None:
        """Return the node at the end of the longest way of tables."""
        tables = [node_id for node_id in self.flow.nodes if node_id in self.known]
        ends = [n for n in tables if not any(edge.target.node in self.known for edge in self.flow.edges_from(n))]
        return max(ends, key=lambda node_id: (self._depth(node_id, 0), node_id), default=None)

    def _depth(self, node_id: str, depth: int) -> int:
        before = [edge.source.node for edge in self.flow.edges_into(node_id)]
        return 1 + max((self._depth(b, depth + 1) for b in before), default=0) if depth < 500 else 0

    def _piece(self, node_id: str) -> Piece:
        node = self.flow.nodes[node_id]
        makes = {column.name: kind_of(column.type) for column in self.known.get(node_id, ())}
        return Piece(node_id, node.type, dict(node.config), node.title, makes=makes)

    # --- columns ----------------------------------------------------------------------------------------------------

    def columns(self, upto: int | None = None) -> tuple[Field, ...]:
        """Return the columns behind the piece before place `upto`; behind the last piece by default."""
        found: tuple[Field, ...] = ()
        for piece in self.main[: len(self.main) if upto is None else upto]:
            found = self.behind(piece, found)
        return found

    def behind(self, piece: Piece, before: tuple[Field, ...]) -> tuple[Field, ...]:
        """Return the columns behind a piece, given those before it."""
        config = piece.config
        match piece.type:
            case "read_file":
                file = self.facts.get(str(config.get("path")))
                if file is None:
                    return tuple(Field(name, kind, (str(config.get("path")),)) for name, kind in piece.makes.items())
                return tuple(Field(column.name, kind_of(column.type), (file.path,)) for column in file.columns)
            case "select":
                return _selected(config, before)
            case "formula":
                return _with_new(
                    before, {c["name"]: piece.makes.get(c["name"], "number") for c in config.get("columns", ())}
                )
            case "aggregate":
                return _grouped(config, before, piece.makes)
            case "join":
                return self._joined(piece, before)
            case _ if before:
                return before
        return tuple(Field(name, kind) for name, kind in piece.makes.items())

    def _joined(self, piece: Piece, before: tuple[Field, ...]) -> tuple[Field, ...]:
        config = piece.config
        if config.get("how") in ("anti", "semi"):
            return before
        right = next((self.behind(side, ()) for port, side in piece.sides if port == "right"), ())
        keys = {pair["right"] for pair in config.get("on", ())}
        names = {f.name.casefold() for f in before}
        added = []
        for each in right:
            if each.name in keys:
                continue
            clash = each.name.casefold() in names
            name = each.name + str(config.get("suffix", "_right")) if clash else each.name
            added.append(Field(name, each.kind, each.sources, written=each.name))
        return (*before, *added)

    # --- places -----------------------------------------------------------------------------------------------------

    def last(self, *types: str) -> int | None:
        """Return the place of the last piece of some types."""
        return next((at for at in range(len(self.main) - 1, -1, -1) if self.main[at].type in types), None)

    def after_sources(self) -> int:
        """Return the place right behind the reading, joining and stacking."""
        at = self.last("read_file", "manual_table", "join", "union")
        return 0 if at is None else at + 1

    def before_order(self) -> int:
        """Return the place in front of a final sort and limit, where new columns and figures go."""
        at = len(self.main)
        while at > 0 and self.main[at - 1].type in ("sort", "limit"):
            at -= 1
        return at

    def paths(self) -> list[str]:
        """Return the files that are read, the main one first."""
        pieces = (each for piece in self.main for each in (piece, *(side for _, side in piece.sides)))
        return [str(each.config.get("path")) for each in pieces if each.type == "read_file"]

    def piece(self, type_name: str, config: dict[str, Any], **more: Any) -> Piece:
        """Return a new piece with an id made of its title's first words; `sides` and `makes` as they are."""
        piece = Piece("", type_name, config, **more)
        words = [word for word in slug(re.sub(r"\.\w+$", "", piece.own)).split("_") if word not in UNTOLD]
        piece.node_id = unused(slug("_".join(words[:4])), self._taken)
        self._taken.add(piece.node_id)
        return piece

    # --- operations -------------------------------------------------------------------------------------------------

    def operations(self) -> list[dict[str, Any]]:
        """Return the operations from the flow as it was to the sketch."""
        old = Sketch(self._situation)
        before, after = {p.node_id: p for p in old.pieces()}, {p.node_id: p for p in self.pieces()}
        gone, edges_before, edges_after = set(before) - set(after), set(old.edges()), set(self.edges())
        made: list[dict[str, Any]] = []
        for source, target in sorted(edges_before - edges_after):
            if source.partition(".")[0] not in gone and target.partition(".")[0] not in gone:
                made.append({"op": "disconnect", "source": source, "target": target})
        made += [{"op": "remove_node", "node_id": node_id} for node_id in sorted(gone)]
        for node_id, piece in after.items():
            node = {"id": node_id, "type": piece.type, "config": piece.config, "title": piece.title}
            if node_id not in before:
                made.append({"op": "add_node", "node": node})
                continue
            was = before[node_id].config
            lost = sorted(set(was) - set(piece.config))
            changed = {key: value for key, value in piece.config.items() if key not in was or was[key] != value}
            if lost:
                made.append({"op": "unset_config", "node_id": node_id, "keys": lost})
            if changed:
                made.append({"op": "set_config", "node_id": node_id, "values": changed})
            if (title := self.flow.nodes[node_id].title) and title != piece.title:
                made.append({"op": "set_title", "node_id": node_id, "title": piece.title})
        made += [{"op": "connect", "source": s, "target": t} for s, t in self.edges() if (s, t) not in edges_before]
        return made

    def pieces(self) -> Iterator[Piece]:
        """Yield all pieces: the main path with what comes in from the side, then the sinks."""
        for piece in self.main:
            for _, side in piece.sides:
                yield side
            yield piece
        yield from self.sinks

    def edges(self) -> Iterator[tuple[str, str]]:
        """Yield the edges between the pieces as texts."""
        for before, piece in zip(self.main, self.main[1:], strict=False):
            port = "left" if piece.type == "join" else "in"
            yield f"{before.node_id}.out", f"{piece.node_id}.{port}"
        for piece in self.main:
            for port, side in piece.sides:
                yield f"{side.node_id}.out", f"{piece.node_id}.{port}"
        for sink in self.sinks:
            yield f"{self.main[-1].node_id}.out", f"{sink.node_id}.in"


def _selected(config: Mapping[str, Any], before: tuple[Field, ...]) -> tuple[Field, ...]:
    by_name = {f.name: f for f in before}
    kept = [by_name[name] for name in config["keep"] if name in by_name] if config.get("keep") else list(before)
    kept = [f for f in kept if f.name not in config.get("drop", ())]
    ahead = [by_name[name] for name in config.get("first", ()) if name in by_name]
    kept = ahead + [f for f in kept if f not in ahead]
    casts, renames = config.get("cast", {}), config.get("rename", {})
    kept = [replace(f, kind=kind_of(casts[f.name])) if f.name in casts else f for f in kept]
    return tuple(replace(f, name=renames.get(f.name, f.name)) for f in kept)


def _with_new(before: tuple[Field, ...], new: dict[str, str]) -> tuple[Field, ...]:
    kept = tuple(Field(f.name, new[f.name]) if f.name in new else f for f in before)
    return kept + tuple(Field(name, kind) for name, kind in new.items() if name not in {f.name for f in before})


def _grouped(config: Mapping[str, Any], before: tuple[Field, ...], makes: Mapping[str, str]) -> tuple[Field, ...]:
    by_name = {f.name: f for f in before}
    groups = [by_name.get(name, Field(name, "text")) for name in config.get("group_by", ())]
    for measure in config.get("measures", ()):
        name = measure.get("name") or "_".join(filter(None, (measure.get("function"), measure.get("column"))))
        source = by_name.get(measure.get("column") or "")
        kind = source.kind if source and measure.get("function") in ("min", "max", "first", "last") else "number"
        groups.append(Field(name, makes.get(name, kind)))
    return tuple(groups)
