"""What adjectives of degree compare: `heavier` speaks of a weight, `oldest` of an age or a date of birth.

General knowledge of English. `+` goes before the columns of which the adjective means much, `-` before those of little.
"""

from __future__ import annotations

from .meaning import Direction, Superlative

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


def _read() -> tuple[dict[str, Superlative], dict[str, Superlative]]:
    comparatives, superlatives = {}, {}
    for line in _TABLE.strip().splitlines():
        names, *parts = (part.strip() for part in line.split("|"))
        about: list[tuple[str, Direction]] = []
        for part in parts:
            sign, *columns = part.split()
            about += [(column, "down" if sign == "+" else "up") for column in columns]
        direction: Direction = "down" if parts[0].startswith("+") else "up"
        comparative, superlative = names.split()
        comparatives[comparative] = Superlative(direction, tuple(about), comparative)
        superlatives[superlative] = Superlative(direction, tuple(about), superlative)
    return comparatives, superlatives


COMPARATIVES, SUPERLATIVES = _read()
GENERAL = frozenset(word for word, meaning in SUPERLATIVES.items() if not meaning.about)
"""Superlatives that speak of whatever is ordered."""


def most(adjective: str, *, least: bool = False) -> Superlative | None:
    """Return what `most expensive` or `least recent` means."""
    known = SUPERLATIVES.get(_MOST.get(adjective, ""))
    if known is None:
        return None
    turned = tuple((column, _other(way)) for column, way in known.about) if least else known.about
    direction = _other(known.direction) if least else known.direction
    return Superlative(direction, turned, f"{'least' if least else 'most'} {adjective}")


def _other(direction: Direction) -> Direction:
    return "up" if direction == "down" else "down"
