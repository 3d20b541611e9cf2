"""``audb:NAME``: a database of audEERING's registry or of your own audb repository, loaded by its package."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from affectcheck.annotations.audformat_database import read_audformat
from affectcheck.datasets.card import Card, Option
from affectcheck.datasets.registry import dataset
from affectcheck.datasets.relabel import MAPPING_OPTION, SCHEME_OPTION, relabel
from affectcheck.errors import ExtraMissingError, InputError, UnknownNameError
from affectcheck.schemes import CategoryScheme, Target

if TYPE_CHECKING:
    from affectcheck.annotations import AnnotationTable

#: Name that a target of expressions has in every other data set, in place of the column's own.
_EXPRESSION: Final = "expression"
_COLUMN: Final = "emotion"

CARD: Final = Card(
    name="audb",
    title="A database of an audb repository",
    licence="that of the database",
    citation="that of the database",
    url="https://audeering.github.io/datasets/",
    access="as the repository says",
    provenance="as the database says",
    description=(
        "Any database that the package audb finds in its repositories, such as emodb or crema-d of the public one: "
        "audb:emodb?version=1.4.1&table=emotion. Its media are loaded into audb's own cache."
    ),
    can_show="what the database can show: who was recorded, how the labels were made and how many items there are",
    cannot_show="anything about people, recordings or expressions that the database does not hold",
    options=(
        Option("version", "of the database; empty for the newest, which changes with the repository"),
        Option("table", "name of the table; empty where there is only one"),
        Option("target", "column of expressions, which becomes the target expression", _COLUMN),
        Option("media", "whether the recordings are loaded too, and not the tables alone", default=True),
        SCHEME_OPTION,
        MAPPING_OPTION,
    ),
    notes=(
        "needs the extra audb; repositories are those of audb's own configuration (audb.config)",
        "state the version, so that a run can be repeated",
    ),
)


@dataset(CARD)
def read(  # noqa: PLR0913  # the options of the card, by keyword
    root: Path | None = None,
    *,
    version: str = "",
    table: str = "",
    target: str = _COLUMN,
    media: bool = True,
    scheme: str = "",
    mapping: str = "",
) -> AnnotationTable:
    """Load a database and read one of its tables.

    Args:
        root: name of the database, as ``audb:NAME`` states it.
        version: of the database; empty for the newest.
        table: name of the table.
        target: column of expressions, renamed to ``expression``.
        media: whether the recordings are loaded.
        scheme: label scheme to map the expressions to; empty for the database's own.
        mapping: labels that go elsewhere than to their namesake in that scheme.

    Returns:
        The table as audformat describes it, under the name of the database.

    Raises:
        ExtraMissingError: audb is not installed.
        UnknownNameError: a stated column that the table does not have, or a scheme for a table without expressions.
        InputError: no name, no such database or version in the repositories, or a table that does not fit.
    """
    if root is None or len(root.parts) != 1:
        raise InputError(
            "no database is named" if root is None else f"not a name of a database: {root}",
            expected="audb:NAME, such as audb:emodb",
            cause="" if root is None else "a path; a folder in audformat is read as a table of your own",
        )
    loaded = _load(root.name, version or None, table, media=media)
    read_in = read_audformat(Path(loaded.root), table or None)
    if target != _COLUMN and target not in read_in.frame.columns:
        raise UnknownNameError.of("column", target, read_in.targets, where=f"audb:{root.name}")
    found = _renamed(read_in, target)
    notes = (f"{root.name} {loaded.meta['audb']['version']} by audb", *found.notes)
    found = replace(found, notes=notes)
    return relabel(found, _EXPRESSION, scheme, mapping) if scheme or mapping else found


def _load(name: str, version: str | None, table: str, *, media: bool) -> Any:
    try:
        import audb  # noqa: PLC0415  # optional
    except ImportError as error:
        raise ExtraMissingError.of("loading databases by audb", "audb", "audb") from error
    try:
        version = version or audb.latest_version(name)
        return audb.load(
            name, version=version, tables=[table] if table else None, only_metadata=not media, verbose=False
        )
    except Exception as error:  # third-party code may raise anything, the network's errors among them
        raise InputError(
            f"audb cannot load {f'{name} {version}' if version else name}: {error}",
            expected="a database and version of a repository in audb.config.REPOSITORIES",
            cause="another spelling, no access to the repository, or no network",
        ) from error


def _renamed(table: AnnotationTable, column: str) -> AnnotationTable:
    """The table with its target of expressions under the usual name."""
    old = table.targets.get(column)
    if column == _EXPRESSION or old is None or not isinstance(old.scheme, CategoryScheme):
        return table
    targets = {
        (_EXPRESSION if name == column else name): (
            Target(_EXPRESSION, one.scheme, one.provenance) if name == column else one
        )
        for name, one in table.targets.items()
    }
    return replace(table, frame=table.frame.rename({column: _EXPRESSION}), targets=targets)
