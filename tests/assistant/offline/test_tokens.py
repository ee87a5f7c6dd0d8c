"""How a request falls apart into tokens."""

from __future__ import annotations

from datetime import date

import pytest

from headrace.assistant.models.offline.tokens import Token, lemma, tokenize


def read(text: str, *paths: str) -> list[tuple[str, str]]:
    """Return kind and word of each token."""
    return [(token.kind, token.word) for token in tokenize(text, paths)]


def only(text: str) -> Token:
    """Return the one token of a text."""
    (token,) = tokenize(text)
    return token


@pytest.mark.parametrize(
    ("text", "value"),
    [("1,200.50", 1200.5), ("$20", 20), ("3rd", 3), ("twelve", 12), (".5", 0.5), ("2024", 2024)],
)
def test_numbers_are_read_as_people_write_them(text: str, value: float) -> None:
    assert (only(text).kind, only(text).value) == ("number", value)


def test_quotes_hold_together_and_an_apostrophe_is_none() -> None:
    tokens = tokenize('title is "Rivers, and Rain" of Olga\'s')
    assert [token.value for token in tokens if token.kind == "quoted"] == ["Rivers, and Rain"]
    assert tokens[-1].word == "olga"
    assert tokens[-1].possessive


def test_a_file_name_with_spaces_is_one_token_where_it_is_known() -> None:
    assert read("sum field notes.csv by day", "field notes.csv")[1] == ("file", "field notes.csv")


def test_a_quoted_file_name_is_a_file() -> None:
    assert read('in "field notes.csv"')[1] == ("file", "field notes.csv")


@pytest.mark.parametrize(
    ("text", "day", "sure"),
    [
        ("2024-03-05", date(2024, 3, 5), "day"),
        ("13/05/2024", date(2024, 5, 13), "day"),
        ("03/05/2024", date(2024, 3, 5), "unsure"),
    ],
)
def test_dates_say_whether_they_are_sure(text: str, day: date, sure: str) -> None:
    assert only(text).value == (day, sure)


def test_decades_and_contractions() -> None:
    assert only("1990s").value == 1990
    assert [word for _, word in read("what's not isn't")] == ["what", "is", "not", "is", "not"]


def test_a_hyphen_joins_words_and_is_remembered() -> None:
    tokens = tokenize("year-over-year S-01")
    assert [token.word for token in tokens] == ["year", "over", "year", "s", "01"]
    assert tokens[4].hyphen


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        ("categories", "category"),
        ("boxes", "box"),
        ("people", "person"),
        ("status", "status"),
        ("species", "species"),
        ("glass", "glass"),
    ],
)
def test_words_are_brought_to_the_singular(plural: str, singular: str) -> None:
    assert lemma(plural) == singular
