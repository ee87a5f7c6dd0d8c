"""Units of measure as people say them and as column names carry them, and how they convert. Knows no currency rates."""

from __future__ import annotations

from collections.abc import Iterable

_TABLE = """
length | mm .001 | millimetre .001 | millimeter .001 | cm .01 | centimetre .01 | centimeter .01 | m 1 | metre 1 | meter 1 | km 1000
length | kilometre 1000 | kilometer 1000 | inch .0254 | foot .3048 | ft .3048 | mile 1609.344
weight | mg .001 | g 1 | gram 1 | kg 1000 | kilo 1000 | kilogram 1000 | t 1000000 | ton 1000000 | tonne 1000000 | lb 453.59237 | pound 453.59237
time | ms .001 | sec 1 | s 1 | second 1 | min 60 | minute 60 | h 3600 | hr 3600 | hour 3600 | day 86400 | week 604800
volume | ml .001 | l 1 | liter 1 | litre 1
euro | eur 1 | euro 1
dollar | usd 1 | dollar 1
sterling | gbp 1
degrees | celsius 1 | c 1
percent | percent 1 | pct 1
volt | volt 1 | v 1
power | kw 1
energy | kwh 1
"""
MONEY = frozenset({"euro", "dollar", "sterling"})


def _read() -> dict[str, tuple[str, float]]:
    units = {}
    for line in _TABLE.strip().splitlines():
        dimension, *parts = (part.strip() for part in line.split("|"))
        for part in parts:
            name, factor = part.split()
            units[name] = (dimension, float(factor))
    return units


UNITS = _read()


def dimension(unit: str) -> str:
    """Return what a unit measures; empty where it is none."""
    return UNITS[unit][0] if unit in UNITS else ""


def unit_in(words: Iterable[str]) -> str:
    """Return the unit that a column's name carries: its last word that is one; `min` is one only beside another word."""
    found = [word for word in words if word in UNITS]
    return found[-1] if found else ""


def converted(value: float, unit: str, into: str) -> float | None:
    """Return a value in another unit; None where the two do not measure the same."""
    if dimension(unit) != dimension(into):
        return None
    return round(value * UNITS[unit][1] / UNITS[into][1], 9)
