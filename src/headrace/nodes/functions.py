"""The functions that conditions and formulas may use: DuckDB's names, by family.

A positive list: what is not here is refused, whatever DuckDB would do with it. Nothing here reads a file, the environment or the
configuration, runs a statement, or makes rows.
"""

from __future__ import annotations

from .near import near
from .wordlist import word_set, words

SCALAR: dict[str, tuple[str, ...]] = {
    "numbers": words(
        "abs acos asin atan atan2 cbrt ceil ceiling cos degrees even exp factorial floor gcd greatest isfinite isinf isnan lcm"
        " least ln log log10 log2 mod pi pow power radians round sign sin sqrt tan trunc"
    ),
    "text": words(
        "ascii char_length character_length chr concat concat_ws contains ends_with format instr lcase left length levenshtein"
        " lower lpad ltrim md5 position prefix printf regexp_extract regexp_extract_all regexp_full_match regexp_matches"
        " regexp_replace regexp_split_to_array repeat replace reverse right rpad rtrim split_part starts_with str_split"
        " string_split string_to_array strip_accents strlen strpos substr substring suffix translate trim ucase unicode upper"
        " jaccard jaro_similarity jaro_winkler_similarity damerau_levenshtein editdist3 hamming sha256"
    ),
    "dates": words(
        "age century current_date current_timestamp date date_add date_diff date_part date_sub date_trunc datediff datepart"
        " datesub datetrunc day dayname dayofmonth dayofweek dayofyear decade epoch epoch_ms era extract hour isodow isoyear"
        " last_day make_date make_time make_timestamp microsecond millennium millisecond minute month monthname now quarter second strftime"
        " strptime time_bucket to_days to_hours to_minutes to_months to_seconds to_timestamp to_weeks to_years today try_strptime"
        " week weekday weekofyear year yearweek"
    ),
    "nulls and choices": words("coalesce ifnull if nullif"),
    "lists and structs": words(
        "array_contains array_length array_to_string len list_avg list_concat list_contains list_count list_distinct"
        " list_extract list_has_all list_has_any list_max list_min list_position list_reverse list_slice list_sort list_sum"
        " list_unique list_value struct_extract"
    ),
    "types": words("typeof"),
}
AGGREGATE: frozenset[str] = word_set(
    "any_value approx_count_distinct approx_quantile arg_max arg_max_null arg_min arg_min_null array_agg avg bit_and bit_or"
    " bool_and bool_or corr count count_if countif covar_pop covar_samp entropy favg first fsum geomean geometric_mean group_concat"
    " kurtosis last list listagg mad max max_by mean median min min_by mode product quantile quantile_cont quantile_disc"
    " regr_slope regr_intercept regr_r2 sem skewness stddev stddev_pop stddev_samp string_agg sum sumkahan var_pop var_samp"
    " variance"
)
WINDOW: frozenset[str] = word_set(
    "cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank rank_dense row_number"
)
ORDERED_AGGREGATE: frozenset[str] = word_set("any_value array_agg first group_concat last list listagg string_agg mode")
"""Aggregates whose value depends on the order of the rows."""
ORDERED_WINDOW: frozenset[str] = word_set("first_value lag last_value lead nth_value ntile row_number")
"""Window functions whose value depends on the order of the rows, where OVER does not say one."""
VOLATILE: frozenset[str] = frozenset({"age", "current_date", "current_timestamp", "now", "today"})
"""Functions whose value depends on when they are asked: a result that used one is not to be kept."""

SCALARS: frozenset[str] = frozenset(name for names in SCALAR.values() for name in names)
ALLOWED: frozenset[str] = SCALARS | AGGREGATE | WINDOW

_ELSEWHERE = {
    "datetime": "make_timestamp",
    "getdate": "now",
    "iif": "if",
    "isnull": "coalesce",
    "nvl": "coalesce",
    "proper": "upper",
    "std": "stddev",
    "stdev": "stddev",
    "substitute": "replace",
    "to_char": "strftime",
    "to_date": "strptime",
    "average": "avg",
    "mid": "substr",
    "find": "strpos",
    "search": "strpos",
    "text": "strftime",
    "value": "try_cast",
    "countd": "count",
    "nunique": "count",
    "cast_to_date": "strptime",
}


def nearest(name: str) -> list[str]:
    """Return the allowed functions that a name probably means, best first."""
    known = _ELSEWHERE.get(name.lower())
    others = near(name.lower(), sorted(ALLOWED), limit=3, at_least=70)
    return [known, *(other for other in others if other != known)][:3] if known else others
