"""The error tree as it is drawn, and what an error shows."""

from __future__ import annotations

import re

from headrace.base import errors
from headrace.flow.operations import OperationError
from headrace.flow.patch import PatchConflict


def test_the_tree_that_is_drawn_is_the_tree_that_there_is() -> None:
    drawn = dict(re.findall(r"─ (\w+) +(\d{3})", errors.__doc__ or ""))
    there = {each.__name__: str(each.status) for each in errors.HeadraceError.__subclasses__()}
    assert {OperationError, PatchConflict} <= set(errors.HeadraceError.__subclasses__())
    assert {name: status for name, status in there.items() if name in drawn} == drawn


def test_an_error_shows_what_is_wrong_and_what_to_do() -> None:
    error = errors.NotFound("no_such_node", "There is no node 'x'.", "Name one that is.")
    assert str(error) == "There is no node 'x'. Name one that is."
    assert (error.status, error.code) == (404, "no_such_node")
    assert str(errors.Invalid("bad", "It is bad.", faults=("a", "b"))) == "It is bad."
