"""The small words of English that every request is made of, and what people call the rows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from headrace.nodes.wordlist import word_set

from .fields import UNITS, kind_of, words_of
from .situation import FileFacts

FILLERS = word_set(
    "a about all am an and any are as at back be been being but by can could currently data dataset did "
    "display do does easy each every everyone everybody everything exactly file find for from get give "
    "had has have hello help here hey hi how i if in info information is it its just kindly know let "
    "list like look looking made make me might my need needed no! nice now number! of off ok okay on "
    "one! ones or! our out output please pls print produce quick quickly readme really result results "
    "return row rows show so some such table tell than thank thanks that the their them there these they "
    "thing things this those thx to together us very want was we were what when where which who whom why "
    "will wish with would you your entries entry records record individual report see seeing compute computes calculate calculates determine interested lasted lasting lasts stayed ever reached measured recorded observed take "
    "takes still went goes gone there respectively place placed took taken happened part work works live "
    "lives based located situated come came comes following actually well sorry oh hm so far both too yet ask "
    "asks asking keeps keep kept"
) - {"no!", "number!", "one!", "or!", "no", "or", "each", "every", "than"}
"""Words that may be passed over without a loss."""
NO_NAMES = word_set(
    "line bar chart plot graph diagram table list scatter histogram percentage percent share well file number text date csv a an the "
    "by per and or then as is are was were be with in to for from of on at my our add adds new column columns field fields called named "
    "compute calculate create make show give me where if so it that this sort sorted order ordered first last also now please want need "
    "i you we they round rounded only just keep drop remove save write store would like total average sum mean"
)
"""Words that are no part of a name for a new column."""
LOUD = word_set(
    "not no never without except only more less most least than instead each every per or different distinct unique"
)
"""Words that change what is meant: where they are left over, the request is not understood."""
GENERIC_ROWS = word_set("row record entry line observation item case result instance datum")
THINGS: tuple[tuple[frozenset[str], frozenset[str]], ...] = (
    (
        word_set("person individual human member staff employee worker user"),
        word_set("birth gender sex email salary age surname"),
    ),
    (word_set("animal bird specimen creature individual"), frozenset(["species"])),
    (word_set("trip ride journey tour"), word_set("distance station start departure")),
    (word_set("home house property flat apartment listing"), word_set("bedroom floor neighborhood neighbourhood")),
    (word_set("object piece artwork work artifact painting"), word_set("artist gallery medium")),
    (word_set("ship vessel call arrival"), word_set("berth draught port")),
    (word_set("application proposal request"), word_set("applicant submitted awarded")),
    (word_set("episode podcast"), word_set("guest host episode")),
    (word_set("ticket fine offence"), word_set("violation plate officer")),
    (word_set("person people colleague employee staff"), word_set("pay payroll hired contract bonus")),
    (word_set("car vehicle"), word_set("mileage plate odometer engine")),
    (word_set("song track"), word_set("album artist")),
    (word_set("student pupil"), word_set("grade exam class")),
    (word_set("payment transfer transaction"), word_set("amount balance account")),
    (word_set("parcel delivery shipment order"), word_set("carrier delivered weight")),
    (word_set("account customer client"), word_set("plan subscription seat")),
    (word_set("issue bug task"), word_set("assignee priority project")),
    (word_set("visit appointment consultation"), word_set("doctor patient diagnosis")),
    (word_set("team club"), word_set("stadium founded league")),
    (word_set("match game fixture"), word_set("goal home away referee")),
    (word_set("film movie"), word_set("director imdb")),
    (frozenset(["book"]), word_set("author isbn page")),
    (word_set("purchase transaction sale order"), word_set("price quantity amount")),
    (word_set("measurement reading sample"), word_set("sensor temperature humidity pressure")),
    (word_set("stay booking reservation"), word_set("night room guest checkin")),
)
"""Nouns for rows, and the columns of which one must be there."""
KEYS = word_set("id no ref key code number name")
MONEY = word_set("revenue turnover sale income earning proceeds takings")
AMOUNTS = word_set("amount total revenue turnover sale price cost fee fare value")
QUANTITIES = word_set("quantity qty unit piece sold volume")
NOT_ASKED = (
    FILLERS
    | LOUD
    | word_set(
        "sort sorted order ordered group average mean total sum count median minimum maximum min max highest "
        "lowest largest biggest smallest top first last bottom by per in on of into over under above below "
        "between before after since until add column columns drop remove rename create save write chart plot "
        "graph bar histogram scatter join merge filter ascending descending share percentage percent divided "
        "minus plus times difference change also then and or as at to read use same other way show "
        "select limit missing empty null duplicate duplicates many much long often year month day week "
        "quarter is are was were has have had"
    )
)
"""Words that no search for values is needed for."""
UNIT_WORDS = word_set(
    "g kg gram kilogram mg mm cm m metre meter km kilometre kilometer foot ft mile inch minute min hour "
    "h second sec day night week month year euro eur dollar usd pound gbp degree celsius fahrenheit "
    "percent liter litre ton tonne kwh kw volt mb gb c f"
)
ROLES = {
    "share": "share",
    "percentage": "share",
    "percent": "share",
    "proportion": "share",
    "fraction": "share",
    "change": "change",
    "difference": "change",
    "growth": "change",
    "increase": "change",
    "decrease": "change",
    "delta": "change",
    "drop": "change",
    "count": "count",
    "amount": "figure",
    "number": "count",
    "figure": "figure",
    "result": "figure",
    "value": "figure",
    "total": "sum",
    "sum": "sum",
    "average": "mean",
    "mean": "mean",
    "median": "median",
    "maximum": "max",
    "max": "max",
    "minimum": "min",
    "min": "min",
    "ratio": "figure",
    "rate": "figure",
    "that": "figure",
    "frequency": "count",
}
GROUPING = word_set("for in of per at by within and from")
SOLD = word_set("sold selling bought ordered purchased")
DONE = word_set("used visited borrowed watched listed requested reviewed read seen played mentioned rented booked lent")
IRREGULAR_DONE = word_set("born sold built paid bought made taken sent begun written died left lost kept due")


def row_nouns(files: Iterable[FileFacts]) -> frozenset[str]:
    """Return what people may call the rows of these tables: from file names, unique columns and kinds of things."""
    nouns = set(GENERIC_ROWS)
    for file in files:
        stem = file.path.replace("\\", "/").rsplit("/", 1)[-1].rsplit(".", 1)[0]
        nouns.update(word for word in words_of(stem) if not word.isdigit() and len(word) > 2)
        columns = {word for column in file.columns for word in words_of(column.name)}
        for things, telling in THINGS:
            if columns & telling:
                nouns |= things
        for at, column in enumerate(file.columns):
            telling = kind_of(column.type) in ("text", "date") or set(words_of(column.name)) & KEYS
            if telling and _unique([row[at] for row in file.rows if at < len(row)]):
                name = [word for word in words_of(column.name) if word not in UNITS | KEYS]
                if kind_of(column.type) == "date":
                    nouns.add("day")
                elif name:
                    nouns.add(name[-1] if len(name) == 1 else name[0])
    return frozenset(nouns)


def _unique(values: Sequence[Any]) -> bool:
    return len(values) >= 5 and len({str(value) for value in values}) == len(values) and None not in values
