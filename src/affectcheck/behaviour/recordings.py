"""Recordings of one utterance by several devices: does the model predict the same from each of them?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from affectcheck.behaviour.measured import Measured
from affectcheck.behaviour.robustness import Pair, measure_pair
from affectcheck.records import Place
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Setting
    from affectcheck.behaviour.requirements import Reference

ROW = "_row"


@dataclass(frozen=True)
class Matched:
    """Rows of the reference and of another recording condition that belong to the same utterances.

    Attributes:
        reference: rows of the reference, in table order.
        others: the row of the other condition for each of them.
        notes: what has no partner or more than one.
    """

    reference: tuple[int, ...]
    others: tuple[int, ...]
    notes: tuple[str, ...]


def measure_recordings(material: Material, setting: Setting) -> list[Measured]:
    """The comparisons of every recording condition with the reference.

    Args:
        material: the items of all conditions.
        setting: task, rules and options; its definition names the column of the condition, the reference, and what
            utterances are found by.
    """
    reference = setting.definition.reference
    column = material.frame.get_column(reference.column).cast(pl.String)
    conditions = [one for one in column.unique().drop_nulls().sort() if one != reference.value]
    if not conditions or reference.value not in column:
        known = ", ".join(column.unique().drop_nulls().sort()) or "none"
        reason = f"recordings with {reference.column} {reference.value!r} and others are compared; there are: {known}"
        return [Measured(one, Place(reference.column), reason=reason) for one in setting.task.comparison]
    found: list[Measured] = []
    for condition in conditions:
        matched = match(material.frame, reference, condition)
        kept = _sample(material, matched, setting)
        before, after = (material.take(np.array(rows, np.int64)) for rows in (kept.reference, kept.others))
        place = Place(reference.column, f"{reference.value}-{condition}")
        pair = Pair(before.noted(*kept.notes), after)
        found += measure_pair(pair, setting, place)
    return found


def match(frame: pl.DataFrame, reference: Reference, condition: str) -> Matched:
    """Rows of two recording conditions by what they share; the first where an utterance was recorded repeatedly.

    Args:
        frame: the items.
        reference: column and value of the reference, and the columns that utterances are found by.
        condition: the other value.
    """
    numbered = frame.with_row_index(ROW).with_columns(pl.col(reference.column).cast(pl.String))
    whole = numbered.drop_nulls(list(reference.join))
    sides = [whole.filter(pl.col(reference.column) == value) for value in (reference.value, condition)]
    single = [side.unique(list(reference.join), keep="first", maintain_order=True) for side in sides]
    keys = [side.select(ROW, *(pl.col(key).cast(pl.String) for key in reference.join)) for side in single]
    joined = keys[0].join(keys[1], on=list(reference.join), how="inner", maintain_order="left", suffix="_other")
    described = " and ".join(reference.join)
    counted = [
        (numbered.height - whole.height, f"recordings without {described} are left out"),
        (sum(a.height - b.height for a, b in zip(sides, single, strict=True)), "repeated recordings are left out"),
        (single[0].height - joined.height, f"recordings by {reference.value} have no partner by {condition}"),
        (single[1].height - joined.height, f"recordings by {condition} have no partner by {reference.value}"),
    ]
    notes = tuple(f"{count} {told}" for count, told in counted if count)
    return Matched(tuple(joined.get_column(ROW)), tuple(joined.get_column(f"{ROW}_other")), notes)


def _sample(material: Material, matched: Matched, setting: Setting) -> Matched:
    """No more pairs than the test takes: drawn by the keys of the items, whatever the order of the rows."""
    most, n = setting.definition.data.maximum_items, len(matched.reference)
    if most is None or n <= most:
        return matched
    items = np.array(material.items)[list(matched.reference)]
    draw = rng(setting.options.seed, "sample of recordings").permutation(n)
    rank = np.empty(n, np.int64)
    rank[np.argsort(items)] = draw
    kept = np.flatnonzero(rank < most).tolist()
    note = f"{most} of {n} pairs are drawn"
    return Matched(
        tuple(matched.reference[one] for one in kept),
        tuple(matched.others[one] for one in kept),
        (*matched.notes, note),
    )
