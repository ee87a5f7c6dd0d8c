"""Names in configs met with columns: what is meant, what was probably meant, and the config that would mend it."""

from __future__ import annotations

import pytest

from headrace.nodes.columns import bind, exact, refuse_doubles, written
from headrace.nodes.expressions import sql
from headrace.nodes.spec import Fault, NodeFault
from tests.nodes.workbench import table

ORDERS = table(**{"amount": "DOUBLE", "First Name": "VARCHAR", "Date": "DATE", "who": "STRUCT(age INTEGER)"})
PATH = ("condition",)


def faults(text: str) -> tuple[Fault, ...]:
    """Return what is wrong with an expression over the orders."""
    with pytest.raises(NodeFault) as caught:
        bind(text, ORDERS, path=PATH)
    assert all(fault.path == PATH for fault in caught.value.faults)
    return caught.value.faults


class TestBinding:
    @pytest.mark.parametrize(
        ("text", "bound"),
        [
            ("AMOUNT > 1", '"amount" > 1'),
            ('"first name" = date', '"First Name" = "Date"'),
            ("who.age", "STRUCT_EXTRACT(\"who\", 'age')"),
            ("amount", '"amount"'),
            ("sum(amount) over (partition by date)", 'SUM("amount") OVER (PARTITION BY "Date")'),
        ],
    )
    def test_names_become_those_of_the_table(self, text: str, bound: str) -> None:
        assert sql(bind(text, ORDERS, path=PATH)) == bound

    def test_every_unknown_name_is_listed_once(self) -> None:
        found = faults("amuont > 1 and amuont < 5 and frist_name = 'x'")
        assert [fault.code for fault in found] == ["F401", "F401"]

    @pytest.mark.parametrize(
        ("text", "mended"),
        [
            ("amuont > 1 and amuont < 5", "amount > 1 and amount < 5"),
            ("first_name = 'first_name'", "\"First Name\" = 'first_name'"),
            ("orders.amount > 1", "amount > 1"),
            ("round(amuont,1)>1", "round(amount,1)>1"),
        ],
    )
    def test_a_suggestion_is_the_whole_expression_mended(self, text: str, mended: str) -> None:
        suggestion = faults(text)[0].suggestions[0]
        assert (suggestion.path, suggestion.value) == (PATH, mended)

    def test_double_quotes_around_a_text_are_seen_through(self) -> None:
        (fault,) = faults('"First Name" = "Ada"')
        assert "single" not in fault.message.lower() or "'Ada'" in fault.message
        assert fault.suggestions[-1].value == "\"First Name\" = 'Ada'"

    def test_a_function_of_that_name_is_not_replaced(self) -> None:
        (fault,) = faults("abs(abz) + abz")
        assert all("abs(" in suggestion.value for suggestion in fault.suggestions)

    def test_wide_tables_are_listed_in_part(self) -> None:
        wide = table(**{f"column_{n}": "BIGINT" for n in range(500)})
        with pytest.raises(NodeFault, match="and 488 more"):
            bind("nothing_like_it", wide, path=PATH)


class TestNames:
    def test_case_does_not_matter_and_the_tables_spelling_comes_out(self) -> None:
        assert exact([("AMOUNT", PATH), ("date", PATH)], ORDERS) == ("amount", "Date")

    def test_each_unknown_one_has_its_own_place(self) -> None:
        with pytest.raises(NodeFault) as caught:
            exact([("amuont", ("by", "0")), ("amount", ("by", "1")), ("dat", ("by", "2"))], ORDERS)
        found = caught.value.faults
        assert [fault.path for fault in found] == [("by", "0"), ("by", "2")]
        assert [fault.suggestions[0].value for fault in found] == ["amount", "Date"]

    def test_two_columns_of_one_name_are_refused_whatever_their_case(self) -> None:
        with pytest.raises(NodeFault) as caught:
            refuse_doubles([("a", ("x",)), ("A", ("y",)), (" ", ("z",))])
        assert [(fault.code, fault.path) for fault in caught.value.faults] == [("F406", ("y",)), ("F303", ("z",))]

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("amount", "amount"),
            ("First Name", '"First Name"'),
            ("select", '"select"'),
            ('a"b', '"a""b"'),
            ("if", '"if"'),
            ("1st", '"1st"'),
        ],
    )
    def test_a_name_is_written_so_that_it_can_be_read(self, name: str, text: str) -> None:
        assert written(name) == text
