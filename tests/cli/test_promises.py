"""What a terminal is told beside the reply: claims that nothing shows, what left for a provider, and what would leave."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from headrace.assistant.models.scripted import Say
from headrace.cli.arguments import COMMANDS
from headrace.cli.ending import EMPTY
from tests.assistant.provider import Provider, provider
from tests.cli.terminal import ORDERS, Terminal

# The first call in a process loads what the command needs, which takes its time on a busy machine.
pytestmark = pytest.mark.timeout(30)
CONTRACT = {"status", "reply", "changeset", "revision", "flow", "run", "charts", "files", "usage"}


@pytest.fixture
def answering(terminal: Terminal) -> Iterator[Provider]:
    """Lend a provider, and a file for it to be asked about."""
    terminal.write("orders.csv", ORDERS)
    with provider() as lent:
        yield lent


def test_a_claim_that_nothing_shows_is_marked_in_words_and_in_the_object(
    terminal: Terminal, answering: Provider
) -> None:
    answering.answers.extend([Say("I saved it to out.csv."), Say("I saved it to out.csv.")])
    said = terminal.call("build", "save it", "--model", answering.url)
    assert "Unverified: the reply says “saved”" in said.out
    told = terminal.call("build", "save it", "--model", answering.url, "--json").json()
    assert (told["unverified"], told["claims"], told["records"]) == (True, ["saved"], [])
    assert told["turns"][0]["unverified"]


def test_what_left_is_told_with_its_size(terminal: Terminal, answering: Provider) -> None:
    said = terminal.call("build", "hello", "--model", answering.url, "--share", "columns")
    origin = answering.url.removesuffix("/v1")
    assert f"Sent to {origin}: names and types of columns; {round(len(answering.got[0]) / 1000)} KB." in said.out
    assert "coffee" not in answering.heard
    sent = terminal.call("build", "hello", "--model", answering.url, "--json").json()["sent"]
    assert sent == {
        "provider": origin,
        "kinds": ["columns", "values"],
        "bytes": len(answering.got[1]),
        "requests": 1,
    }


def test_the_briefing_is_shown_byte_for_byte_and_nothing_is_sent(terminal: Terminal, answering: Provider) -> None:
    words = ("--model", answering.url, "--share", "columns")
    shown = terminal.call("build", "--show-briefing", *words)
    assert (shown.code, answering.got) == (0, [])
    assert "product VARCHAR" in shown.out
    assert "coffee" not in shown.out
    terminal.call("build", "hello", *words)
    [parts] = [each["content"] for each in json.loads(answering.got[0])["messages"] if each["role"] == "user"]
    assert shown.out.removesuffix("\n") in [part["text"] for part in parts]
    assert "'coffee'" in terminal.call("build", "--show-briefing", "--model", answering.url).out


def test_what_is_shared_may_be_set_in_the_environment_and_a_word_that_is_none_is_refused(
    terminal: Terminal, answering: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADRACE_SHARE", "columns")
    terminal.call("build", "hello", "--model", answering.url)
    assert "coffee" not in answering.heard
    monkeypatch.setenv("HEADRACE_SHARE", "nothing")
    said = terminal.call("build", "hello", "--model", answering.url)
    assert (said.code, len(answering.got)) == (3, 1)
    assert "columns, values, rows" in said.err
    assert terminal.call("build", "x", "--share", "all").code == 2


@pytest.mark.parametrize(
    "words",
    [
        ("build",),
        ("build", "x", "--nope"),
        ("build", "x", "--files", "none.csv"),
        ("build", "x", "--model", "none"),
        ("build", "x", "--flow", "none.json"),
        ("build", "x", "--out", "x.doc"),
        ("run", "none.json"),
        ("run", "a.json", "--nope"),
        ("check", "none.json"),
    ],
)
def test_a_call_that_comes_to_nothing_prints_the_same_keys(terminal: Terminal, words: tuple[str, ...]) -> None:
    said = terminal.call(*words, "--json")
    told: dict[str, Any] = said.json()
    assert said.code in (2, 3)
    assert told["status"] == "failed"
    assert told.keys() >= EMPTY[words[0]].keys()
    assert words[0] != "build" or told.keys() >= CONTRACT
    assert told["error"]["message"] in said.err


def test_what_is_empty_is_described_for_commands_that_there_are() -> None:
    assert EMPTY.keys() <= COMMANDS.keys()
    assert EMPTY["build"].keys() >= CONTRACT - {"status"}


def test_a_file_that_is_not_there_names_those_that_are_near(terminal: Terminal) -> None:
    terminal.write("orders.csv", ORDERS)
    said = terminal.call("build", "x", "--files", "order.csv", "nothing.csv")
    assert "There are no files 'order.csv', 'nothing.csv'." in said.err
    assert "Near it: 'orders.csv'." in said.err


def test_a_turn_that_ends_without_a_change_ends_without_an_empty_line(terminal: Terminal, answering: Provider) -> None:
    answering.answers.append(Say("There are four orders."))
    out = terminal.call("build", "how many?", "--model", answering.url).out
    assert out.endswith(".\n")
    assert not out.endswith("\n\n")
