"""Which columns the words of a request can mean."""

from __future__ import annotations

import pytest

from headrace.assistant.models.offline.fields import Field, Fields, kind_of, stem, typo, words_of
from headrace.assistant.models.offline.tokens import tokenize

FIELDS = Fields(
    [
        Field("wing_length_mm", "number", ("bats.csv",)),
        Field("bodyMass", "number", ("bats.csv",)),
        Field("Caught On", "date", ("bats.csv",)),
        Field("dep_delay", "number", ("rides.csv",)),
        Field("arr_delay", "number", ("rides.csv",)),
        Field("Wage (EUR)", "number", ("people.csv",)),
        Field("incomePerCap", "number", ("people.csv",)),
        Field("colony", "text", ("bats.csv",)),
    ]
)


def meant(text: str) -> tuple[str, ...]:
    """Return the columns that all the words of a text can mean."""
    tokens = tokenize(text)
    fits = [match for match in FIELDS.matches(tokens, 0) if match.end == len(tokens)]
    return min(fits, key=lambda match: match.cost).meaning.names if fits else ()


@pytest.mark.parametrize(
    ("words", "column"),
    [
        ("wing length", "wing_length_mm"),
        ("wing_length_mm", "wing_length_mm"),
        ("wing", "wing_length_mm"),
        ("body mass", "bodyMass"),
        ("weight", "bodyMass"),
        ("departure delay", "dep_delay"),
        ("wage", "Wage (EUR)"),
        ("Wage (EUR)", "Wage (EUR)"),
        ("income per capita", "incomePerCap"),
        ("colonies", "colony"),
        ("bat colony", "colony"),
        ("colony name", "colony"),
        ("wagge", "Wage (EUR)"),
    ],
)
def test_people_s_words_find_the_column(words: str, column: str) -> None:
    assert meant(words) == (column,)


def test_words_that_fit_two_columns_keep_both() -> None:
    assert meant("delay") == ("dep_delay", "arr_delay")


@pytest.mark.parametrize("words", ["tax", "wing span", "number", "length of stay", "mass per colony"])
def test_words_that_fit_none_find_none(words: str) -> None:
    assert meant(words) == ()


def test_near_columns_are_named_for_an_unknown_word() -> None:
    assert FIELDS.near("colonie")[0] == "colony"


@pytest.mark.parametrize(
    ("written", "said", "slip"),
    [
        ("country", "contry", True),
        ("order", "oder", True),
        ("paid", "pair", False),
        ("rate", "date", False),
        ("films", "flims", True),
        ("city", "city", False),
    ],
)
def test_slips_of_the_fingers_are_told_from_other_words(written: str, said: str, slip: bool) -> None:
    assert typo(said, written) is slip


def test_verb_forms_meet_at_their_stem() -> None:
    assert stem("hired") == stem("hire")
    assert stem("shipped") == stem("ship")
    assert stem("ordered") == stem("order")


def test_names_fall_apart_into_words_and_types_into_kinds() -> None:
    assert words_of("bodyMassIndex_2020") == ("body", "mass", "index", "2020")
    assert [kind_of(t) for t in ("DECIMAL(9,2)", "TIMESTAMP", "VARCHAR", "BOOLEAN", "TIME", "VARCHAR[]")] == [
        "number",
        "date",
        "text",
        "bool",
        "time",
        "other",
    ]
