"""Templates and the chart that finds where they fit."""

from __future__ import annotations

from typing import Any

import pytest

from headrace.assistant.models.offline.grammar import Chart, Grammar, Match, Rule, compiled, verb_forms
from headrace.assistant.models.offline.tokens import tokenize


def readings(template: str, text: str) -> list[tuple[int, Any]]:
    """Return where a template with the terminal `{n}` for numbers ends in a text, and what it bound."""
    tokens = tokenize(text)

    def number(at: int) -> list[Match]:
        return [Match(at + 1, tokens[at].value)] if at < len(tokens) and tokens[at].kind == "number" else []

    chart = Chart(Grammar([Rule("it", template, lambda **bound: tuple(sorted(bound.items())))]), tokens, {"n": number})
    return [(match.end, match.meaning) for match in chart.at("it", 0)]


def test_words_choices_and_optional_parts() -> None:
    assert readings("(keep|show) [only] first {n} row", "show first 3 rows") == [(4, (("n", 3),))]
    assert readings("(keep|show) [only] first {n} row", "keep only first 3 row") == [(5, (("n", 3),))]
    assert readings("(keep|show) [only] first {n} row", "drop first 3 rows") == []


def test_articles_between_the_parts_are_passed_over() -> None:
    assert readings("keep first {n}", "keep the first 3") == [(4, (("n", 3),))]


def test_a_tilde_takes_all_forms_of_a_verb_and_an_exclamation_mark_only_the_word() -> None:
    assert {"sort", "sorts", "sorted", "sorting"} <= verb_forms("sort")
    assert {"drop", "dropped", "dropping"} <= verb_forms("drop")
    assert readings("order! by {n}", "orders by 3") == []
    assert readings("order by {n}", "orders by 3")


def test_brackets_can_be_meant_literally() -> None:
    assert readings("top \\( {n} \\)", "top (3)") == [(4, (("n", 3),))]


def test_a_slot_whose_name_begins_with_a_line_is_passed_over() -> None:
    assert readings("{_x:n} of {n}", "3 of 4") == [(3, (("n", 4),))]


@pytest.mark.parametrize("template", ["(a|b", "a) b", "[a"])
def test_an_unpaired_bracket_is_refused_by_name(template: str) -> None:
    with pytest.raises(ValueError, match=r"bracket|opening"):
        compiled(template)


def test_a_rule_that_begins_with_itself_ends() -> None:
    tokens = tokenize("go go go")
    chart = Chart(Grammar([Rule("x", "{x} go", lambda x: x), Rule("x", "go", lambda: 1)]), tokens, {})
    assert [match.end for match in chart.at("x", 0)] == [1]
