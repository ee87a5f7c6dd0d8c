"""Every error that the house raises on purpose.

    HeadraceError
    ├── BadRequest      400   a request that cannot be read
    ├── Refused         403   it is understood and may not be done
    ├── NotFound        404   absent, or not yours: the two answer alike
    ├── PatchConflict   409   (flow.patch) part of a patch no longer matches the flow
    ├── StaleApproval   409   another patch was approved than the one that is staged now
    ├── WrongState      409   the thing is not in a state that allows this
    ├── OperationError  422   (flow.operations) an operation cannot be applied
    ├── Invalid         422   a document, config or argument is not valid
    ├── Unavailable     503   something outside does not answer
    └── StorageFull     507   the disk or the quota is full; nothing was written

Flow faults are diagnostics and node faults are part of a run's record: both are values and are never raised.
"""

from __future__ import annotations

from typing import ClassVar


class HeadraceError(Exception):
    """An error with a stable code, a message that says what is wrong and a hint that says what to do next."""

    status: ClassVar[int] = 500

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        self.code = code
        self.message = message
        self.hint = hint
        super().__init__(f"{message} {hint}".strip())


class BadRequest(HeadraceError):
    """A request that cannot be read."""

    status = 400


class Refused(HeadraceError):
    """Understood, and not allowed."""

    status = 403


class NotFound(HeadraceError):
    """Absent, or somebody else's: the answer is the same, byte for byte."""

    status = 404


class StaleApproval(HeadraceError):
    """The approval names another patch than the one that is staged now."""

    status = 409


class WrongState(HeadraceError):
    """The thing exists, but not in a state that allows this."""

    status = 409


class Invalid(HeadraceError):
    """A document, config or argument is not valid; `faults` lists every fault, one sentence each."""

    status = 422

    def __init__(self, code: str, message: str, hint: str = "", *, faults: tuple[str, ...] = ()) -> None:
        super().__init__(code, message, hint)
        self.faults = faults


class Unavailable(HeadraceError):
    """Something outside the house does not answer; trying again later may work."""

    status = 503


class StorageFull(HeadraceError):
    """The disk or the quota is full; nothing was written."""

    status = 507
