"""Uploads: what is read of archives of every kind, and what is refused, in little time and memory."""

from __future__ import annotations

import gzip
import io
import json
import stat
import tarfile
import tracemalloc
import zipfile
from typing import TYPE_CHECKING

import pytest

from affectcheck.challenges.archive import Member, read_upload
from affectcheck.challenges.limits import MIB, Limits
from affectcheck.challenges.member_names import is_helper
from affectcheck.errors import InputError, MissingPathError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SMALL = Limits(upload=4 * MIB, unpacked=8 * MIB, members=100)


def zipped(path: Path, members: Mapping[str, bytes | str], **options: int) -> Path:
    with zipfile.ZipFile(path, "w", **{"compression": zipfile.ZIP_DEFLATED, **options}) as archive:  # type: ignore[arg-type]
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def tarred(path: Path, *infos: tuple[tarfile.TarInfo, bytes], mode: str = "w") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for info, content in infos:
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


@pytest.mark.shared
def test_archives_as_people_make_them(cases: Path) -> None:
    expected = json.loads((cases / "A26.json").read_text(encoding="utf-8"))["expected"]
    contents = {name: read_upload(cases / name) for name in expected["accepted"]}
    assert {tuple(member.content for member in found) for found in contents.values()} == {
        (b"id,emotion\nu1,sad\nu2,joy\n",)
    }
    for name, fault in {"A26_zip_in_zip.zip": "an archive in the archive", "A26_empty.zip": "without a file"}.items():
        with pytest.raises(InputError, match=fault):
            read_upload(cases / name)
    assert [member.name for member in read_upload(cases / "A26_two_candidates.zip")] == [
        "a/predictions.csv",
        "b/predictions.csv",
    ]


def test_a_table_by_itself_is_its_own_member(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_bytes(b"a\n1\n")
    assert read_upload(tmp_path / "p.csv") == (Member("p.csv", b"a\n1\n"),)
    assert read_upload(tmp_path / "p.csv", name="mine.csv") == (Member("mine.csv", b"a\n1\n"),)
    with pytest.raises(MissingPathError):
        read_upload(tmp_path / "q.csv")
    with pytest.raises(InputError, match="a folder: "):
        read_upload(tmp_path)
    with pytest.raises(InputError, match="a file of 0 MiB"):
        read_upload(tmp_path / "p.csv", limits=Limits(upload=3))


@pytest.mark.parametrize("mode", ["w", "w:gz"])
@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_tars_plain_and_gzip(tmp_path: Path, mode: str, form: int) -> None:
    path = tmp_path / "s.tar"
    with tarfile.open(path, mode, format=form) as archive:  # type: ignore[call-overload]
        folder = tarfile.TarInfo("team")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name in ("team/b.txt", "team/._b.txt", "team/a.txt"):
            info = tarfile.TarInfo(name)
            info.size = 3
            archive.addfile(info, io.BytesIO(b"abc"))
    assert read_upload(path) == (Member("team/a.txt", b"abc"), Member("team/b.txt", b"abc"))


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("../../evil.csv", "leads out of the archive"),
        ("/etc/passwd", "is absolute"),
        ("C:/evil.csv", "is absolute"),
        ("a\\evil.csv", "has a backslash"),
        ("a\x07.csv", "control or invisible"),
        ("a\u202egpj.csv", "control or invisible"),
        ("e\u0301.csv", "normal form NFC"),
        ("x" * 10_000, "has 10000 characters"),
    ],
)
def test_no_path_of_an_archive_is_trusted(tmp_path: Path, name: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault) as told:
        read_upload(zipped(tmp_path / "s.zip", {name: b"1"}))
    assert len(str(told.value)) < 400
    with pytest.raises(InputError, match=fault):
        read_upload(tarred(tmp_path / "s.tar", (tarfile.TarInfo(name), b"1")))
    assert sorted(one.name for one in tmp_path.iterdir()) == ["s.tar", "s.zip"]


def test_a_name_is_judged_as_it_is_written(tmp_path: Path) -> None:
    """Readers cut a name at its first NUL, so that it passes for another."""
    path = zipped(tmp_path / "s.zip", {"good.csvXevil.sh": b"1"})
    path.write_bytes(path.read_bytes().replace(b"good.csvXevil.sh", b"good.csv\x00evil.sh"))
    with pytest.raises(InputError, match="control or invisible"):
        read_upload(path)


def test_names_that_one_file_system_takes_for_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="two files of one path"):
        read_upload(zipped(tmp_path / "s.zip", {"P.csv": b"1", "p.csv": b"2"}))
    with pytest.raises(InputError, match="two files of one path"):
        read_upload(tarred(tmp_path / "s.tar", (tarfile.TarInfo("p"), b"1"), (tarfile.TarInfo("p"), b"2")))


def test_emoji_and_scripts_are_names_like_others(tmp_path: Path) -> None:
    names = ["ответ/предсказания.csv", "団体/予測.csv", "🙂.csv"]
    found = read_upload(zipped(tmp_path / "s.zip", dict.fromkeys(names, b"1")))
    assert sorted(member.name for member in found) == sorted(names)


def test_links_and_devices_are_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link.csv")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "s.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(InputError, match="a link or a device"):
        read_upload(tmp_path / "s.zip")
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE):
        info = tarfile.TarInfo("x.csv")
        info.type, info.linkname = kind, "/etc/passwd"
        with pytest.raises(InputError, match="a link, a device"):
            read_upload(tarred(tmp_path / "s.tar", (info, b"")))


def test_encrypted_files_and_rare_methods_are_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "s.zip", {"p.csv": b"abc"})
    raw = bytearray(path.read_bytes())
    at = raw.rindex(b"PK\x01\x02")
    raw[at + 8] |= 1
    path.write_bytes(raw)
    with pytest.raises(InputError, match="an encrypted file"):
        read_upload(path)
    with pytest.raises(InputError, match="packed by method 14"):
        read_upload(zipped(tmp_path / "t.zip", {"p.csv": b"abc"}, compression=zipfile.ZIP_LZMA))


def _memory(path: Path, limits: Limits = SMALL) -> tuple[str, float]:
    """What is said of an upload, and the most MiB that reading it took."""
    tracemalloc.start()
    try:
        with pytest.raises(InputError) as told:
            read_upload(path, limits=limits)
        return str(told.value), tracemalloc.get_traced_memory()[1] / MIB
    finally:
        tracemalloc.stop()


def test_bombs_are_stopped_while_they_go_off(tmp_path: Path) -> None:
    zeros = bytes(64 * MIB)
    for path in (
        zipped(tmp_path / "s.zip", {"p.csv": zeros}),
        tarred(tmp_path / "s.tgz", (tarfile.TarInfo("p.csv"), zeros), mode="w:gz"),
    ):
        message, memory = _memory(path)
        assert "MiB" in message or "times its size" in message or "than is allowed" in message
        assert memory < 40
    message, memory = _memory(zipped(tmp_path / "r.zip", {"p.csv": zeros[:1023] + b"\n" + zeros[1024:]}), Limits())
    assert "a line of more than 1 MiB" in message
    assert memory < 5
    lines = (bytes(1023) + b"\n") * (1 << 16)
    message, memory = _memory(zipped(tmp_path / "l.zip", {"p.csv": lines}), Limits())
    assert "200 times its size" in message


def test_a_line_without_an_end_is_not_read_to_it(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_bytes(b"a,b\n" + b"x" * (8 * MIB))
    message, memory = _memory(path, Limits())
    assert "a line of more than 1 MiB" in message
    assert memory < 5
    for name, content in (("s.bin", b"x"), ("s.txt", b"PAR1"), ("old.csv", b"a\r")):
        (tmp_path / name).write_bytes(content.ljust(3 * MIB, content[-1:]))
        assert read_upload(tmp_path / name)[0].name == name


def test_limits_for_a_list_of_items(tmp_path: Path) -> None:
    found = Limits().for_rows(40, columns=1, key=9)
    assert (found.rows, found.line) == (1080, Limits().line)
    assert found.upload == found.unpacked == 16 * MIB + 1080 * (9 + 64 + 32)
    assert Limits(rows=10, upload=20, unpacked=30).for_rows(40, columns=1, key=9) == Limits(
        rows=10, upload=20, unpacked=30
    )
    large = Limits().for_rows(2_700_000, columns=12, key=40)
    assert (large.upload, large.unpacked) == (Limits().upload, Limits().unpacked)


def test_many_members_are_counted_before_they_are_read(tmp_path: Path) -> None:
    message, _ = _memory(zipped(tmp_path / "s.zip", {f"{n}.csv": b"" for n in range(101)}))
    assert "101 files" in message
    message, _ = _memory(zipped(tmp_path / "t.zip", {f"{n:0200}.csv": b"" for n in range(200)}))
    assert "a directory of" in message
    message, _ = _memory(tarred(tmp_path / "s.tar", *((tarfile.TarInfo(f"{n}"), b"") for n in range(101))))
    assert "101 files" in message


def test_files_that_share_their_bytes(tmp_path: Path) -> None:
    """One member, listed many times by the directory."""
    path = zipped(tmp_path / "s.zip", {f"{n}.csv": bytes(1000) for n in range(3)})
    raw = bytearray(path.read_bytes())
    at = raw.index(b"PK\x01\x02")
    for _ in range(3):
        raw[at + 42 : at + 46] = bytes(4)  # where its content begins
        at = raw.find(b"PK\x01\x02", at + 4)
    path.write_bytes(raw)
    with pytest.raises(InputError, match="files that share their bytes"):
        read_upload(path)


def test_a_huge_header_of_a_tar_is_refused_before_it_is_read(tmp_path: Path) -> None:
    info = tarfile.TarInfo("x")
    info.type = tarfile.XHDTYPE
    path = tarred(tmp_path / "s.tar", (info, b"5" * (2 * MIB)))
    with pytest.raises(InputError, match="a header of 2097152 bytes"):
        read_upload(path)


def test_headers_of_a_tar_are_counted_with_its_content(tmp_path: Path) -> None:
    def header(number: int) -> tuple[tarfile.TarInfo, bytes]:
        info = tarfile.TarInfo(f"x{number}")
        info.type = tarfile.XHDTYPE
        record = f"comment={'x' * 999_975}\n"
        return info, f"{len(record) + 8} {record}".encode()

    path = tarred(tmp_path / "s.tar", *(header(number) for number in range(4)))
    with pytest.raises(InputError, match="unpacks to more than is allowed"):
        read_upload(path, limits=Limits(unpacked=1))


@pytest.mark.parametrize("keep", [0.1, 0.5, 0.9, 0.99])
def test_what_was_cut_off_is_damaged(tmp_path: Path, keep: float) -> None:
    import random

    noise = random.Random(1).randbytes(20_000)
    for path in (
        zipped(tmp_path / "s.zip", {"p.csv": noise}),
        tarred(tmp_path / "s.tgz", (tarfile.TarInfo("p.csv"), noise), mode="w:gz"),
    ):
        raw = path.read_bytes()
        path.write_bytes(raw[: int(len(raw) * keep)])
        with pytest.raises(InputError, match="a damaged archive"):
            read_upload(path)


def test_a_wrong_checksum_is_found(tmp_path: Path) -> None:
    path = zipped(tmp_path / "s.zip", {"p.csv": b"0123456789" * 50}, compression=zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"0123456789", b"1123456789", 1))
    with pytest.raises(InputError, match="a damaged archive: Bad CRC"):
        read_upload(path)


def test_archives_within_archives_whatever_they_are_called(tmp_path: Path) -> None:
    inner = zipped(tmp_path / "i.zip", {"p.csv": b"1"}).read_bytes()
    for name, content in {
        "a.csv": inner,
        "b.zip": b"",
        "c.csv": gzip.compress(b"1"),
        "d.csv": b"7z\xbc\xaf\x27\x1c",
    }.items():
        with pytest.raises(InputError, match="an archive in the archive"):
            read_upload(zipped(tmp_path / "s.zip", {name: content}))


@pytest.mark.parametrize(("head", "called"), [(b"Rar!\x1a\x07", "RAR"), (b"BZh9", "bzip2"), (b"\xfd7zXZ\x00", "xz")])
def test_other_archives_are_named(tmp_path: Path, head: bytes, called: str) -> None:
    (tmp_path / "s.zip").write_bytes(head + bytes(100))
    with pytest.raises(InputError, match=f"of the format {called}"):
        read_upload(tmp_path / "s.zip")


def test_helper_files() -> None:
    assert [
        is_helper(name) for name in ("__MACOSX/x", "a/._x", ".DS_Store", "Thumbs.db", "a/Desktop.ini", "", "x._y")
    ] == [True, True, True, True, True, False, False]


def test_limits_are_positive() -> None:
    with pytest.raises(InputError, match="limit 'ratio' is 0"):
        Limits(ratio=0)
