"""Verdicts as a table, one row a comparison: what spreadsheets and other programs read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Iterable

    from affectcheck.records import Verdict

_SCHEMA: Final = {
    "test": pl.String,
    "family": pl.String,
    "metric": pl.String,
    "attribute": pl.String,
    "group": pl.String,
    "part": pl.String,
    "verdict": pl.String,
    "value": pl.Float64,
    "rule": pl.String,
    "limit": pl.Float64,
    "limit_source": pl.String,
    "random": pl.Float64,
    "detectable": pl.Float64,
    "rerun_low": pl.Float64,
    "rerun_high": pl.Float64,
    "support": pl.Int64,
    "minimum_support": pl.Int64,
    "mode": pl.String,
    "data": pl.String,
    "reason": pl.String,
    "notes": pl.String,
    "signature": pl.String,
}


def verdicts_frame(verdicts: Iterable[Verdict]) -> pl.DataFrame:
    """Verdicts as a frame, one row each, empty texts as null."""
    return pl.DataFrame([_row(one) for one in verdicts], schema=_SCHEMA, orient="row")


def _row(one: Verdict) -> tuple[object, ...]:
    limit = (one.threshold.rule, one.threshold.value, one.threshold.source) if one.threshold else (None, None, None)
    drawn = (min(one.reruns), max(one.reruns)) if one.reruns else (None, None)
    place = [text or None for text in (one.place.attribute, one.place.group, one.place.part)]
    numbers = (one.baseline, one.detectable, *drawn, one.support, one.minimum_support)
    told = (one.reason or None, "; ".join(one.notes) or None, one.signature or None)
    return (
        one.test,
        one.family,
        one.metric,
        *place,
        one.status,
        one.value,
        *limit,
        *numbers,
        one.mode,
        one.data,
        *told,
    )
