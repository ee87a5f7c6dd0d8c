"""What adjectives of degree compare: `heavier` speaks of a weight, `oldest` of an age or a date of birth.

General knowledge of English. `+` goes before the columns of which the adjective means much, `-` before those of little.
"""

from __future__ import annotations

from dataclasses import dataclass

from .meaning import Direction

_TABLE = """
higher highest | +
larger largest | +
bigger biggest | +
greater greatest | +
more most | +
upper uppermost | +
lower lowest | -
smaller smallest | -
fewer fewest | -
less least | -
heavier heaviest | + weight mass
lighter lightest | - weight mass
longer longest | + length duration runtime distance page time night minute
shorter shortest | - length duration runtime distance page time night minute height
taller tallest | + height
thicker thickest | + thickness depth
deeper deepest | + depth
wider widest | + width
older oldest | + age | - birth date year built founded hire
younger youngest | - age | + birth
newer newest | + date year time
later latest | + date time year
earlier earliest | - date time year
cheaper cheapest | - price cost fare fee rate
pricier priciest | + price cost fare fee rate
dearer dearest | + price cost fare fee rate
costlier costliest | + price cost fare fee rate
faster fastest | + speed velocity | - time duration minute second
slower slowest | - speed velocity | + time duration minute second
hotter hottest | + temperature
warmer warmest | + temperature
colder coldest | - temperature
cooler coolest | - temperature
wetter wettest | + precipitation humidity
drier driest | - precipitation humidity
windier windiest | + wind
richer richest | + income wealth salary gdp
poorer poorest | - income wealth salary gdp
better best | + score rating grade mark satisfaction
worse worst | - score rating grade mark satisfaction
fuller fullest | + occupancy load
farther farthest | + distance
further furthest | + distance
closer closest | - distance
nearer nearest | - distance
northerly northernmost | + latitude
southerly southernmost | - latitude
easterly easternmost | + longitude
westerly westernmost | - longitude
"""
_MOST = {"expensive": "priciest", "recent": "latest", "costly": "priciest", "distant": "farthest"}


@dataclass(frozen=True, slots=True)
class Degree:
    """Which way an adjective of degree points, and the words of columns that it can speak of, each with its own way
    (the oldest has the greatest age and the first date of birth). Without words it speaks of whatever is ordered."""

    direction: Direction
    about: tuple[tuple[str, Direction], ...]


def _read() -> tuple[dict[str, Degree], dict[str, Degree]]:
    comparatives, superlatives = {}, {}
    for line in _TABLE.strip().splitlines():
        names, *parts = (part.strip() for part in line.split("|"))
        about: list[tuple[str, Direction]] = []
        for part in parts:
            sign, *columns = part.split()
            about += [(column, "down" if sign == "+" else "up") for column in columns]
        direction: Direction = "down" if parts[0].startswith("+") else "up"
        comparative, superlative = names.split()
        comparatives[comparative] = Degree(direction, tuple(about))
        superlatives[superlative] = Degree(direction, tuple(about))
    return comparatives, superlatives


COMPARATIVES, SUPERLATIVES = _read()


def most(adjective: str, *, least: bool = False) -> Degree | None:
    """Return what `most expensive` or `least recent` means."""
    known = SUPERLATIVES.get(_MOST.get(adjective, ""))
    if known is None or not least:
        return known
    turned = tuple((column, other(way)) for column, way in known.about)
    return Degree(other(known.direction), turned)


def other(direction: Direction) -> Direction:
    """Return the opposite direction."""
    return "up" if direction == "down" else "down"
