"""What the planner decides, given all that it knows: facts first, then an act, an answer, a question or a refusal."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated, Any, ClassVar

import pytest
from sqlglot import exp

from headrace.assistant.models.offline.planner import Planner
from headrace.assistant.models.offline.situation import Decision, FileFacts, Outcome, Situation, ValueFound
from headrace.flow.model import EMPTY, Flow
from headrace.flow.operations import apply_all, operations_from
from headrace.nodes.binder import Binder
from headrace.nodes.catalog import Catalog, standard_catalog
from headrace.nodes.context import StandardContext
from headrace.nodes.files import FileSpace
from headrace.nodes.inference import infer
from headrace.nodes.reading import sniff
from headrace.nodes.spec import Config, Context, Holds, Inputs, Slot, TableNode

from .bench_of_requests import Conversation, planner
from .test_requests import cases

TABLES = Path(__file__).parent / "tables"


def facts(path: str) -> FileFacts:
    """Return what is known of one of the invented tables."""
    found = sniff([TABLES / path])
    return FileFacts(path, found.table().columns, tuple(found.sample)[:20], found.notes)


def situation(request: str, *paths: str, **more: Any) -> Situation:
    """Return a situation with some files at hand and no value found."""
    return Situation(request, files=tuple(facts(path) for path in paths), values=more.pop("values", ()), **more)


def decide(request: str, *paths: str, **more: Any) -> Decision:
    """Return the planner's decision."""
    return planner().answer(situation(request, *paths, **more))


def operations(decision: Decision) -> list[dict[str, Any]]:
    """Return the operations of an act."""
    (call,) = decision.calls
    return list(call.arguments["operations"])


class TestFacts:
    def test_words_that_may_be_values_are_looked_up_first(self) -> None:
        decision = planner().answer(Situation("orders from Lisbon", files=(facts("orders.csv"),)))
        assert decision.kind == "need"
        assert decision.calls[0].tool == "find_values"
        assert "lisbon" in decision.calls[0].arguments["words"]

    def test_the_same_situation_gives_the_same_decision(self) -> None:
        assert decide("total quantity per city", "orders.csv") == decide("total quantity per city", "orders.csv")


class TestActing:
    def test_every_clause_is_in_the_account(self) -> None:
        decision = decide("average salary per office, highest first", "employees.csv")
        assert decision.kind == "act"
        told = {part.words: part.became for part in decision.account}
        assert told["average salary"] == "computes `average_salary`"
        assert told["per office"] == "grouped by `office`"
        assert "largest first" in told["highest first"]

    def test_what_is_assumed_is_said(self) -> None:
        decision = decide("revenue per city", "orders.csv")
        assert any(part.assumed and "quantity" in part.became for part in decision.account)

    def test_a_refused_draft_is_not_passed_off_as_done(self) -> None:
        first = decide("average salary per office", "employees.csv")
        fault = {"code": "F401", "severity": "error", "message": "There is no column 'salary'.", "where": {"node": "a"}}
        after = decide(
            "average salary per office", "employees.csv", outcomes=(Outcome(first.calls[0], {"diagnostics": [fault]}),)
        )
        assert after.kind == "ask"
        assert "There is no column 'salary'." in after.reply

    def test_an_output_never_takes_the_place_of_its_input(self) -> None:
        decision = decide("sort by salary and save as employees.csv", "employees.csv")
        assert decision.kind == "decline"
        assert "employees.csv" in decision.reply


class TestAsking:
    @pytest.mark.parametrize(
        ("request_text", "paths", "words"),
        [
            ("average price per supplier", ["orders.csv"], ["supplier", "no column", "`city`"]),
            ("sort by date", ["library_loans.csv"], ["`Borrowed`", "`Due`", "`Returned`"]),
            ("loans per month", ["library_loans.csv"], ["`Borrowed`", "`Due`", "Which"]),
            ("how many rows?", ["orders.csv", "employees.csv"], ["`orders.csv`", "`employees.csv`", "Which"]),
            ("stock by warehouse", ["inventory.csv"], ["counted", "sorted"]),
            (
                "total nights per channel, only with nights over 20",
                ["hotel_bookings.csv"],
                ["each row", "total nights"],
            ),
            ("transpose the table", ["orders.csv"], ["transpose"]),
            ("reverse the order", ["orders.csv"], ["sorted"]),
            ("average order value per city", ["orders.csv"], ["?"]),
            ("top 10", ["orders.csv"], ["By which column"]),
        ],
    )
    def test_what_is_unclear_is_asked_with_the_candidates(
        self, request_text: str, paths: list[str], words: list[str]
    ) -> None:
        decision = decide(request_text, *paths)
        assert decision.kind == "ask"
        assert [word for word in words if word not in decision.reply] == []

    def test_two_files_that_share_a_column_name_are_told_apart(self) -> None:
        decision = decide(
            "join suppliers.csv to hotel_bookings.csv on country and count bookings per supplier",
            "hotel_bookings.csv",
            "suppliers.csv",
        )
        assert decision.kind == "act"

    def test_a_part_is_never_passed_off_as_the_whole(self) -> None:
        decision = decide("average salary per office and the astrological sign of each", "employees.csv")
        assert decision.kind == "ask"
        assert "astrological" in decision.reply

    def test_one_question_at_a_time(self) -> None:
        decision = decide("wombat per supplier", "orders.csv")
        assert decision.reply.count("?") == 1


class TestDeclining:
    @pytest.mark.parametrize(
        "request_text",
        [
            "e-mail the result to Ana",
            "train a model on this",
            "forecast next year",
            "schedule this every morning",
            "scrape the web for prices",
        ],
    )
    def test_what_no_node_does_is_declined_with_what_can_be_done(self, request_text: str) -> None:
        decision = decide(request_text, "orders.csv")
        assert decision.kind == "decline"
        assert "cannot" in decision.reply
        assert "What I can do" in decision.reply

    @pytest.mark.parametrize(
        ("request_text", "language"),
        [
            ("zeige die Anzahl der Bestellungen pro Stadt", "German"),
            ("quelle est la moyenne des salaires par bureau", "French"),
            ("muestra los pedidos de Lisboa por fecha", "Spanish"),
            ("按城市统计订单数量", "another language"),
        ],
    )
    def test_other_languages_are_named(self, request_text: str, language: str) -> None:
        decision = decide(request_text, "orders.csv")
        assert decision.kind == "decline"
        assert language in decision.reply
        assert "English" in decision.reply


class Sample(TableNode):
    """Rows picked by chance: a node type that the planner has never heard of."""

    class Config(Config):
        """How many."""

        count: Annotated[int, Holds(Slot.COUNT)]
        """How many rows."""

    name = "sample"
    title = "Sample"
    summary = "Picks some rows by chance."
    area = "rows"
    synonyms = ("random",)
    phrases: ClassVar[tuple[str, ...]] = ("[take|draw] [a] random sample of {count} rows", "{count} random rows")

    def select(self, config: Any, inputs: Inputs, context: Context) -> exp.Query:
        """Return the first rows: a test needs no chance."""
        return exp.select("*").from_(inputs["in"][0].as_table()).limit(config.count)


class Spotlight(Sample):
    """Marks rows: its config is a condition, in whatever words it was said."""

    class Config(Config):
        """Which."""

        condition: Annotated[str, Holds(Slot.CONDITION)]
        """Which rows."""

    name = "spotlight"
    phrases: ClassVar[tuple[str, ...]] = ("shine~ light on {condition}",)

    def select(self, config: Any, inputs: Inputs, context: Context) -> exp.Query:
        """Return all rows."""
        return exp.select("*").from_(inputs["in"][0].as_table())


class TestNewNodeTypes:
    def test_a_node_type_that_nobody_told_the_planner_of_works_by_its_phrases(self, tmp_path: Path) -> None:
        types = Catalog([*standard_catalog().all(), Sample()])
        conversation = Conversation(TABLES, ["orders.csv"], types=types, mind=Planner(types))
        turn = conversation.say("from the paid orders draw a random sample of 7 rows, sorted by quantity descending")
        assert turn.decision.kind == "answer", turn.decision.text()
        kinds = [node["type"] for node in conversation.document["nodes"].values()]
        assert sorted(kinds) == ["filter", "read_file", "sample", "sort"]
        assert len(conversation.table()[1]) == 7

    def test_its_condition_is_written_over_the_columns_that_are_there(self) -> None:
        types = Catalog([*standard_catalog().all(), Spotlight()])
        conversation = Conversation(TABLES, ["orders.csv"], types=types, mind=Planner(types))
        turn = conversation.say("in orders.csv shine a light on quantity over 5")
        assert turn.decision.kind == "answer", turn.decision.text()
        nodes = {node["type"]: node["config"] for node in conversation.document["nodes"].values()}
        assert nodes["spotlight"] == {"condition": '"quantity" > 5'}

    def test_without_it_the_words_are_not_placed(self) -> None:
        assert decide("draw a random sample of 7 rows", "orders.csv").kind == "ask"


class TestWordSalad:
    """Requests cut up and stirred: whatever comes of them, nothing breaks and no flow with a fault is proposed."""

    @pytest.mark.parametrize("seed", range(6))
    def test_nothing_breaks(self, seed: int) -> None:
        chance = random.Random(seed)
        known = [p.values[0] for p in (*cases("requests_seen.jsonl"), *cases("requests_held_out.jsonl"))]
        catalog, context = standard_catalog(), StandardContext(FileSpace([TABLES]), Binder())
        for _ in range(40):
            one, other = chance.choice(known), chance.choice(known)
            words = one["turns"][0]["say"].split()
            words = [*words[: chance.randrange(len(words) + 1)], *chance.choices(other["turns"][0]["say"].split(), k=3)]
            request = " ".join(words)
            decision = decide(request, *one["files"], values=values_of(one["files"]))
            if decision.kind == "act":
                flow: Flow = apply_all(EMPTY, operations_from(operations(decision)))
                typings = infer(flow, catalog, context).nodes.values()
                faults = [fault.message for typing in typings for fault in typing.faults if fault.severity == "error"]
                assert not faults, (request, faults)


def values_of(paths: list[str]) -> tuple[ValueFound, ...]:
    """Return the texts in the sample rows of some files as values found."""
    found = {
        ValueFound(str(value).casefold(), path, column.name, value, 1)
        for path in paths
        for row in facts(path).rows
        for column, value in zip(facts(path).columns, row, strict=True)
        if column.type == "VARCHAR" and value
    }
    return tuple(sorted(found, key=repr))


def test_the_columns_of_the_flow_count_as_known() -> None:
    read = {"id": "read_orders", "type": "read_file", "config": {"path": "orders.csv"}}
    flow = apply_all(EMPTY, operations_from([{"op": "add_node", "node": read}]))
    decision = decide("sort by quantity", "orders.csv", flow=flow, columns={"read_orders": facts("orders.csv").columns})
    added = [each["node"] for each in operations(decision) if each["op"] == "add_node"]
    assert [node["type"] for node in added] == ["sort"]
