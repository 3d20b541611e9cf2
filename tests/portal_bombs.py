"""Uploads that are made to harm: each is small to send and costly, or false, to read."""

from __future__ import annotations

import gzip
import io
import pickle
import struct
import tarfile
import zipfile
from typing import TYPE_CHECKING

from portal_scene import item_names

if TYPE_CHECKING:
    from collections.abc import Callable

MIB = 1 << 20
ITEMS = 40
HEADER = "item,mood\n"
GOOD = HEADER + "".join(f"{name},calm\n" for name in item_names(ITEMS))


def zipped(*members: tuple[str, bytes], kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", kind) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, kind)
    return kept.getvalue()


def tarred(*members: tuple[tarfile.TarInfo, bytes], mode: str = "w") -> bytes:
    kept = io.BytesIO()
    with tarfile.open(fileobj=kept, mode=mode) as archive:
        for info, data in members:
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return kept.getvalue()


def named(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    return info


def deflate_bomb() -> bytes:
    """256 MiB of zeros in 261 kB."""
    return zipped(("predictions.csv", bytes(256 * MIB)))


def deflate_bomb_that_is_a_table() -> bytes:
    """The right header, and then one prediction ten million times."""
    return zipped(("predictions.csv", HEADER.encode() + b"item-0000,calm\n" * 10_000_000))


def overlap_bomb() -> bytes:
    """One member of 1 MiB that stands a thousand times in the directory."""
    kept = zipped(("a.csv", bytes(MIB)))
    start = kept.rindex(b"PK\x01\x02")
    end = kept.rindex(b"PK\x05\x06")
    entry = kept[start:end]
    count = 1000
    directory = b"".join(entry[:46] + f"{number:03d}.c".encode() + entry[51:] for number in range(count))
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, len(directory), start, 0)
    return kept[:start] + directory + tail


def lying_size() -> bytes:
    """A member of 64 MiB that says that it has 100 bytes."""
    kept = bytearray(zipped(("predictions.csv", bytes(64 * MIB))))
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = kept.index(mark) + place
        kept[at : at + 4] = struct.pack("<L", 100)
    return bytes(kept)


def zip_in_zip() -> bytes:
    inner = zipped(("predictions.csv", bytes(64 * MIB)))
    for _ in range(5):
        inner = zipped(*((f"{number}.zip", inner) for number in range(10)))
    return inner


def many_members() -> bytes:
    return zipped(*((f"{number}.csv", b"") for number in range(60_000)), kind=zipfile.ZIP_STORED)


def gzip_bomb() -> bytes:
    return gzip.compress(tarred((named("predictions.csv"), bytes(256 * MIB))), 1)


def tar_with_links() -> bytes:
    return tarred((named("predictions.csv", tarfile.SYMTYPE, "/etc/passwd"), b""))


def tar_with_hard_links() -> bytes:
    return tarred((named("a.csv"), b"x"), (named("predictions.csv", tarfile.LNKTYPE, "../../etc/passwd"), b""))


def tar_with_devices() -> bytes:
    return tarred((named("predictions.csv", tarfile.CHRTYPE), b""), (named("fifo", tarfile.FIFOTYPE), b""))


def tar_of_a_sparse_file() -> bytes:
    """A GNU sparse header that says that the file is a terabyte."""
    info = named("predictions.csv", tarfile.GNUTYPE_SPARSE)
    block = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    block[483:495] = b"%011o\x00" % (1 << 32)
    block[148:156] = b"        "
    block[148:156] = b"%06o\x00 " % sum(block)
    return bytes(block) + bytes(1024)


def zip_with_a_link() -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as archive:
        info = zipfile.ZipInfo("predictions.csv")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    return kept.getvalue()


def same_header_names(count: int) -> bytes:
    return ",".join(["item"] * count).encode() + b"\n"


def one_huge_line() -> bytes:
    return HEADER.encode() + b"item-0000," + b"a" * (200 * MIB)


def one_huge_line_zipped() -> bytes:
    return zipped(("predictions.csv", one_huge_line()))


def one_huge_quoted_field() -> bytes:
    return HEADER.encode() + b'item-0000,"' + b"calm\n" * (10 * MIB)


def many_lines() -> bytes:
    return HEADER.encode() + b"item-0000,calm\n" * 10_000_000


def empty_lines() -> bytes:
    return HEADER.encode() + b"\n" * 50_000_000


def parquet(frame: object, **more: object) -> bytes:
    kept = io.BytesIO()
    frame.write_parquet(kept, **more)
    return kept.getvalue()


def parquet_bomb() -> bytes:
    """Fifty million rows of one value in a few kilobytes."""
    import polars as pl

    rows = pl.select(pl.repeat(0, 50_000_000, dtype=pl.Int8).alias("item"))
    return parquet(rows.with_columns(mood="item"), compression="zstd")


def parquet_of_many_columns() -> bytes:
    import polars as pl

    return parquet(pl.DataFrame({f"c{number}": ["x"] for number in range(20_000)}))


def parquet_of_lists() -> bytes:
    import polars as pl

    return parquet(pl.DataFrame({"item": item_names(ITEMS), "mood": [["calm"]] * ITEMS}))


def parquet_that_is_cut_off() -> bytes:
    import polars as pl

    return parquet(pl.DataFrame({"item": item_names(ITEMS), "mood": ["calm"] * ITEMS}))[:-9] + b"PAR1"


class Command:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        import os

        return os.system, ("touch /tmp/affectcheck-was-here",)


def pickled() -> bytes:
    return pickle.dumps(Command())


def numpy_objects() -> bytes:
    import numpy as np

    kept = io.BytesIO()
    np.save(kept, np.array([Command()], dtype=object), allow_pickle=True)
    return kept.getvalue()


def numpy_of_80_gigabytes() -> bytes:
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (10000000000,), }"
    header += b" " * (118 - len(header)) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header


def deep_json() -> bytes:
    return b"[" * 200_000


def table(*rows: str) -> bytes:
    return (HEADER + "".join(f"{row}\n" for row in rows)).encode()


def member(name: str) -> bytes:
    """An archive whose one member is called that; the table in it is right."""
    return zipped((name, GOOD.encode()))


def two_members(first: str, second: str) -> bytes:
    return zipped((first, GOOD.encode()), (second, GOOD.encode()))


BOMBS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "deflate bomb": ("x.zip", deflate_bomb),
    "deflate bomb that is a table": ("x.zip", deflate_bomb_that_is_a_table),
    "overlap bomb": ("x.zip", overlap_bomb),
    "lying size": ("x.zip", lying_size),
    "zip in zip": ("x.zip", zip_in_zip),
    "60 000 members": ("x.zip", many_members),
    "gzip bomb": ("x.tar.gz", gzip_bomb),
    "symbolic link in tar": ("x.tar", tar_with_links),
    "hard link in tar": ("x.tar", tar_with_hard_links),
    "device in tar": ("x.tar", tar_with_devices),
    "sparse file in tar": ("x.tar", tar_of_a_sparse_file),
    "link in zip": ("x.zip", zip_with_a_link),
    "20 000 equal columns": ("x.csv", lambda: same_header_names(20_000)),
    "300 000 equal columns": ("x.csv", lambda: same_header_names(300_000)),
    "one huge line": ("x.csv", one_huge_line),
    "one huge line, zipped": ("x.zip", one_huge_line_zipped),
    "one huge quoted field": ("x.csv", one_huge_quoted_field),
    "ten million lines": ("x.csv", many_lines),
    "fifty million empty lines": ("x.csv", empty_lines),
    "parquet bomb": ("x.parquet", parquet_bomb),
    "parquet of 20 000 columns": ("x.parquet", parquet_of_many_columns),
    "parquet of lists": ("x.parquet", parquet_of_lists),
    "parquet that is cut off": ("x.parquet", parquet_that_is_cut_off),
    "pickle": ("x.pkl", pickled),
    "pickle as csv": ("x.csv", pickled),
    "numpy objects": ("x.npy", numpy_objects),
    "numpy of 80 GB": ("x.npy", numpy_of_80_gigabytes),
    "deep json": ("x.json", deep_json),
}

#: Names that a member of an archive must not have; ``extractall`` follows or rewrites some of them.
NAMES = {
    "up": "../../evil.csv",
    "absolute": "/etc/evil.csv",
    "backslash": "..\\evil.csv",
    "drive": "C:evil.csv",
    "control": "evil\x01.csv",
    "long": "x" * 300 + ".csv",
    "up within": "a/../../evil.csv",
    "not in normal form": "e\u0301vil.csv",
    "right to left": "evil\u202evsc.csv",
}
