"""The files of a corpus whose file names are its annotation, and the table that may lie beside them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from affectcheck.annotations import read_csv
from affectcheck.errors import InputError, MissingPathError
from affectcheck.schemes import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    import polars as pl

    from affectcheck.schemes import CategoryScheme

SUFFIXES: Final = frozenset({".wav", ".flac"})
METADATA: Final = "metadata.csv"
_SHOWN: Final = 50


class CodeError(ValueError):
    """A file name that is not of its corpus's form; the text says why."""


@dataclass(frozen=True)
class Metadata:
    """Columns that a packed copy of a corpus adds to what its file names say.

    Attributes:
        rows: file (relative to the root, with slashes) to its row.
        where: path of the table, for messages.
    """

    rows: Mapping[str, Mapping[str, str | None]]
    where: str = ""

    def cell(self, file: str, column: str) -> str | None:
        """A cell; None where there is no table, row, column or value."""
        return self.rows.get(file, {}).get(column)

    def has(self, column: str) -> bool:
        """Whether there is such a column."""
        return any(column in row for row in self.rows.values())


def read_metadata(root: Path, needed: Sequence[str] = ("file",)) -> Metadata:
    """The table beside the recordings; an empty one where there is none.

    Raises:
        InputError: it lacks a needed column, has no rows, or names a file twice.
    """
    path = root / METADATA
    if not path.is_file():
        return Metadata({})
    frame: pl.DataFrame = read_csv(path)
    missing = [column for column in needed if column not in frame.columns]
    if missing:
        raise InputError(
            f"no column {', '.join(missing)}",
            where=str(path),
            expected=f"a header with {', '.join(needed)}",
            cause="a table of another data set under the same name",
        )
    if not frame.height:
        raise InputError("the table has no rows", where=str(path), expected="one row a file, or no such table")
    rows = {str(row["file"]): row for row in frame.iter_rows(named=True)}
    if len(rows) < frame.height:
        raise InputError(f"{frame.height - len(rows)} files stand in it twice", where=str(path))
    return Metadata(rows, str(path))


def entries(folder: Path, *suffixes: str) -> list[Path]:
    """What lies in a folder, sorted: hidden entries are none. Nothing is passed over that cannot be read.

    Args:
        folder: a folder, or none, which holds nothing.
        *suffixes: of the names wanted, in small letters; all if none is stated.
    """
    found = folder.iterdir() if folder.is_dir() else ()
    return sorted(
        path
        for path in found
        if not path.name.startswith(".") and (not suffixes or path.name.lower().endswith(suffixes))
    )


def names_below(folder: Path) -> list[str]:
    """Names of all files below a folder, relative to it and with slashes, sorted; hidden ones are none.

    Links to folders are followed, but not in circles. Text, since a corpus may have millions of files.

    Raises:
        OSError: a folder cannot be read.
    """

    def refused(error: OSError) -> None:
        raise error

    found: list[str] = []
    for place, folders, names in os.walk(folder, onerror=refused, followlinks=True):
        here = os.path.realpath(place) + os.sep
        folders[:] = [
            name
            for name in folders
            if not name.startswith(".") and not here.startswith(os.path.realpath(Path(place) / name) + os.sep)
        ]
        front = "".join(part + "/" for part in Path(place).relative_to(folder).parts)
        found += [front + name for name in names if not name.startswith(".")]
    return sorted(found, key=lambda name: name.split("/"))


def is_text(name: str) -> bool:
    """Whether a name of a file is UTF-8; old archives have others, which no list can name."""
    return name.isascii() or not any("\ud800" <= character <= "\udfff" for character in name)


def shown(name: str) -> str:
    """A name as it can be written anywhere."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def require_text(names: Iterable[str], where: Path) -> None:
    """Make sure that names of recordings are text.

    Raises:
        InputError: some are not; all are listed.
    """
    refuse(
        [shown(name) for name in names if not is_text(name)],
        what="recordings whose names are not UTF-8",
        where=str(where),
        expected="names in UTF-8",
        cause="an old archive, unpacked as it is: convmv -f latin1 -t utf8 -r --notest FOLDER renames them",
    )


def files_below(folder: Path) -> list[Path]:
    """The files themselves, as ``names_below`` names them."""
    return [folder / name for name in names_below(folder)]


def sound_files(folder: Path) -> list[Path]:
    """Sound files of one folder, sorted by name; hidden ones, such as macOS's ``._`` companions, are none."""
    return sorted(
        path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES and not path.name.startswith(".")
    )


def parse_all(files: Iterable[Path], root: Path, parse: Callable[[Path], object], *, form: str) -> None:
    """Try the names of all files, so that all faults are told at once.

    Raises:
        InputError: names are not of the corpus's form, or two files have one name but for the suffix.
    """
    faults: list[str] = []
    seen: dict[str, Path] = {}
    for path in files:
        file = path.relative_to(root).as_posix()
        try:
            parse(path)
        except CodeError as error:
            faults.append(f"{file}: {error}")
            continue
        other = seen.setdefault(path.stem, path)
        if other != path:
            faults.append(f"{file}: the same name as {other.relative_to(root).as_posix()}")
    refuse(faults, what="file names that do not fit", where=str(root), expected=form)


def refuse(faults: Sequence[str], *, what: str, where: str, expected: str = "", cause: str = "") -> None:
    """Raise one error that lists all faults, if there are any.

    Raises:
        InputError: there are.
    """
    if not faults:
        return
    shown = "".join(f"\n  {fault}" for fault in faults[:_SHOWN])
    more = f"\n  and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
    raise InputError(f"{len(faults)} {what}:{shown}{more}", where=where, expected=expected, cause=cause)


def contradictions(metadata: Metadata, file: str, known: Mapping[str, Collection[str]]) -> list[str]:
    """Where the table beside the files says otherwise than their names.

    Args:
        metadata: the table.
        file: one file.
        known: column to the folded spellings of what the file name says.
    """
    return [
        f"{file}: {column} is {stated!r} in {METADATA}, {next(iter(meant))!r} by the file name"
        for column, meant in known.items()
        if (stated := metadata.cell(file, column)) is not None and fold(stated) not in meant
    ]


def spellings_of(scheme: CategoryScheme, label: str) -> tuple[str, ...]:
    """Every folded spelling of a label, its own first."""
    others = [text for text, meaning in scheme.spellings().items() if meaning == label]
    return tuple(dict.fromkeys([fold(label), *others]))


def require_folder(root: Path, name: str, layout: str) -> None:
    """Make sure that a root is a folder.

    Raises:
        MissingPathError: it is not there.
        InputError: it is a file.
    """
    if not root.exists():
        raise MissingPathError.of(f"root of data set {name!r}", root, expected=layout)
    if not root.is_dir():
        raise InputError(f"not a folder: {root}", expected=layout)


def nothing_found(root: Path, name: str, layout: str) -> InputError:
    """The error for a root that holds no file of the corpus; it says what is there instead."""
    entries = sorted(path.name for path in root.iterdir())
    shown = ", ".join(entries[:5]) + (f" and {len(entries) - 5} more" if len(entries) > 5 else "")
    return InputError(
        f"no recordings of data set {name!r} in {root}, which holds {shown or 'nothing'}",
        expected=layout,
        cause="a folder above or below the root, or an archive that was not unpacked",
    )
