"""Point iii of the protocol: labels, age, race and gender are distributed alike in all sets (paper 1, section II-B)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from affectcheck.partitions import shifts as means
from affectcheck.partitions.distances import ALL, QUANTILE, farthest, in_words
from affectcheck.partitions.findings import Finding, listed
from affectcheck.partitions.joint_cells import lacking, set_columns
from affectcheck.schemes import MISSING

if TYPE_CHECKING:
    from affectcheck.partitions.case import Case
    from affectcheck.partitions.fragments import Block
    from affectcheck.records.verdict import Status

_POINT: Final = "iii"
_ROUND_OFF: Final = 1e-9


def halves_of(case: Case) -> np.ndarray:
    """(K,) half of the share that the largest unit has of each set: whole units allow nothing finer."""
    sizes = case.counted.by_set[:, -1]
    return np.asarray(case.fragments.largest / np.maximum(sizes, 1) / 2)


def distributions(case: Case) -> list[Finding]:
    """One finding a column: the largest deviation of a share, and how far that is from chance."""
    limits = np.maximum(case.options.max_deviation, halves_of(case))
    skipped = {(rare.column, rare.value) for rare in case.balance.unsplittable}
    rows = case.distances.filter(pl.col("against") == ALL).to_dicts()
    return [
        _distribution(case, block, limits, (skipped, [row for row in rows if row["column"] == block.column]))
        for block in case.counted.blocks
    ]


def _distribution(
    case: Case, block: Block, limits: np.ndarray, rest: tuple[set[tuple[str, str]], list[dict[str, Any]]]
) -> Finding:
    skipped, rows = rest
    rule = f"distribution of {block.column}"
    values, shares, overall = _shares(case, block)
    judged = [place for place, value in enumerate(values) if (block.column, value) not in skipped]
    named = [value for value in values if (block.column, value) in skipped]
    apart = f"; not judged, as fewer units hold them than there are sets: {listed(named)}" if named else ""
    gaps = np.abs(shares - overall) - limits[:, None]
    gaps = np.where(np.isnan(gaps), -np.inf, gaps)[:, judged]
    if not judged or not np.isfinite(gaps).any():
        return Finding(rule, "not applicable", f"no value could be in every set{apart}", point=_POINT)
    one, place = np.unravel_index(int(gaps.argmax()), gaps.shape)
    worst = judged[int(place)]
    reason = (
        f"{values[worst]} is {shares[one, worst]:.1%} of {case.names[one]} and {overall[worst]:.1%} of all items; "
        f"limit {limits[one]:.1%}{apart}"
    )
    far = farthest(rows)
    chance = f"; {in_words(far)}" if far else ""
    status: Status = "passed" if gaps.max() <= _ROUND_OFF else "failed"
    return Finding(rule, status, f"{reason}{chance}", point=_POINT)


def _shares(case: Case, block: Block) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    """Values, (K, C) shares and (C,) shares of all items; of a unit where it is known, and how often it is not."""
    counts = case.counted.by_set
    of_block, sizes = block.of(counts).astype(np.float64), counts[:, -1:].astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = of_block / of_block.sum(axis=1, keepdims=True)
        overall = of_block.sum(axis=0) / of_block.sum()
        if block.kind != "unit":
            return block.values, shares, overall
        unknown = (sizes - of_block.sum(axis=1, keepdims=True)) / sizes
    whole = 1 - of_block.sum() / sizes.sum()
    values = (block.values[0], MISSING)
    return values, np.concatenate([shares[:, :1], unknown], axis=1), np.array([overall[0], whole])


def shifts(case: Case) -> tuple[Finding, Finding]:
    """Label shift and demographic shift between training and the other sets."""
    kinds = {block.column: block.kind for block in case.counted.blocks}
    groups = [name for name, kind in kinds.items() if kind == "group"]
    labels = [name for name, kind in kinds.items() if kind != "group"]
    return _shift(case, "label shift", labels), _shift(case, "demographic shift", groups)


def _shift(case: Case, rule: str, columns: list[str]) -> Finding:
    """Failed where a distance is above the limit and further than chance; above it alone, inconclusive."""
    if not columns:
        return Finding(rule, "not applicable", "the table has no such columns", point=_POINT)
    rows = [row for row in _compared(case) if row["column"] in columns and row["total_variation"] is not None]
    if not rows:
        return Finding(rule, "not applicable", "there are no two sets with known values", point=_POINT)
    half = dict(zip(case.names, halves_of(case), strict=True))
    limit = case.options.max_deviation
    allowed = {(a, b): max(limit, half[a] + half[b]) + _ROUND_OFF for a in half for b in half}
    over = [row for row in rows if row["total_variation"] > allowed[row["set"], row["against"]]]
    far = [row for row in over if row["p_value"] is not None and row["p_value"] <= 1 - QUANTILE + _ROUND_OFF]
    shown = sorted(far or over or rows, key=lambda row: (-row["total_variation"], row["column"]))
    finest = f"limit {limit:.1%}, or half of the largest unit of either set together"
    told = listed([f"{row['column']}: {in_words(row)}" for row in shown], shown=3)
    status: Status = "failed" if far else "inconclusive" if over else "passed"
    moved = [row for row in _moved(case) if row["column"] in _words(columns)]
    also = f"; {listed([means.in_words(row) for row in moved], shown=4)}" if moved else ""
    return Finding(rule, status, f"{told}; {finest}{also}", point=_POINT)


def _words(columns: list[str]) -> set[str]:
    return {word for column in columns for word in column.split(" × ")}


def _compared(case: Case) -> list[dict[str, Any]]:
    """Distances of the reference set from every other set, whichever of the two stands first."""
    name = case.names[case.reference]
    pair = (pl.col("set") == name) | (pl.col("against") == name)
    return case.distances.filter(pair, pl.col("against") != ALL).to_dicts()


def _moved(case: Case) -> list[dict[str, Any]]:
    name = case.names[case.reference]
    pair = (pl.col("set") == name) | (pl.col("against") == name)
    return case.shifts.filter(pair, pl.col("against") != ALL).to_dicts()


def joint(case: Case) -> Finding:
    """Whether every joint cell that enough units hold is in every set; a caution, as the protocol asks for less."""
    rule, number = "joint cells in every set", len(case.names)
    if not case.joint.height:
        return Finding(rule, "not applicable", "there are no two attributes to be joined", point=_POINT)
    could = int(case.joint.get_column("splittable").sum())
    if not could:
        told = f"none of {case.joint.height} cells is held by as many units as there are sets, {number}"
        return Finding(rule, "not applicable", told, point=_POINT)
    found = lacking(case.joint, number)
    of = f"{could} of {case.joint.height} cells are held by at least {number} units"
    if not found.height:
        return Finding(rule, "passed", f"{of}, and every set has each of these", point=_POINT)
    columns = set_columns(case.joint, number)
    cells = [
        f"{row['cell']} ({row['items']} items) not in "
        f"{', '.join(name for name, column in zip(case.names, columns, strict=True) if not row[column])}"
        for row in found.head(50).to_dicts()
    ]
    more = listed(cells, shown=5) if found.height <= 50 else f"{listed(cells[:5])} and {found.height - 5} more"
    return Finding(rule, "inconclusive", f"{of}; a set lacks {found.height} of these: {more}", point=_POINT)
