"""Answers every request of the request set with `headrace build` and counts: `make eval [MODEL=URL] [ARGS="--only ID …"]`.

A case is right when every turn of it is. Each turn is judged on a run of its own, from an empty flow, in a fresh folder that holds
only the case's files. Exit code 0 whatever the count; 2 when the harness itself cannot work.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import json
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".make" / "eval"
OUTCOMES = ("right", "asked", "wrong", "error")
MADE = "flights.csv"
"""The one file that is made and not stored."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one case."""

    case_id: str
    kind: str
    difficulty: int
    outcome: str
    """right · asked (asked back or declined, nothing passed off) · wrong · error."""
    turn: int
    """The first turn that is not right, from 1; 0 where all are."""
    why: str
    reply: str
    seconds: float
    tokens: int


def main() -> int:
    """Run the evaluation."""
    options = _options()
    folder: Path = options.requests
    if not (folder / "compare.py").exists():
        print(
            f"There is no request set at {folder}. Name its folder: scripts/eval.py --requests FOLDER", file=sys.stderr
        )
        return 2
    compare = _load(folder)
    cases = [case for case in compare.load_cases().values() if not options.only or case["id"] in options.only]
    if any(MADE in case["files"] for case in cases):
        _make_flights(folder)
    jobs = [(str(folder), case, options.model) for case in cases]
    with ProcessPoolExecutor(options.jobs) as pool:
        verdicts = list(pool.map(judged, jobs))
    _print(verdicts, verbose=options.verbose)
    if options.json:
        options.json.write_text(
            json.dumps([asdict(v) for v in verdicts], indent=1, ensure_ascii=False), encoding="utf-8"
        )
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--requests", type=Path, default=ROOT.parent / "shared" / "requests", help="folder of the request set")
    add(
        "--model",
        default="",
        help="a model's name, or the address of an OpenAI-compatible endpoint; else the offline planner",
    )
    add("--only", nargs="+", default=[], metavar="ID", help="only these cases")
    add("--json", type=Path, help="write all verdicts to this file")
    add("--jobs", type=int, default=2)
    add("--verbose", action="store_true", help="show the replies of what is not right")
    return parser.parse_args()


def _load(folder: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("compare", folder / "compare.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _make_flights(folder: Path) -> None:
    if (CACHE / MADE).exists():
        return
    CACHE.mkdir(parents=True, exist_ok=True)
    maker = importlib.util.spec_from_file_location("make_flights", folder / "data" / "make_flights.py")
    assert maker is not None
    assert maker.loader is not None
    module = importlib.util.module_from_spec(maker)
    maker.loader.exec_module(module)
    with contextlib.redirect_stdout(sys.stderr):
        module.main(["--out", str(CACHE)])


# --- one case ---------------------------------------------------------------------------------------------------------


def judged(job: tuple[str, dict[str, Any], str]) -> Verdict:
    """Return the verdict on one case."""
    folder, case, model = Path(job[0]), job[1], job[2]
    compare, begun, tokens, reply = _load(folder), time.perf_counter(), 0, ""
    outcome, turn, why = "right", 0, ""
    for number, expected in enumerate(case["expect"], 1):
        with tempfile.TemporaryDirectory() as work:
            told, failure = _built(folder, case, number, work=Path(work), model=model)
            tokens += (told.get("usage") or {}).get("tokens") or 0
            reply = told.get("reply", "")
            reasons = [failure] if failure else _reasons(compare, expected, told, work=Path(work))
            if reasons:
                outcome, turn, why = _outcome(told, expected, failed=bool(failure)), number, "; ".join(reasons)
                break
    seconds = time.perf_counter() - begun
    return Verdict(case["id"], case["kind"], case["difficulty"], outcome, turn, why, reply, round(seconds, 2), tokens)


def _built(folder: Path, case: dict[str, Any], number: int, *, work: Path, model: str) -> tuple[dict[str, Any], str]:
    """Say the first turns of a case to `headrace build` in a folder of its own; return what it tells."""
    from headrace.cli.main import main as headrace

    files = []
    for name in case["files"]:
        source = CACHE / name if name == MADE else folder / "data" / name
        if source.exists():
            shutil.copy(source, work / name)
        files.append(name)
    first, *then = case["turns"][:number]
    arguments = ["build", first, *(part for text in then for part in ("--then", text)), "--files", *files]
    arguments += ["--approve", "--run", "--out", "result.csv", "--json", *(["--model", model] if model else [])]
    said, before = io.StringIO(), Path.cwd()
    os.chdir(work)
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()) as complaint:
            code = headrace(arguments)
    except SystemExit as ended:
        code = int(ended.code or 0)
    except Exception as error:
        return {}, f"{type(error).__name__}: {error}"
    finally:
        os.chdir(before)
    try:
        told = json.loads(said.getvalue())
    except ValueError:
        return {}, f"exit code {code}, no JSON: {said.getvalue()[:200]} {complaint.getvalue()[:200]}"
    return told, f"status failed: {told.get('reply', '')[:200]}" if told.get("status") == "failed" else ""


def _reasons(compare: ModuleType, expected: dict[str, Any], told: dict[str, Any], *, work: Path) -> list[str]:
    """Return why a turn is not right; empty where it is."""
    result = work / "result.csv"
    charts = told.get("charts") or []
    return compare.check_turn(
        expected,
        result if result.exists() else None,
        told.get("reply", ""),
        charts[-1] if charts else None,
        work,
        inputs=work,
    )


def _outcome(told: dict[str, Any], expected: dict[str, Any], *, failed: bool) -> str:
    """Asked back or declined is honest; a table or a figure that is not right is wrong."""
    if failed:
        return "error"
    if told.get("status") == "refused":
        return "asked"
    last = (told.get("turns") or [{}])[-1]
    stands_alone = told.get("status") == "answered" and not last.get("changeset")
    looked = {call.get("name") for call in last.get("tools") or ()} & {
        "scratch_run",
        "profile_columns",
        "preview_table",
    }
    if stands_alone and ("data" in expected or "chart" in expected or not looked):
        return "asked"
    return "wrong"


# --- the count --------------------------------------------------------------------------------------------------------


def _print(verdicts: list[Verdict], *, verbose: bool) -> None:
    for title, key in (("kind", lambda v: v.kind), ("difficulty", lambda v: str(v.difficulty))):
        print(f"{title:<12}" + "".join(f"{outcome:>8}" for outcome in OUTCOMES) + f"{'all':>8}")
        for value in sorted({key(v) for v in verdicts}):
            _line(value, [v for v in verdicts if key(v) == value])
        print()
    _line("all", verdicts)
    seconds = sorted(v.seconds for v in verdicts)
    if seconds:
        print(
            f"\nSeconds a case: median {seconds[len(seconds) // 2]:.1f}, longest {seconds[-1]:.1f}. Tokens: {sum(v.tokens for v in verdicts):,}."
        )
    rest = [v for v in verdicts if v.outcome != "right"]
    if rest:
        print("\nWhat is not right, and why:")
    for verdict in sorted(rest, key=lambda v: (OUTCOMES.index(v.outcome), v.case_id)):
        print(f"  {verdict.outcome:<6}{verdict.case_id} turn {verdict.turn}: {verdict.why[:160]}")
        if verbose or verdict.outcome == "asked":
            print(f"          it said: {' '.join(verdict.reply.split())[: 900 if verbose else 160]}")


def _line(title: str, verdicts: list[Verdict]) -> None:
    counts = Counter(v.outcome for v in verdicts)
    print(f"{title:<12}" + "".join(f"{counts[outcome]:>8}" for outcome in OUTCOMES) + f"{len(verdicts):>8}")


if __name__ == "__main__":
    sys.exit(main())
