"""Which files a flow may read and write: the one resolver of every path.

Owns the allowed places: the data folders, the files that somebody named when starting the program, one folder to write to.
A path is checked as text, resolved with all its symbolic links, and then must lie inside. Refuses everything else, and
everything that is not a plain file. Opens nothing itself, except to put a finished file in its place.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from headrace.base.value import Value

from .near import near
from .paths import PATH, check_new_name, check_spelling, is_glob, outside, shown
from .spec import Fault, NodeFault, Suggestion
from .wordlist import word_set

_MOST_LISTED = 2_000
_DEEPEST = 4
_MOST_MATCHES = 10_000
_DATA = word_set(".csv .tsv .tab .txt .psv .json .jsonl .ndjson .parquet .pq .xlsx .xls .xlsm .xlsb .ods .gz .zst")


def data_endings() -> tuple[str, ...]:
    """Return the endings, with their dot, of the files that are listed as data."""
    return tuple(sorted(_DATA))


class FileInfo(Value):
    """A file that a flow may read."""

    name: str
    """Its last part."""
    path: str
    """What a config writes to mean it."""
    size: int
    """Bytes."""
    modified: datetime
    """UTC."""


class FileSpace:
    """The places where files may be. `roots`: data folders; `named`: files or folders named by the user, wherever they are."""

    def __init__(
        self, roots: Iterable[Path | str], named: Iterable[Path | str] = (), write_root: Path | str | None = None
    ) -> None:
        every = [Path(path).expanduser() for path in named]
        folders = [path for path in every if path.is_dir()]
        self._roots = tuple(dict.fromkeys(_real(path) for path in [*map(Path, roots), *folders]))
        self._named = tuple(dict.fromkeys(_real(path) for path in every if path not in folders))
        first = self._roots[0] if self._roots else _real(Path.cwd())
        self._write_root = _real(Path(write_root)) if write_root is not None else first

    @property
    def roots(self) -> tuple[Path, ...]:
        """The folders in which everything but hidden files may be read."""
        return self._roots

    @property
    def write_root(self) -> Path:
        """The folder to which relative paths of new files belong."""
        return self._write_root

    def read(self, path: str) -> tuple[Path, ...]:
        """Return the real files that a path or a pattern means, sorted; at least one.

        Errors: NodeFault F501 (nothing is there; near names), F502 (not a file), F503 (not allowed).
        """
        parts = check_spelling(path)
        found = self._one(path, parts)
        if found is not None:
            return (found,)
        if is_glob(path):
            matches = self._matches(path, parts)
            if matches:
                return matches
        raise self._missing(path)

    def write(self, path: str, *, overwrite: bool) -> Path:
        """Return where a new file of that path goes; its folders need not be there yet.

        Errors: NodeFault F502 (a folder, a device …), F503 (not allowed), F511 (it is there and may not be replaced).
        """
        parts = check_spelling(path)
        check_new_name(path)
        target = Path(*parts) if parts[0] == "/" else self._write_root.joinpath(*parts)
        folder = _real(target.parent)
        if not _inside(folder, self._write_root):
            raise outside(path, "it lies outside the folder for new files")
        real = folder / target.name
        if _hidden(real, self._write_root):
            raise outside(path, "hidden files and folders are left alone")
        _check_folder(path, folder)
        self._check_free(path, real, overwrite=overwrite)
        return real

    def list(self) -> tuple[FileInfo, ...]:
        """Return the data files that may be read, by path; at most 2,000, at most four folders deep."""
        found: dict[str, FileInfo] = {}
        for named in self._named:
            _note(found, named, self.name_of(named))
        for root in self._roots:
            for file in _walk(root):
                relative = file.relative_to(root).as_posix()
                if file.suffix.lower() in _DATA and len(found) < _MOST_LISTED:
                    _note(found, file, relative)
        return tuple(found[path] for path in sorted(found, key=lambda each: (each.casefold(), each)))

    def name_of(self, file: Path) -> str:
        """Return what a config writes to mean a real file: its path from the data folder, or the end of a named one."""
        if file not in self._named:
            root = next((root for root in self._roots if _inside(file, root)), None)
            return file.relative_to(root).as_posix() if root is not None else file.name
        for length in range(1, len(file.parts)):
            tail = file.parts[-length:]
            if sum(other.parts[-length:] == tail for other in self._named) == 1:
                return "/".join(tail)
        return file.as_posix()

    def _one(self, path: str, parts: tuple[str, ...]) -> Path | None:
        """The file that a path means, where exactly one can be meant; None: nothing is there."""
        if parts[0] == "/":
            return self._absolute(path, Path(*parts))
        wanted = Path(*parts)
        named = [file for file in self._named if file.parts[-len(parts) :] == parts]
        if len(named) > 1:
            names = ", ".join(repr(self.name_of(file)) for file in named)
            raise NodeFault(
                Fault("F501", f"{shown(path)} could mean several files: {names}. Name one of them so.", PATH)
            )
        if named:
            return _plain_file(path, named[0])
        for root in self._roots:
            found = self._within(path, root / wanted, root)
            if found is not None:
                return found
        return None

    def _absolute(self, path: str, target: Path) -> Path | None:
        real = _real(target)
        if real in self._named:
            return _plain_file(path, real)
        for root in self._roots:
            if _inside(real, root):
                return self._within(path, real, root)
        raise outside(path, "it lies outside the folders that this flow may use")

    def _within(self, path: str, target: Path, root: Path) -> Path | None:
        try:
            there = os.path.lexists(target)
        except (OSError, ValueError):
            return None
        if not there:
            return None
        real = _real(target)
        if not _inside(real, root) and real not in self._named:
            raise outside(path, "it is a link to a place outside the data folder")
        if _hidden(real, root) and real not in self._named:
            raise outside(path, "hidden files and folders are left alone")
        return _plain_file(path, real)

    def _matches(self, path: str, parts: tuple[str, ...]) -> tuple[Path, ...]:
        found: set[Path] = set()
        for root in self._roots:
            pattern = parts
            if parts[0] == "/":
                base = root.parts
                if parts[: len(base)] != base:
                    continue
                pattern = parts[len(base) :]
            found |= _glob(root, "/".join(pattern))
            if len(found) > _MOST_MATCHES:
                message = f"{shown(path)} means more than {_MOST_MATCHES:,} files. Narrow the pattern."
                raise NodeFault(Fault("F504", message, PATH))
        named = [file for file in self._named if len(parts) == 1 and file.match(parts[0]) and _is_plain(file)]
        return tuple(sorted(found.union(named)))

    def _missing(self, path: str) -> NodeFault:
        files = [info.path for info in self.list()]
        close = near(path, files) or near(path.rsplit("/", 1)[-1], files)
        what = "No file matches" if is_glob(path) else "There is no file"
        if close:
            hint = f"Near ones: {', '.join(repr(name) for name in close)}."
        elif files:
            hint = f"There are: {', '.join(repr(name) for name in files[:8])}{' …' if len(files) > 8 else ''}."
        else:
            hint = "There are no data files yet; put one into the data folder."
        suggestions = tuple(Suggestion(f"Read {name}", PATH, name) for name in close)
        return NodeFault(Fault("F501", f"{what} {shown(path)}. {hint}", PATH, suggestions=suggestions))

    def _check_free(self, path: str, real: Path, *, overwrite: bool) -> None:
        try:
            mode = real.lstat().st_mode
        except FileNotFoundError:
            return
        except OSError as error:
            raise outside(path, f"it cannot be looked at ({error.strerror})") from error
        if stat.S_ISDIR(mode):
            raise NodeFault(Fault("F502", f"{shown(path)} is a folder. Name a file in it.", PATH))
        if stat.S_ISLNK(mode):
            raise outside(path, "it is a link; a file is never written through one")
        if not stat.S_ISREG(mode):
            raise NodeFault(Fault("F502", f"{shown(path)} is {_kind(mode)}, not a file. Choose another path.", PATH))
        if not overwrite:
            raise exists(path)


def exists(path: str) -> NodeFault:
    """Return the fault of a file that is there and may not be replaced."""
    return NodeFault(
        Fault(
            "F511",
            f"{shown(path)} is there already. Choose another path, or say that it may be replaced (overwrite).",
            PATH,
            suggestions=(Suggestion("Replace the file", ("overwrite",), True),),
            # the flow is right as it is: only the next run would stop here
            severity="warning",
        )
    )


@contextmanager
def writing(target: Path, *, overwrite: bool) -> Generator[Path]:
    """Give a path beside the target to write to; when the `with` ends well, the file is put in its place in one go.

    When it does not, nothing is left behind and what was there is untouched.
    Errors: NodeFault F511 where the target has appeared meanwhile and may not be replaced, F503 where the folder cannot be made.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise outside(target.name, f"its folder cannot be made ({error.strerror})") from error
    temporary = target.with_name(f".{target.name[:80]}.{secrets.token_hex(6)}.part")
    try:
        yield temporary
        if overwrite:
            temporary.replace(target)
        else:
            _put_new(temporary, target)
    finally:
        with suppress(OSError):
            temporary.unlink()


def _put_new(temporary: Path, target: Path) -> None:
    """Move a file to where none is; a link is made first, because it fails where something is, and a rename does not."""
    try:
        os.link(temporary, target)
    except FileExistsError as error:
        raise exists(target.name) from error
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.ENOSYS):
            raise
        if os.path.lexists(target):
            raise exists(target.name) from error
        temporary.rename(target)


def _real(path: Path) -> Path:
    """The path with every link in it followed, as far as it exists.

    Errors: NodeFault F503 where that leads through a folder that may not be looked into.
    """
    try:
        return Path(os.path.realpath(path))
    except OSError as error:
        raise outside(str(path), f"it cannot be looked at ({error.strerror})") from error


def _inside(path: Path, root: Path) -> bool:
    return path == root or root in path.parents


def _hidden(path: Path, root: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(root).parts) if _inside(path, root) else False


def _plain_file(path: str, real: Path) -> Path:
    try:
        mode = real.stat().st_mode
    except FileNotFoundError as error:
        raise NodeFault(Fault("F501", f"{shown(path)} is not there any more. Name a file that is.", PATH)) from error
    except OSError as error:
        raise outside(path, f"it cannot be looked at ({error.strerror})") from error
    if stat.S_ISDIR(mode):
        example = f"{path.rstrip('/')}/*.csv"
        raise NodeFault(
            Fault("F502", f"{shown(path)} is a folder. Name a file in it, or several as {example!r}.", PATH)
        )
    if not stat.S_ISREG(mode):
        raise NodeFault(Fault("F502", f"{shown(path)} is {_kind(mode)}, not a file. Name a file.", PATH))
    return real


def _kind(mode: int) -> str:
    kinds = (
        (stat.S_ISFIFO, "a pipe"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a device"),
        (stat.S_ISBLK, "a device"),
    )
    return next((words for test, words in kinds if test(mode)), "something else")


def _is_plain(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def _check_folder(path: str, folder: Path) -> None:
    """Check that the nearest folder that is there can be written to."""
    there = folder
    while not there.exists() and there != there.parent:
        there = there.parent
    if not there.is_dir():
        raise NodeFault(Fault("F502", f"{shown(path)} cannot be made: {there.name!r} is a file, not a folder.", PATH))
    if not os.access(there, os.W_OK | os.X_OK):
        raise outside(path, f"the folder {there.name!r} may not be written to")


def _glob(root: Path, pattern: str) -> set[Path]:
    found: set[Path] = set()
    for match in root.glob(pattern):
        real = _real(match)
        if _inside(real, root) and not _hidden(match, root) and not _hidden(real, root) and _is_plain(real):
            found.add(real)
        if len(found) > _MOST_MATCHES:
            break
    return found


def _walk(root: Path) -> Iterator[Path]:
    """The plain files under a folder, nearest first; what points elsewhere is left out."""
    folders = [(root, 0)]
    for folder, depth in folders:
        try:
            entries = sorted(os.scandir(folder), key=lambda each: each.name)
        except OSError:
            continue
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False) and depth < _DEEPEST and len(folders) < _MOST_LISTED:
                folders.append((Path(entry.path), depth + 1))
            elif entry.is_file(follow_symlinks=False):
                yield Path(entry.path)


def _note(found: dict[str, FileInfo], file: Path, path: str) -> None:
    with suppress(OSError):
        status = file.stat()
        modified = datetime.fromtimestamp(status.st_mtime, UTC)
        found.setdefault(path, FileInfo(name=file.name, path=path, size=status.st_size, modified=modified))
