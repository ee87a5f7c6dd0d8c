"""The attacks on the border between browser and server, and on paths: data that the tests multiply with the inventory."""

from __future__ import annotations

from pathlib import Path

from tests.safety.calls import HOST, Headers

HOSTS: tuple[Headers, ...] = (
    (),
    *(
        (("host", name),)
        for name in (
            "evil.example",
            "evil.example:8765",
            "127.0.0.1",
            "127.0.0.1:80",
            "127.0.0.1:9999",
            "127.0.0.1:08765",
            "127.0.0.1:8765.evil.example",
            "127.0.0.1.evil.example:8765",
            "localhost.:8765",
            "LOCALHOST:8765",
            "sub.localhost:8765",
            "user@127.0.0.1:8765",
            "127.0.0.1:8765@evil.example",
            "127.1:8765",
            "2130706433:8765",
            "0x7f000001:8765",
            "0.0.0.0:8765",
            "[::ffff:127.0.0.1]:8765",
            "[::1]",
            "::1:8765",
            "127.0.0.1:8765, evil.example",
            " 127.0.0.1:8765",
            "",
            "null",
        )
    ),
    (("host", HOST), ("host", "evil.example")),
    (("host", "evil.example"), ("x-forwarded-host", HOST)),
    (("host", "evil.example"), ("forwarded", f"host={HOST}")),
)
"""Hosts that are not this server's, and ways to say a right one beside a wrong one."""

ORIGINS: tuple[str, ...] = (
    "null",
    "http://evil.example",
    "https://evil.example",
    f"https://{HOST}",
    "http://127.0.0.1",
    "http://127.0.0.1:80",
    "http://127.0.0.1:9999",
    f"http://{HOST}/",
    f"http://{HOST}.evil.example",
    f"http://{HOST}@evil.example",
    f"http://evil.example/http://{HOST}",
    "http://127.0.0.1.evil.example:8765",
    "http://evil127.0.0.1:8765",
    "http://localhost.:8765",
    "HTTP://LOCALHOST:8765",
    "http://LOCALHOST:8765",
    "http://sub.localhost:8765",
    "http://user@localhost:8765",
    "http://[::1]",
    "http://0.0.0.0:8765",
    "http://127.1:8765",
    "file://",
    "chrome-extension://abcdefghijklmnop",
    f"http://{HOST}, http://evil.example",
    "",
)

SITES: tuple[Headers, ...] = tuple(
    (("sec-fetch-site", site), ("sec-fetch-mode", mode), ("sec-fetch-dest", destination))
    for site in ("cross-site", "same-site", "SAME-ORIGIN", "same-origin, cross-site", "")
    for mode, destination in (("no-cors", "empty"), ("cors", "empty"), ("navigate", "document"), ("no-cors", "image"))
)

CONTENT_TYPES: tuple[tuple[str, ...], ...] = (
    (),
    ("text/plain",),
    ("text/plain; application/json",),
    ("application/x-www-form-urlencoded",),
    ("multipart/form-data; boundary=x",),
    ("text/json",),
    ("application/jsonx",),
    ("application/json, text/plain",),
    ("application/json; charset=utf-16",),
    ("application/json; boundary=x",),
    ("application/ld+json",),
    ("",),
    ("application/json", "text/plain"),
    ("text/plain", "application/json"),
)

NO_HEADER: tuple[Headers, ...] = (
    (),
    (("x-headrace", ""),),
    (("x-headrace", "0"),),
    (("x-headrace", "1, 1"),),
    (("x-headrace", "1"), ("x-headrace", "1")),
    (("x_headrace", "1"),),
    (("x-http-method-override", "GET"),),
    (("x-requested-with", "XMLHttpRequest"),),
)

TOKENS: tuple[Headers, ...] = (
    (),
    (("authorization", "Bearer "),),
    (("authorization", "Bearer wrong-wrong-wrong-wrong"),),
    (("authorization", "bearer TOKEN"),),
    (("authorization", "Basic TOKEN"),),
    (("authorization", "TOKEN"),),
    (("authorization", "Bearer TOKEN"), ("authorization", "Bearer TOKEN")),
    (("authorization", "Bearer TOKEN extra"),),
    (("cookie", "token=TOKEN"),),
    (("cookie", "headrace_token=wrong"),),
    (("x-headrace-token", "TOKEN"),),
    (("x-api-key", "TOKEN"),),
)
"""Positions and forms in which a token is not taken; TOKEN stands for the right one."""

_CANARY = "canary.csv"
_UP = ("..", "%2e%2e", "%252e%252e", "..%00", ". .", "...", "..;", "．．", "‥", "\u2024\u2024", "%c0%ae%c0%ae")
_SLASHES = ("/", "\\", "%2f", "%5c", "%252f", "//", "\u2215", "\u2044", "／")

HOSTILE_PATHS: tuple[str, ...] = tuple(
    dict.fromkeys(
        (
            *(f"{up}{slash}outside{slash}{_CANARY}" for up in _UP for slash in _SLASHES),
            *(f"{'../' * depth}outside/{_CANARY}" for depth in range(2, 12)),
            f"sub/../../outside/{_CANARY}",
            f"./../outside/{_CANARY}",
            f"orders.csv/../../outside/{_CANARY}",
            f"/../outside/{_CANARY}",
            "{outside}/canary.csv",
            "/{outside}/canary.csv",
            "//{outside}/canary.csv",
            "file://{outside}/canary.csv",
            "file:{outside}/canary.csv",
            "{files}-sibling/canary.csv",
            "../files-sibling/canary.csv",
            "link_to_canary.csv",
            "link_to_outside/canary.csv",
            "link_to_outside",
            "*/canary.csv",
            "**/canary.csv",
            "../**/*.csv",
            "link_*/canary.csv",
            "link_to_canary.*",
            "{outside}/*.csv",
            "[.][.]/outside/canary.csv",
            "..*/outside/canary.csv",
            "?./outside/canary.csv",
            "~/canary.csv",
            "~root/canary.csv",
            "$HOME/canary.csv",
            "${HOME}/canary.csv",
            "%HOME%/canary.csv",
            "C:\\canary.csv",
            "C:/canary.csv",
            "c:canary.csv",
            "\\\\server\\share\\canary.csv",
            "//server/share/canary.csv",
            "\\\\?\\C:\\canary.csv",
            "\\\\.\\pipe\\canary",
            "canary.csv::$DATA",
            "orders.csv:hidden",
            "CON",
            "con.csv",
            "NUL.csv",
            "AUX",
            "COM1.csv",
            "LPT1",
            "/dev/stdin",
            "/dev/zero",
            "/dev/fd/0",
            "/proc/self/environ",
            "/proc/self/cmdline",
            "/proc/self/root{outside}/canary.csv",
            "/proc/self/cwd/canary.csv",
            "/etc/passwd",
            "/etc/hosts",
            "pipe.csv",
            "socket.csv",
            ".hidden.csv",
            ".hidden/canary.csv",
            "sub/.hidden.csv",
            "canary.csv\0.csv",
            "\0",
            "orders.csv\0",
            "can\u202eary.csv",
            "orders.csv\n",
            "orders.csv\r",
            "orders.csv ",
            "orders.csv.",
            " ../outside/canary.csv",
            "",
            " ",
            ".",
            "..",
            "/",
            "//",
            "a" * 300 + ".csv",
            "a/" * 600 + "canary.csv",
            "x" * 5000,
            "http://127.0.0.1:9/canary.csv",
            "https://evil.example/canary.csv",
            "s3://bucket/canary.csv",
            "ftp://evil.example/canary.csv",
            "hf://datasets/canary.csv",
            "gs://bucket/canary.csv",
            "azure://container/canary.csv",
            "duckdb:canary.db",
            "sqlite:canary.db",
            "postgres:host=evil.example",
            "md:canary",
            "data:text/csv,a",
            "jar:file:{outside}/canary.zip!/canary.csv",
            "zip://{outside}/canary.zip/canary.csv",
            "orders.csv'; ATTACH '{outside}/canary.db' AS c; --",
            "orders.csv') UNION SELECT * FROM read_csv('{outside}/canary.csv') --",
            "['{outside}/canary.csv']",
            "orders.csv,{outside}/canary.csv",
            "\ud800.csv",
        )
    )
)
"""Paths that must reach nothing outside; {outside} and {files} stand for the real folders."""


def hostile(outside: Path, files: Path) -> tuple[str, ...]:
    """Return the hostile paths for real folders."""
    return tuple(path.replace("{outside}", str(outside)).replace("{files}", str(files)) for path in HOSTILE_PATHS)
