"""``table``: a data set of the user's own, as a CSV or Parquet file with a description of its columns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from affectcheck.annotations import describe, read_table
from affectcheck.datasets.card import Card, Option
from affectcheck.datasets.registry import dataset
from affectcheck.errors import InputError, MissingPathError

if TYPE_CHECKING:
    from affectcheck.annotations import AnnotationTable, TableDescription

CARD: Final = Card(
    name="table",
    title="A table of your own",
    licence="that of your data",
    citation="that of your data",
    url="your own file",
    access="your own",
    provenance="as the description of your table says",
    description=(
        "Whatever a CSV or Parquet file holds, one row an item. A description in TOML says which column is what and "
        "which labels there are; for a simple table the options say it."
    ),
    can_show="what your data can show: who was recorded, how the labels were made and how many items there are",
    cannot_show="anything about people, recordings or expressions that your data do not hold",
    layout=(
        "a .csv, .tsv or .parquet file with a description beside it (labels.csv.toml or labels.toml for labels.csv), "
        "or the .toml itself, which names its file; media paths are relative to the folder of the file"
    ),
    options=(
        Option("description", "path of the TOML description, if it is not beside the table"),
        Option("targets", "in place of a description: column and scheme, such as emotion=expressions-7"),
        Option("groups", "in place of a description: group columns, separated by commas, such as sex,age"),
    ),
)


@dataset(CARD)
def read(root: Path, *, description: str = "", targets: str = "", groups: str = "") -> AnnotationTable:
    """Read a table of the user's.

    Args:
        root: the table file, or its description.
        description: path of the description, from here or from the folder of the table.
        targets: ``COLUMN=SCHEME,COLUMN=SCHEME`` in place of a description.
        groups: group columns in place of a description.

    Returns:
        The table; without a name of its own, it is called after its file.

    Raises:
        MissingPathError: the table or its description is not there.
        InputError: a folder, a description stated twice, or a table that does not fit its description.
    """
    if root.is_dir():
        raise InputError(f"a folder, not a table file: {root}", expected=CARD.layout, cause=_tables_in(root))
    if (targets or groups) and (description or root.suffix == ".toml"):
        raise InputError(
            "columns are described twice", where=str(root), expected="either a description or targets= and groups="
        )
    stated = _from_options(targets, groups, root) if targets or groups else _description(root, description)
    table = read_table(root, stated)
    name = root.name.removesuffix(".toml").partition(".")[0]
    return table if table.name else replace(table, name=name)


def _description(root: Path, stated: str) -> Path | None:
    """The description that is stated, or one that lies beside the table; None for the place of ``read_table``."""
    if root.suffix == ".toml":
        if stated:
            raise InputError("two descriptions", where=str(root), expected="a table file, or one description")
        return None
    if stated:
        found = [path for path in (Path(stated).expanduser(), root.parent / stated) if path.is_file()]
        if not found:
            raise MissingPathError.of("table description", stated, expected=f"a path from here or from {root.parent}")
        return found[0]
    beside = root.with_suffix(".toml")
    return beside if beside.is_file() and not root.with_name(f"{root.name}.toml").is_file() else None


def _from_options(targets: str, groups: str, root: Path) -> TableDescription:
    pairs: dict[str, dict[str, str]] = {}
    for pair in filter(None, (piece.strip() for piece in targets.split(","))):
        column, _, scheme = (piece.strip() for piece in pair.partition("="))
        if not column or not scheme or column in pairs:
            raise InputError(f"not a target: {pair!r}", where=str(root), expected="COLUMN=SCHEME,COLUMN=SCHEME")
        pairs[column] = {"scheme": scheme}
    columns = [group.strip() for group in groups.split(",") if group.strip()]
    return describe({"targets": pairs, "groups": columns}, where=str(root))


def _tables_in(folder: Path) -> str:
    suffixes = (".toml", ".csv", ".tsv", ".parquet")
    found = sorted(path.name for path in folder.iterdir() if path.name.endswith(suffixes))
    return f"name one of {', '.join(found[:5])}" if found else "no table lies in it"
