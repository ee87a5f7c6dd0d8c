"""What every store can do. Owns the protocol and the errors that all stores raise alike.

Refuses to interpret: a store checks owners, keys, parents and the head's number, and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import fields
from typing import Any, Protocol, TypeVar

from headrace.base.errors import Invalid, NotFound, WrongState

from .records import EventRecord, FlowRecord, Record

R = TypeVar("R", bound=Record)
Key = str | int | tuple[str | int, ...]


class Reading(Protocol):
    """One consistent view of the records."""

    def get(self, kind: type[R], owner: str, key: Key) -> R:
        """Return the record with that key.

        Errors: NotFound where it is absent or somebody else's; the two are alike, byte for byte.
        """
        ...

    def find(
        self,
        kind: type[R],
        owner: str,
        *,
        where: Mapping[str, str | int] | None = None,
        after: str | int | None = None,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[R]:
        """Return an owner's records whose fields equal `where`, in the kind's order.

        `after` leaves out everything up to that value of the order field.
        """
        ...

    def find_for_all(self, kind: type[R], *, where: Mapping[str, str | int]) -> list[R]:
        """Return matching records of every owner: for recovery at start, never for a request."""
        ...

    def last_seq(self) -> int:
        """Return the number of the latest event of anyone, 0 before the first."""
        ...


class Writing(Reading, Protocol):
    """A transaction: all of it is kept or nothing is."""

    def add(self, record: Record) -> None:
        """Keep a new record.

        Errors: WrongState where the key is taken; NotFound where its parent is absent or another's.
        """
        ...

    def append(self, event: EventRecord) -> EventRecord:
        """Keep an event and return it with its number, greater than that of every event before it."""
        ...

    def replace(self, record: Record) -> None:
        """Put a record in the place of the one with its key.

        Errors: NotFound; TypeError for a kind that is append-only.
        """
        ...

    def advance(self, record: FlowRecord, *, expected: int) -> None:
        """Put a flow's head in place if it stands at revision `expected`: compare and swap.

        Errors: NotFound; WrongState `head_moved` where it stands elsewhere.
        """
        ...

    def remove(self, kind: type[Record], owner: str, key: Key) -> None:
        """Remove a record and all its children.

        Errors: NotFound; TypeError for a kind that is append-only.
        """
        ...

    def sweep_events(self, kinds: tuple[str, ...], *, before: int) -> int:
        """Drop everybody's events of passing kinds numbered below `before`; return how many went."""
        ...


class Store(Protocol):
    """Where records are kept. Thread-safe; a transaction belongs to the thread that opened it."""

    def reading(self) -> AbstractContextManager[Reading]:
        """Return a view that stays as it is while it is open."""
        ...

    def transaction(self, *, durable: bool = True) -> AbstractContextManager[Writing]:
        """Return a transaction, kept when the `with` ends without an error.

        `durable`: on the disk before it returns, whatever happens to the machine. Without it a power cut (not a killed
        process) may take the last moments. One at a time: do not open one inside another.
        Errors: StorageFull, Unavailable.
        """
        ...

    def close(self) -> None:
        """Let go of every connection; nothing may be asked after."""
        ...


def key_parts(key: Key) -> tuple[str | int, ...]:
    """Return a key as a tuple, also where its kind has but one key field."""
    return key if isinstance(key, tuple) else (key,)


def absent(kind: type[Record], key: Key) -> NotFound:
    """Return the one error for a record that is absent or not yours."""
    shown = key_parts(key)[-1]
    return NotFound(
        "not_found", f"There is no {kind.noun} {shown!r}.", f"List what there is and name a {kind.noun} from the list."
    )


def taken(record: Record) -> WrongState:
    """Return the error for a key that exists already."""
    shown = getattr(record, record.key[-1])
    return WrongState("exists", f"There is a {record.noun} {shown!r} already.", "Give it another name.")


def head_moved(flow_id: str, expected: int, found: int) -> WrongState:
    """Return the error for a compare-and-swap that lost."""
    return WrongState(
        "head_moved",
        f"Flow {flow_id!r} is at revision {found}, not at {expected}: somebody changed it meanwhile.",
        "Look at the flow as it is now and try again.",
    )


def require_storable(record: Record) -> None:
    """Raise Invalid where a record's text holds characters that no database keeps (half of a surrogate pair, NUL).

    Half pairs inside its JSON are fine: JSON can write them.
    """
    for field in fields(record):
        value = getattr(record, field.name)
        if isinstance(value, str) and ("\0" in value or any("\ud800" <= letter <= "\udfff" for letter in value)):
            raise Invalid(
                "text_not_storable",
                f"The {field.name} of the {record.noun} holds a character that cannot be kept.",
                "Type it again in plain text.",
            )


def to_text(value: Any) -> str:
    """Return a JSON value as compact ASCII text.

    Errors: ValueError for a NaN or an infinity, which are no JSON; TypeError for what is no JSON at all.
    """
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def from_text(text: str | bytes) -> Any:
    """Return the JSON value of a text."""
    return json.loads(text)


def refuse_append_only(kind: type[Record]) -> None:
    """Raise TypeError for a kind that is never altered."""
    if kind.append_only:
        raise TypeError(f"A {kind.noun} is append-only")
