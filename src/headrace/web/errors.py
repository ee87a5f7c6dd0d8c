"""How errors leave by this door: one translation for the whole tree, and an id for what nobody foresaw.

Refuses to let a traceback, a path or a query out.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from headrace.base.errors import HeadraceError
from headrace.base.value import Value

_log = logging.getLogger("headrace.web")
_MOST_FAULTS = 50


class ErrorBody(Value):
    """What every answer says that is not a success."""

    code: str
    """Stable; docs/reference/errors.md lists them."""
    message: str
    """What is wrong, and what exists or was expected."""
    hint: str = ""
    """What to do next."""
    faults: tuple[str, ...] = ()
    """Every single fault, a sentence each, where there are several."""
    request_id: str
    """Names this request in the server's log."""


ERRORS: dict[int | str, dict[str, Any]] = {"default": {"model": ErrorBody, "description": "It was not done."}}
"""What every route may answer besides its own success."""


def answer_errors(app: FastAPI) -> None:
    """Make an application answer with `ErrorBody` for everything that goes wrong in it."""
    app.add_exception_handler(HeadraceError, _on_purpose)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(HTTPException, _by_status)


def broken(error: Exception, request_id: str) -> Response:
    """Return the answer to a request that failed by our fault. The error is logged whole; its id goes out."""
    _log.error("request failed [%s]", request_id, exc_info=error)
    body = ErrorBody(
        code="internal",
        message="Something went wrong here.",
        hint=f"Nothing was changed by this call. The log names it {request_id}.",
        request_id=request_id,
    )
    return _shown(500, body)


def _on_purpose(request: Request, error: Exception) -> Response:
    assert isinstance(error, HeadraceError)
    body = ErrorBody(
        code=error.code,
        message=error.message,
        hint=error.hint,
        faults=tuple(map(str, getattr(error, "faults", ()) or getattr(error, "conflicts", ())))[:_MOST_FAULTS],
        request_id=_id_of(request),
    )
    return _shown(error.status, body)


def _unreadable(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    faults = tuple(_faults(error.errors()))
    broken_json = any(each["type"] == "json_invalid" for each in error.errors())
    body = ErrorBody(
        code="broken_json" if broken_json else "bad_request",
        message="The body is not whole JSON."
        if broken_json
        else "The request does not have the form that is taken here.",
        hint="Mend what the faults name; docs/reference/http.md lists what each call takes.",
        faults=faults[:_MOST_FAULTS],
        request_id=_id_of(request),
    )
    return _shown(400 if broken_json else 422, body)


def _faults(errors: Iterable[Any]) -> Iterable[str]:
    for error in errors:
        place = ".".join(str(part) for part in error["loc"] if part != "body")
        yield f"{place}: {error['msg']}" if place else error["msg"]


def _by_status(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status = HTTPStatus(error.status_code)
    hints = {
        404: "Look at docs/reference/http.md for what there is.",
        405: "Look at docs/reference/http.md for the methods that it takes.",
    }
    body = ErrorBody(
        code=status.phrase.lower().replace(" ", "_").replace("-", "_"),
        message={404: "There is nothing here.", 405: "This method is not taken here."}.get(status, status.phrase + "."),
        hint=hints.get(status, ""),
        request_id=_id_of(request),
    )
    return _shown(status, body, headers=error.headers)


def _shown(status: int, body: ErrorBody, headers: Any = None) -> Response:
    return JSONResponse(body.model_dump(mode="json"), status_code=status, headers=headers)


def _id_of(request: Request) -> str:
    return getattr(request.state, "request_id", "")
