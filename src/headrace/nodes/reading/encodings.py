"""Which encoding the bytes of a text file are in, and their text.

Refuses what is binary, and what is neither clean UTF-8 nor plausibly a one-byte encoding: a wrong guess would change names.
"""

from __future__ import annotations

import codecs
import re

from headrace.nodes.spec import NodeFault

from .head import Head, file_fault

_SPELLINGS = {
    "utf8": "utf-8",
    "utf-8-sig": "utf-8",
    "latin1": "latin-1",
    "iso-8859-1": "latin-1",
    "iso8859-1": "latin-1",
    "windows-1252": "cp1252",
    "utf-16-le": "utf-16-le",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
}
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_TITLES = {"cp1252": "Windows-1252", "latin-1": "Latin-1", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}


def decode(head: Head, wanted: str | None) -> tuple[str, str, tuple[str, ...]]:
    """Return the text of a head, its encoding, and notes about it. A character cut off at the end is left out.

    Errors: NodeFault F504 for binary data or bytes that do not fit; F303 for an encoding that is not known.
    """
    if wanted:
        encoding = _known(wanted)
        return _text(head, encoding), encoding, ()
    for bom, encoding in _BOMS:
        if head.data.startswith(bom):
            return _text(head, encoding), encoding, ()
    if kind := head.looks_like():
        raise NodeFault(file_fault("F504", f"{head.path.name!r} is {kind}, not a text file with rows and columns."))
    if b"\x00" in head.data:
        encoding = _wide(head)
        return _text(head, encoding), encoding, (f"The file is read as {_TITLES[encoding]}.",)
    if _is_utf8(head):
        return _text(head, "utf-8"), "utf-8", ()
    encoding = _one_byte(head)
    note = f"The file is read as {_TITLES[encoding]}, since it is not valid UTF-8; check letters with accents."
    return _text(head, encoding), encoding, (note,)


def _known(wanted: str) -> str:
    name = wanted.strip().lower().replace("_", "-")
    name = _SPELLINGS.get(name, name)
    if name == "utf-16":
        return "utf-16-le"
    try:
        codec = codecs.lookup(name)
    except LookupError:
        codec = None
    if codec is None or not getattr(codec, "_is_text_encoding", True):
        raise NodeFault(
            file_fault(
                "F303",
                f"The encoding {wanted!r} is not known. Use utf-8, utf-16, latin-1, windows-1252 or another by its usual name.",
                "encoding",
            )
        )
    return _SPELLINGS.get(codec.name, codec.name)


def _text(head: Head, encoding: str) -> str:
    decoder = codecs.getincrementaldecoder(encoding)(errors="strict")
    try:
        text = decoder.decode(head.data, final=head.complete)
    except UnicodeDecodeError as error:
        line = head.data[: error.start].count(b"\n") + 1
        raise NodeFault(
            file_fault(
                "F504",
                f"{head.path.name!r} cannot be read as {encoding}: the byte 0x{head.data[error.start]:02x} in line {line} "
                "does not fit. Set `encoding` to the one that the file was written in, or mend that line.",
            )
        ) from None
    return text.removeprefix("\ufeff")


def _wide(head: Head) -> str:
    """UTF-16 without a mark: the zero bytes of plain letters all stand on one side."""
    sample = head.data[:4000]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > 0.3 * len(sample[1::2]) and even == 0:
        return "utf-16-le"
    if even > 0.3 * len(sample[0::2]) and odd == 0:
        return "utf-16-be"
    raise NodeFault(
        file_fault(
            "F504",
            f"{head.path.name!r} holds binary data, not text with rows and columns. Choose a csv, json lines, parquet or xlsx file.",
        )
    )


def _is_utf8(head: Head) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head.data, final=head.complete)
    except UnicodeDecodeError:
        return False
    return True


_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f]")
_UTF8_LETTER = re.compile(rb"[\xc3-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_HIGH = re.compile(rb"[\x80-\xff]")
_UNDEFINED_1252 = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
_ONLY_1252 = re.compile(rb"[\x80-\x9f]")


def _one_byte(head: Head) -> str:
    data = head.data
    if len(_CONTROL.findall(data)) > len(data) / 100:
        raise NodeFault(
            file_fault(
                "F504",
                f"{head.path.name!r} holds binary data, not text with rows and columns. "
                "Choose a csv, json lines, parquet or xlsx file.",
            )
        )
    inside_letters = sum(len(letter) for letter in _UTF8_LETTER.findall(data))
    if 2 * inside_letters > len(_HIGH.findall(data)) or _UNDEFINED_1252.search(data):
        # Mostly UTF-8 with a damaged place: another encoding would turn every other accent into nonsense.
        _text(head, "utf-8")
    return "cp1252" if _ONLY_1252.search(data) else "latin-1"
