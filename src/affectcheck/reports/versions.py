"""Items to be heard or seen on a page: as they are, as a test changes them, and what was predicted on each version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.reports.document import Pictures, Sounds, Version
from affectcheck.reports.sections.verdicts import DASH
from affectcheck.reports.wording import number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import polars as pl

#: The versions of an item: sound and pictures as a test leaves them, what it compares with, and what it makes of them.
AS_RECORDED: Final = "as recorded"
AS_IS: Final = "as it is"
REFERENCE: Final = "reference"
CHANGED: Final = "changed"
_PICTURE: Final = ".png"


def versions_blocks(
    items: Mapping[str, Mapping[str, str]], said: pl.DataFrame | None = None
) -> tuple[Sounds | Pictures, ...]:
    """Sounds, then pictures, of items that have any.

    Args:
        items: item key to its versions, each with its path relative to the run's folder.
        said: items with ``truth``, ``prediction`` and ``perturbed``; None to say nothing of them.
    """
    told = {item: {} if said is None else words_of(said, item) for item in items}
    sounds, pictures = [], []
    for item, paths in items.items():
        details = details_of(paths, told[item])
        heard = [(label, path) for label, path in paths.items() if not path.endswith(_PICTURE)]
        seen = [(label, path) for label, path in paths.items() if path.endswith(_PICTURE)]
        sounds += (
            [(item, tuple(Version(label, f"../{path}", details[label]) for label, path in heard))] if heard else []
        )
        pictures += (
            [(item, tuple(Version(label, f"../{path}", details[label]) for label, path in seen))] if seen else []
        )
    blocks = (Sounds(tuple(sounds)), Pictures(tuple(pictures)))
    return tuple(block for block in blocks if block.rows)


def has_sounds(items: Iterable[Mapping[str, str]]) -> bool:
    """Whether any of these versions is a sound."""
    return any(not path.endswith(_PICTURE) for paths in items for path in paths.values())


def has_pictures(items: Iterable[Mapping[str, str]]) -> bool:
    """Whether any of these versions is a picture."""
    return any(path.endswith(_PICTURE) for paths in items for path in paths.values())


def details_of(paths: Mapping[str, str], said: Mapping[str, str]) -> dict[str, str]:
    """What is said of each version: the prediction stands with the version that it was made on."""
    untouched = AS_RECORDED if AS_RECORDED in paths else AS_IS
    details = {label: list[str]() for label in (untouched, REFERENCE, CHANGED, *paths)}
    details[untouched].append(said.get("truth", ""))
    details[CHANGED].append(said.get("changed", ""))
    details[REFERENCE if REFERENCE in paths else untouched].append(said.get("prediction", ""))
    return {label: ", ".join(filter(None, lines)) for label, lines in details.items()}


def words_of(items: pl.DataFrame, item: str) -> dict[str, str]:
    """Truth and predictions of an item, in words."""
    row = next(one for one in items.iter_rows(named=True) if one["item"] == item)
    shown = {name: f"{name} {value_text(row[name])}" for name in ("truth", "prediction") if row[name] is not None}
    changed = "" if row["perturbed"] is None else f"prediction {value_text(row['perturbed'])}"
    return {**shown, "changed": changed}


def value_text(value: str | None, *, exact: bool = False) -> str:
    """A truth or prediction: a class, or a value as reports round it."""
    if value is None:
        return DASH
    try:
        return value if exact or "." not in value else number(float(value))
    except ValueError:
        return value
