"""The one resolver of every path: what is inside is found, what is outside stays untouched, whatever it is called."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headrace.nodes.files import FileSpace, writing
from headrace.nodes.spec import NodeFault

CANARY = "do not touch"


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Return a folder with a data folder, a folder beside it whose name begins alike, and a secret beside both."""
    data = tmp_path / "data"
    (data / "sub" / "deep").mkdir(parents=True)
    (tmp_path / "data_secret").mkdir()
    for path in (
        "orders.csv",
        "orders_jan.csv",
        "sub/more.csv",
        "sub/deep/most.csv",
        ".hidden.csv",
        "notes.txt",
        "50%.csv",
        "é.csv",
    ):
        (data / path).write_text("a\n1\n")
    (data / ".store").mkdir()
    (data / ".store" / "db.csv").write_text(CANARY)
    for path in ("secret.csv", "data_secret/x.csv"):
        (tmp_path / path).write_text(CANARY)
    (data / "out.lnk.csv").symlink_to(tmp_path / "secret.csv")
    (data / "lnkdir").symlink_to(tmp_path / "data_secret")
    (data / "within.csv").symlink_to(data / "sub" / "more.csv")
    (data / "broken.csv").symlink_to(data / "nothing.csv")
    (data / "tostore.csv").symlink_to(data / ".store" / "db.csv")
    (data / "loop.csv").symlink_to(data / "loop.csv")
    return tmp_path


@pytest.fixture
def space(house: Path) -> FileSpace:
    """Return the file space of the data folder."""
    return FileSpace([house / "data"])


@pytest.fixture(autouse=True)
def untouched(house: Path) -> Iterator[None]:
    """Check after every test that what lies outside is as it was."""
    yield
    for path in ("secret.csv", "data_secret/x.csv", "data/.store/db.csv"):
        assert (house / path).read_text() == CANARY


def code(call: Callable[[], object]) -> str:
    """Return the code of the one fault of a call."""
    with pytest.raises(NodeFault) as caught:
        call()
    (fault,) = caught.value.faults
    assert fault.path == ("path",)
    assert fault.message.endswith(".")
    assert "\n" not in fault.message
    return fault.code


HOSTILE = """
..
../secret.csv
../../secret.csv
../data_secret/x.csv
sub/../../secret.csv
sub/../orders.csv
sub/deep/../../../secret.csv
./../secret.csv
.../secret.csv
....//secret.csv
..;/secret.csv
..\\secret.csv
..\\..\\secret.csv
sub\\..\\..\\secret.csv
%2e%2e/secret.csv
%2e%2e%2fsecret.csv
..%2fsecret.csv
..%5csecret.csv
%252e%252e/secret.csv
..%c0%af../secret.csv
%00.csv
orders.csv%00.txt
/etc/passwd
/etc/../etc/passwd
//etc/passwd
///etc/passwd
/
/proc/self/environ
/proc/self/mem
/proc/1/root/etc/passwd
/dev/null
/dev/zero
/dev/stdin
/dev/fd/0
/dev/tcp/127.0.0.1/80
~
~/secret.csv
~root/secret.csv
$HOME/secret.csv
C:
C:/secret.csv
C:\\secret.csv
c:secret.csv
Z:orders.csv
\\\\server\\share\\x.csv
//server/share/x.csv
\\\\?\\C:\\x.csv
//?/C:/x.csv
\\\\.\\pipe\\x
//./pipe/x
file:///etc/passwd
file://localhost/etc/passwd
file:/etc/passwd
http://example.com/x.csv
https://example.com/x.csv
ftp://example.com/x.csv
s3://bucket/x.csv
gs://bucket/x.csv
azure://x/y.csv
hf://datasets/x/y.csv
data:text/csv,a
jdbc:sqlite:/x
postgres://user@host/db
CON
con.csv
NUL
nul.csv
sub/nul
PRN.txt
AUX
com1
COM1.csv
lpt9.csv
CONIN$
com¹.csv
orders.csv.
orders.csv..
orders.csv /
sub./more.csv
sub /more.csv
.
./
./.
sub/.
sub/..
.hidden.csv
./.hidden.csv
.store/db.csv
sub/.hidden
.env
.git/config
out.lnk.csv
lnkdir/x.csv
lnkdir
tostore.csv
loop.csv
broken.csv
orders.csv/x
orders.csv/../orders.csv
nothing.csv
NOTHING/orders.csv
*.parquet
../*.csv
**/../*.csv
/etc/*
/etc/passw?
lnkdir/*.csv
.*
.store/*
.[s]tore/db.csv
sub
sub/
sub/deep
""".strip("\n").splitlines()
HOSTILE += [
    "",
    " ",
    "\t",
    "orders.csv\0",
    "\0",
    "orders.csv\n",
    "orders\r.csv",
    "\x1b[31morders.csv",
    "orders\u200b.csv",
    "\u202evsc.sredro",
    "\ufeff../secret.csv",
    "\u2024\u2024/secret.csv",
    "\uff0e\uff0e/secret.csv",
    "..\u2215secret.csv",
    "..\uff0fsecret.csv",
    "\uff0e\uff0e\uff0fsecret.csv",
    "\ud800.csv",
    "a" * 300 + ".csv",
    "a/" * 600 + "x.csv",
    "../" * 50 + "etc/passwd",
    "x" * 2_000,
]


class TestReading:
    @pytest.mark.parametrize("path", HOSTILE)
    def test_no_path_leads_out(self, space: FileSpace, path: str) -> None:
        assert code(lambda: space.read(path)) in ("F501", "F502", "F503")

    def test_there_are_more_than_a_hundred_hostile_paths(self) -> None:
        assert len(set(HOSTILE)) > 120

    @pytest.mark.parametrize(
        "path", ["orders.csv", "./orders.csv", "sub/more.csv", "sub//more.csv", "50%.csv", "é.csv", "notes.txt"]
    )
    def test_what_is_inside_is_found(self, house: Path, space: FileSpace, path: str) -> None:
        assert space.read(path) == (house / "data" / path,)

    def test_an_absolute_path_inside_is_found(self, house: Path, space: FileSpace) -> None:
        assert space.read(str(house / "data" / "orders.csv")) == (house / "data" / "orders.csv",)

    def test_the_like_named_folder_beside_is_outside(self, house: Path, space: FileSpace) -> None:
        assert code(lambda: space.read(str(house / "data_secret" / "x.csv"))) == "F503"

    def test_a_link_within_gives_the_real_file(self, house: Path, space: FileSpace) -> None:
        assert space.read("within.csv") == (house / "data" / "sub" / "more.csv",)

    def test_a_link_out_says_so(self, space: FileSpace) -> None:
        with pytest.raises(NodeFault, match="link to a place outside"):
            space.read("out.lnk.csv")

    def test_a_folder_says_how_to_name_several(self, space: FileSpace) -> None:
        with pytest.raises(NodeFault, match=r"'sub/\*\.csv'"):
            space.read("sub")

    def test_pipes_and_sockets_are_no_files(self, house: Path, space: FileSpace) -> None:
        os.mkfifo(house / "data" / "pipe.csv")
        assert code(lambda: space.read("pipe.csv")) == "F502"
        here = Path.cwd()
        os.chdir(house / "data")
        try:
            with socket.socket(socket.AF_UNIX) as made:
                made.bind("s.csv")
                assert code(lambda: space.read("s.csv")) == "F502"
        finally:
            os.chdir(here)

    def test_a_missing_file_names_near_ones_as_ways_out(self, space: FileSpace) -> None:
        with pytest.raises(NodeFault) as caught:
            space.read("order.csv")
        (fault,) = caught.value.faults
        assert (fault.code, fault.suggestions[0].value) == ("F501", "orders.csv")

    def test_a_pattern_means_files_inside_that_are_not_hidden(self, house: Path, space: FileSpace) -> None:
        data = house / "data"
        assert space.read("orders*.csv") == (data / "orders.csv", data / "orders_jan.csv")
        assert space.read("**/mo*.csv") == (data / "sub" / "deep" / "most.csv", data / "sub" / "more.csv")
        assert all(house / "data" in path.parents and "store" not in str(path) for path in space.read("**/*"))

    def test_a_file_whose_name_looks_like_a_pattern_is_found_by_its_name(self, house: Path, space: FileSpace) -> None:
        odd = house / "data" / "sales [new].csv"
        odd.write_text("a\n")
        assert space.read("sales [new].csv") == (odd,)

    @given(st.text(max_size=40))
    def test_any_text_is_a_file_inside_or_a_fault(self, path: str) -> None:
        data = Path(__file__).parent
        try:
            found = FileSpace([data]).read(path)
        except NodeFault:
            return
        assert all(data in each.parents for each in found)


class TestNamed:
    def test_a_named_file_is_found_by_its_name_wherever_it_is(self, house: Path) -> None:
        space = FileSpace([house / "data"], named=[house / "secret.csv"])
        assert space.read("secret.csv") == (house / "secret.csv",)
        assert space.read(str(house / "secret.csv")) == (house / "secret.csv",)
        assert code(lambda: space.read(str(house / "data_secret" / "x.csv"))) == "F503"

    def test_two_of_one_name_must_be_told_apart(self, house: Path) -> None:
        named = [house / "data" / "orders.csv", house / "other" / "orders.csv"]
        named[1].parent.mkdir()
        named[1].write_text("a\n")
        space = FileSpace([], named=named, write_root=house)
        assert code(lambda: space.read("orders.csv")) == "F501"
        assert space.read("other/orders.csv") == (named[1],)
        assert [info.path for info in space.list()] == ["data/orders.csv", "other/orders.csv"]

    def test_a_named_folder_may_be_read(self, house: Path) -> None:
        space = FileSpace([], named=[house / "data"], write_root=house)
        assert space.read("sub/more.csv") == (house / "data" / "sub" / "more.csv",)


class TestWriting:
    @pytest.mark.parametrize(
        "path",
        [
            path
            for path in HOSTILE
            if path not in ("nothing.csv", "NOTHING/orders.csv", "orders.csv.", "$HOME/secret.csv")
        ],
    )
    def test_no_path_leads_out(self, space: FileSpace, path: str) -> None:
        assert code(lambda: space.write(path, overwrite=True)) in ("F502", "F503")

    @pytest.mark.parametrize("name", ["a:b.csv", "a?.csv", "a*.csv", 'a".csv', "a<b.csv", "a|b.csv"])
    def test_names_that_other_systems_cannot_have_are_refused(self, space: FileSpace, name: str) -> None:
        assert code(lambda: space.write(name, overwrite=True)) == "F503"

    def test_it_goes_to_the_folder_for_new_files(self, house: Path) -> None:
        space = FileSpace([house / "data"], write_root=house / "data" / "sub")
        assert space.write("new/out.csv", overwrite=False) == house / "data" / "sub" / "new" / "out.csv"
        assert code(lambda: space.write(str(house / "data" / "out.csv"), overwrite=False)) == "F503"

    def test_what_is_there_is_not_replaced_unless_asked(self, house: Path, space: FileSpace) -> None:
        assert code(lambda: space.write("orders.csv", overwrite=False)) == "F511"
        assert space.write("orders.csv", overwrite=True) == house / "data" / "orders.csv"

    def test_the_way_out_is_a_suggestion(self, space: FileSpace) -> None:
        with pytest.raises(NodeFault) as caught:
            space.write("orders.csv", overwrite=False)
        assert [(each.path, each.value) for each in caught.value.faults[0].suggestions] == [(("overwrite",), True)]

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
    def test_a_folder_that_may_not_be_written_to_is_told(self, house: Path, space: FileSpace) -> None:
        (house / "data" / "sub").chmod(0o500)
        assert code(lambda: space.write("sub/out.csv", overwrite=False)) == "F503"

    def test_a_file_is_no_folder(self, space: FileSpace) -> None:
        assert code(lambda: space.write("orders.csv/out.csv", overwrite=False)) == "F502"


class TestPuttingInPlace:
    def write(self, target: Path, text: str, *, failing: bool = False, meanwhile: str = "") -> None:
        """Write a text to a target; in the middle of it fail, or let somebody else write there."""
        with writing(target, overwrite=not meanwhile) as temporary:
            temporary.write_text(text)
            if meanwhile:
                target.write_text(meanwhile)
            if failing:
                raise OSError("disk full")

    def test_it_appears_whole(self, tmp_path: Path) -> None:
        target = tmp_path / "new" / "out.csv"
        with writing(target, overwrite=False) as temporary:
            temporary.write_text("a\n")
            assert not target.exists()
        assert target.read_text() == "a\n"
        assert list(target.parent.iterdir()) == [target]

    def test_a_failure_leaves_nothing_and_changes_nothing(self, tmp_path: Path) -> None:
        target = tmp_path / "alone" / "out.csv"
        target.parent.mkdir()
        target.write_text("old")
        with pytest.raises(OSError, match="full"):
            self.write(target, "half", failing=True)
        assert target.read_text() == "old"
        assert list(target.parent.iterdir()) == [target]

    def test_a_file_that_appears_meanwhile_is_kept(self, tmp_path: Path) -> None:
        target = tmp_path / "out.csv"
        with pytest.raises(NodeFault, match="there already"):
            self.write(target, "mine", meanwhile="theirs")
        assert target.read_text() == "theirs"

    def test_a_link_that_appears_meanwhile_is_not_followed(self, tmp_path: Path) -> None:
        secret = tmp_path / "secret.csv"
        secret.write_text(CANARY)
        target = tmp_path / "data" / "out.csv"
        with writing(target, overwrite=True) as temporary:
            temporary.write_text("mine")
            target.symlink_to(secret)
        assert secret.read_text() == CANARY
        assert not target.is_symlink()


class TestListing:
    def test_data_files_inside_are_listed_by_path(self, space: FileSpace) -> None:
        assert [info.path for info in space.list()] == [
            "50%.csv",
            "notes.txt",
            "orders.csv",
            "orders_jan.csv",
            "sub/deep/most.csv",
            "sub/more.csv",
            "é.csv",
        ]

    def test_each_path_listed_can_be_read(self, space: FileSpace) -> None:
        for info in space.list():
            (real,) = space.read(info.path)
            assert (real.name, real.stat().st_size) == (info.name, info.size)

    def test_each_real_file_has_the_name_by_which_it_is_listed(self, space: FileSpace) -> None:
        for info in space.list():
            (real,) = space.read(info.path)
            assert space.name_of(real) == info.path

    def test_a_folder_that_is_not_there_lists_nothing(self, tmp_path: Path) -> None:
        assert FileSpace([tmp_path / "nothing"]).list() == ()
