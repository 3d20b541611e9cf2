"""Labels and the list of what is to be predicted are of the same items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.annotations.listing import plural
from affectcheck.errors import InputError

if TYPE_CHECKING:
    import polars as pl

_SHOWN: Final = 5


def require_fit(labels: pl.Series, items: pl.Series) -> None:
    """Labels are of the listed items, each once, in any order.

    Args:
        labels: (n,) String, keys of the labels, each once.
        items: (n,) String, the list, each once.

    Raises:
        InputError: items that one of them lacks; both differences are named.
    """
    if len(labels) == len(items) and bool((labels == items).all()):
        return
    without = items.filter(~items.is_in(labels.implode()))
    beside = labels.filter(~labels.is_in(items.implode()))
    faults = [
        f"{plural(len(found), 'item')} {what}: {', '.join(found.head(_SHOWN))}{', …' if len(found) > _SHOWN else ''}"
        for found, what in (
            (without, "of the list without labels"),
            (beside, "with labels that the list does not have"),
        )
        if len(found)
    ]
    if faults:
        raise InputError(
            "; ".join(faults),
            where="the labels",
            expected=f"labels of the {plural(len(items), 'item')} of the list, no more and no less",
            cause="labels of another part of the data, or of another release of it",
        )
