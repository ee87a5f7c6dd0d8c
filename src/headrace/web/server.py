"""The HTTP application: routes, errors, guard and pages put together around the parts that `headrace.app` hands in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from starlette.middleware.gzip import GZipMiddleware

import headrace

from .errors import ERRORS, answer_errors
from .gate import Gate
from .guard import Guard
from .pages import Pages
from .parts import Parts
from .routes import about, catalog, changesets, chats, events, files, flows, runs

STATIC = Path(headrace.__file__).parent / "static"
"""Where the built web app lies."""
_ROUTERS = (about, catalog, flows, changesets, runs, files, chats, events)


def make_app(parts: Parts, gate: Gate, *, static: Path = STATIC) -> FastAPI:
    """Return the application; nothing is started."""
    app = _bare()
    app.state.parts = parts
    app.router.default = Pages(static, token=gate.token)
    # The last one added stands outermost.
    app.add_middleware(GZipMiddleware, minimum_size=1024)
    app.add_middleware(Guard, gate=gate)
    return app


def describe_api() -> dict[str, Any]:
    """Return the API as an OpenAPI document; nothing is started and nothing on disk is touched."""
    described = _bare().openapi()
    stream = described["paths"]["/api/events"]["get"]["responses"]["200"]["content"]["text/event-stream"]
    # By name as well, so that clients that are made from this document have a type for it.
    described["components"]["schemas"]["StreamEvent"] = stream["itemSchema"]["properties"]["data"]["contentSchema"]
    return described


def _bare() -> FastAPI:
    app = FastAPI(
        title="Headrace",
        version=headrace.__version__,
        summary="Flows of tables, and an assistant that edits them with you.",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        generate_unique_id_function=_operation_id,
        responses=ERRORS,
    )
    answer_errors(app)
    api = APIRouter(prefix="/api")
    for room in _ROUTERS:
        api.include_router(room.router)
    app.include_router(api)
    return app


def _operation_id(route: APIRoute) -> str:
    return route.name
