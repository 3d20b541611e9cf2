"""How each kind of tally is counted from the scored items, and why one cannot be had."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from affectcheck.errors import InputError
from affectcheck.schemes import DimensionScheme
from affectcheck.tallies import (
    Binned,
    Confusion,
    Divergences,
    Histogram,
    Moments,
    Range,
    Reliability,
    Sample,
    Signs,
    Tally,
    TrueRanks,
    Units,
    inner_edges,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np

    from affectcheck.evaluation.alignment import Aligned

#: Tallies that hold whole numbers of items alone: counted at once or cluster by cluster, their sums are the same.
COUNTS: Final[frozenset[type[Tally]]] = frozenset({Binned, Confusion, Histogram, Signs, TrueRanks, Units})


def count(kind: type[Tally], aligned: Aligned, rows: slice, where: Mapping[str, Any]) -> Tally:
    """A tally of some rows.

    Args:
        kind: class of tally.
        aligned: the scored items.
        rows: which of them.
        where: ``cells`` and ``n_cells``, as every tally takes them; empty for one tally of all.

    Raises:
        InputError: no such tally can be counted from items.
    """
    if kind not in _COUNTERS:
        known = ", ".join(sorted(each.__name__ for each in _COUNTERS))
        raise InputError(f"a tally {kind.__name__} cannot be counted here", expected=known)
    return _COUNTERS[kind](aligned, rows, where)


def lacks(kind: type[Tally], aligned: Aligned) -> str:
    """What the predictions lack for a kind of tally, in words; empty where they lack nothing."""
    if kind not in _OF_SCORES or aligned.target.scheme.kind == "dimensions":
        return ""
    if aligned.scores is None:
        return aligned.no_scores
    if kind in _OF_PROBABILITIES and aligned.output != "probability":
        step = "softmax" if aligned.is_categories else "sigmoid"
        output = aligned.output
        told = f"a {step} is a step to be stated, not guessed"
        told = "declare a probability, if it is one" if output == "score" else told
        return f"the model gives a {output}, not a probability; {told}"
    return ""


def _confusion(aligned: Aligned, rows: slice, where: Mapping[str, Any]) -> Tally:
    labels = len(aligned.parts)
    return Confusion.count(aligned.truth[rows], aligned.prediction[rows], labels=labels, missing="wrong", **where)


def _units(aligned: Aligned, rows: slice, where: Mapping[str, Any]) -> Tally:
    return Units.count(aligned.truth[rows], aligned.prediction[rows], **where)


def _moments(aligned: Aligned, rows: slice, where: Mapping[str, Any]) -> Tally:
    return Moments.of(aligned.truth[rows], aligned.prediction[rows], **where)


def _histogram(aligned: Aligned, rows: slice, where: Mapping[str, Any]) -> Tally:
    scheme = _dimensions(aligned)
    on = Range(scheme.low, scheme.high)
    return Histogram.of(aligned.truth[rows], aligned.prediction[rows], on=on, **where)


def _binned(aligned: Aligned, rows: slice, where: Mapping[str, Any]) -> Tally:
    scheme = _dimensions(aligned)
    edges = inner_edges(scheme.low, scheme.high)
    return Binned.of(aligned.truth[rows], aligned.prediction[rows], edges=edges, **where)


def _signs(aligned: Aligned, rows: slice, where: Mapping[str, Any]) -> Tally:
    scheme = _dimensions(aligned)
    middle = (scheme.low + scheme.high) / 2.0
    return Signs.of(aligned.truth[rows], aligned.prediction[rows], neutral=middle, **where)


def _ranks(aligned: Aligned, rows: slice, where: Mapping[str, Any]) -> Tally:
    return TrueRanks.count(aligned.truth[rows], _scores(aligned)[rows], missing="wrong", **where)


def _reliability(aligned: Aligned, rows: slice, where: Mapping[str, Any]) -> Tally:
    if aligned.is_categories:
        return Reliability.count(aligned.truth[rows], _scores(aligned)[rows], missing="wrong", **where)
    return Reliability.of_units(aligned.truth[rows], _scores(aligned)[rows], **where)


def _sample(aligned: Aligned, rows: slice, where: Mapping[str, Any]) -> Tally:
    if aligned.target.scheme.kind == "dimensions":
        return Sample.of(aligned.truth[rows], aligned.prediction[rows], **where)
    return Sample.of_units(aligned.truth[rows], _scores(aligned)[rows], **where)


def _divergences(aligned: Aligned, rows: slice, where: Mapping[str, Any]) -> Tally:
    return Divergences.count(aligned.truth[rows], _scores(aligned)[rows], missing="wrong", **where)


def _scores(aligned: Aligned) -> np.ndarray:
    if aligned.scores is None:
        raise InputError(f"no scores: {aligned.no_scores}", expected="scores behind the decisions")
    return aligned.scores


def _dimensions(aligned: Aligned) -> DimensionScheme:
    scheme = aligned.target.scheme
    if not isinstance(scheme, DimensionScheme):
        raise InputError(f"target {aligned.target.name!r} has no range", expected="dimensions")
    return scheme


_COUNTERS: Final[dict[type[Tally], Callable[[Aligned, slice, Mapping[str, Any]], Tally]]] = {
    Binned: _binned,
    Confusion: _confusion,
    Divergences: _divergences,
    Histogram: _histogram,
    Moments: _moments,
    Reliability: _reliability,
    Sample: _sample,
    Signs: _signs,
    TrueRanks: _ranks,
    Units: _units,
}
#: Tallies that need the scores behind the decisions.
_OF_SCORES: Final[frozenset[type[Tally]]] = frozenset({Divergences, Reliability, Sample, TrueRanks})
_OF_PROBABILITIES: Final[frozenset[type[Tally]]] = frozenset({Divergences, Reliability})
