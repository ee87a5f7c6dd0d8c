"""How files are read: what their heads tell, and the SELECT that reads them whole."""

from .failure import explain
from .found import Found, FoundColumn, NumberForm, Options, Reading, Source
from .query import select, staged_name, with_names
from .sniffing import sniff
from .staging import staged_rows, staged_table

__all__ = [
    "Found",
    "FoundColumn",
    "NumberForm",
    "Options",
    "Reading",
    "Source",
    "explain",
    "select",
    "sniff",
    "staged_name",
    "staged_rows",
    "staged_table",
    "with_names",
]
