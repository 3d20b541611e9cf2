"""Labels of one scheme as those of another, as an option of a data set; what has no counterpart is counted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.datasets.card import Option
from affectcheck.errors import InputError
from affectcheck.schemes import CategoryScheme, StatedMapping, Target, fold, scheme

if TYPE_CHECKING:
    from affectcheck.annotations import AnnotationTable

SCHEME_OPTION: Final = Option(
    "scheme", "label scheme to map to by equal names, such as expressions-7; items without a counterpart are left out"
)
MAPPING_OPTION: Final = Option(
    "mapping", "labels that go elsewhere than to their namesake, such as calm=neutral; with an empty right side, out"
)


def relabel(table: AnnotationTable, target: str, scheme_name: str, mapping: str = "") -> AnnotationTable:
    """The table with a target's labels in another scheme.

    Args:
        table: the table.
        target: name of the target; it must be categories.
        scheme_name: name of the scheme to map to; empty for the one it has.
        mapping: ``FROM=TO,FROM=TO`` for labels that go elsewhere than to their namesake.

    Returns:
        The rows that have a counterpart, in table order; a note tells how many of which label were left out.

    Raises:
        UnknownNameError: no such scheme, or a label of ``mapping`` is none of its scheme.
        InputError: no label has a counterpart, or the scheme is not one of categories.
    """
    if not scheme_name and not mapping:
        return table
    old = table.target(target).scheme
    new = scheme(scheme_name) if scheme_name else old
    if not isinstance(old, CategoryScheme) or not isinstance(new, CategoryScheme):
        raise InputError(f"{scheme_name!r} is no scheme of categories", expected="a scheme such as expressions-7")
    pairs = _pairs(old, new, mapping)
    kept = {label: counterpart for label, counterpart in pairs.items() if counterpart}
    if not kept:
        raise InputError(
            f"no label of {old.name!r} has a counterpart in {new.name!r}",
            expected=f"a scheme with some of {', '.join(old.labels)}",
        )
    column = pl.col(target)
    frame = table.frame.filter(column.is_null() | column.cast(pl.String).is_in(list(kept)))
    frame = frame.with_columns(column.cast(pl.String).replace_strict(kept, return_dtype=pl.Enum(new.labels)))
    note = _note(table, frame, target, pairs, (old.name, new.name))
    targets = {name: Target(name, new, t.provenance) if name == target else t for name, t in table.targets.items()}
    return replace(table, frame=frame, targets=targets, notes=(*table.notes, note))


def _pairs(old: CategoryScheme, new: CategoryScheme, mapping: str) -> dict[str, str | None]:
    """Every label of the old scheme with its counterpart, None where it has none."""
    known = new.spellings()
    stated = {
        old.resolve(label, where="mapping"): counterpart
        for label, counterpart in StatedMapping.parse(mapping).resolve(new).items()
    }
    return {label: stated.get(label) if label in stated else known.get(fold(label)) for label in old.labels}


def _note(
    table: AnnotationTable, frame: pl.DataFrame, target: str, pairs: dict[str, str | None], names: tuple[str, str]
) -> str:
    counts = dict(table.frame.get_column(target).drop_nulls().cast(pl.String).value_counts().iter_rows())
    moved = [f"{label} to {other}" for label, other in pairs.items() if other and other != label]
    out = [f"{label} ({counts[label]})" for label, other in pairs.items() if not other and counts.get(label)]
    parts = [f"labels of {names[0]} mapped to {names[1]}"]
    parts += [f"mapped {', '.join(moved)}"] if moved else []
    parts += [f"left out {table.height - frame.height} items without a counterpart: {', '.join(out)}"] if out else []
    return "; ".join(parts)
