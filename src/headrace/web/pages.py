"""The built web app as files, and the page that stands in for it where it was not built.

Files under /assets carry their hash in the name and may be kept for ever; every other path shows the app.
"""

from __future__ import annotations

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from .gate import COOKIE, ENTER, same_token, under_api

_FOR_EVER = "public, max-age=31536000, immutable"
_NOT_BUILT = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Headrace</title>
<h1>Headrace is running, its web app is not built</h1>
<p>The API answers under <code>/api</code>. To build the web app, stop this server and call <code>make run</code> in the
working copy; it needs Node 20.19 or later.</p>
</html>
"""
_NOT_THE_ONE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Headrace</title>
<h1>This is not this server's token</h1>
<p>Open the address that <code>headrace serve</code> printed when it started.</p>
</html>
"""


class Pages:
    """Answers every path outside the API."""

    def __init__(self, folder: Path, *, token: str = "") -> None:
        self._token = token
        self._index = folder / "index.html"
        self._files = StaticFiles(directory=folder, check_dir=False, follow_symlink=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a file, the app's page, or 404."""
        if scope["type"] != "http":
            return
        response = await self._answer(scope)
        await response(scope, receive, send)

    async def _answer(self, scope: Scope) -> Response:
        path: str = scope["path"]
        if under_api(path):
            raise HTTPException(404)
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        if path == ENTER:
            return self._enter(Request(scope))
        if not self._index.is_file():
            return HTMLResponse(_NOT_BUILT, status_code=503)
        response = await self._file(path, scope)
        if response is None:
            if path.startswith("/assets/"):
                raise HTTPException(404)
            response = await self._file("/index.html", scope)
        if response is None:
            raise HTTPException(404)
        hashed = path.startswith("/assets/")
        response.headers["Cache-Control"] = _FOR_EVER if hashed else "no-cache"
        return response

    async def _file(self, path: str, scope: Scope) -> Response | None:
        name = path.removeprefix("/") or "index.html"
        if "\0" in name or "\\" in name:
            return None
        try:
            return await self._files.get_response(name, scope)
        except HTTPException as error:
            if error.status_code in (401, 404):
                return None
            raise

    def _enter(self, request: Request) -> Response:
        if not self._token:
            return RedirectResponse("/", status_code=303)
        if not same_token(request.query_params.get("token", ""), self._token):
            return HTMLResponse(_NOT_THE_ONE, status_code=401)
        answer = RedirectResponse("/", status_code=303)
        answer.set_cookie(COOKIE, self._token, httponly=True, samesite="strict", path="/")
        return answer
