"""The one gate to a model: what of the user's data it may be told, and which kinds it has been told in this turn.

Everything that a tool answers, the briefing and what is left of earlier turns pass here before a request is made of them.
Owns the decision; what a text holds is said where the text is made (`tools.spec.Passage`). Refuses to look into texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from headrace.base.data_kinds import DATA_KINDS, DataKind
from headrace.tools.spec import RESULT_LIMIT, Passage, ToolResult, clip

_NOTE: dict[DataKind, str] = {
    "values": "[values of the data, which are not shared with you]",
    "rows": "[rows of the data, which are not shared with you; the user sees them]",
}
_TERMS: dict[DataKind, str] = {
    "columns": "Of the data you are told names, types and counts. Values and rows are kept back: tools that look at them say so. "
    "Write conditions from the request's own words, and name each value that you took for granted.",
    "values": "Of the data you are told names, types, counts and single values. Rows are kept back: tools that show them say so.",
}


class Gate:
    """What one turn's model may be told."""

    def __init__(self, share: DataKind = DATA_KINDS[-1]) -> None:
        self._shared = DATA_KINDS[: DATA_KINDS.index(share) + 1]
        self._told: set[DataKind] = set()

    @property
    def told(self) -> tuple[DataKind, ...]:
        """Return the kinds of data that have passed, the least telling first."""
        return tuple(kind for kind in DATA_KINDS if kind in self._told)

    def lets(self, kinds: Iterable[DataKind]) -> bool:
        """Return whether text that holds these kinds of data may pass; if so, it counts as told."""
        wanted = set(kinds)
        if not wanted <= set(self._shared):
            return False
        self._told |= wanted
        return True

    def text(self, passages: Iterable[Passage], limit: int = RESULT_LIMIT) -> str:
        """Return what may be told of some passages, in so many characters; what is kept back leaves a note, said once."""
        lines: list[str] = []
        for passage in passages:
            kept_back = not self.lets([passage.kind])
            line = (passage.instead or _NOTE[passage.kind]) if kept_back else passage.text
            if not (kept_back and lines[-1:] == [line]):
                lines.append(line)
        return clip("\n".join(lines), limit)

    def result(self, result: ToolResult) -> ToolResult:
        """Return a tool's answer with the text that may be told; the facts beside the text reach no provider."""
        told = result.passages or (Passage(result.text),)
        return replace(result, text=self.text(told), passages=())

    def briefing(self, passages: Iterable[Passage], limit: int) -> str:
        """Return a turn's briefing, byte for byte as it leaves, with what is kept back said first."""
        terms = [Passage(_TERMS[self._shared[-1]])] if self._shared[-1] in _TERMS else []
        return self.text([*terms, *passages], limit)
