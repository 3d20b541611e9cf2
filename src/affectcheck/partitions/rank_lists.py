"""Rankings from published scores, of which the items are not known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from affectcheck.annotations.frames import as_polars
from affectcheck.annotations.listing import name_list, row_text, rows_of, suggestion
from affectcheck.annotations.plain import number_column, text_column
from affectcheck.digest import digest_table
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.evaluation.data_digest import DIGEST_SHOWN
from affectcheck.metrics import METRICS
from affectcheck.partitions.rank_change import TAU, RankChange
from affectcheck.partitions.rank_frames import models_frame, pairs_frame, stability_frame
from affectcheck.partitions.rank_options import RankOptions
from affectcheck.records import Score, Signature, Undefined
from affectcheck.uncertainty import Resampling, kendall
from affectcheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from affectcheck.records import Scored
    from affectcheck.uncertainty import Kendall

#: Columns of a list: scores, or ranks, of which 1 is best.
SCORE, RANK = "score", "rank"


@dataclass(frozen=True)
class Listed:
    """Published scores.

    Attributes:
        scores: model to its score, NaN where there is none.
        lower_is_better: of errors, and of ranks, of which 1 is best.
    """

    scores: Mapping[str, float]
    lower_is_better: bool = False

    @classmethod
    def of(cls, given: Mapping[str, float] | Listed) -> Listed:
        """Itself, or plain scores of which higher is better."""
        return given if isinstance(given, Listed) else cls(given)

    def ahead(self, models: Sequence[str]) -> np.ndarray:
        """(M,) scores, turned so that higher is ahead."""
        return self.told(models) * (-1.0 if self.lower_is_better else 1.0)

    def told(self, models: Sequence[str]) -> np.ndarray:
        """(M,) scores as they are."""
        return np.array([self.scores[model] for model in models], np.float64)


def read_scores(table: object, column: str = "", *, metric: str = "", where: str = "") -> Listed:
    """Scores of models from a table.

    Args:
        table: Polars, pandas, Arrow or a dict of columns, with ``model`` and the column.
        column: of the scores; empty takes ``score`` or ``rank``. A column whose name begins with ``rank`` holds places, 1
            being best.
        metric: what the scores are of; one of which lower is better turns them. Of others, and of
            names that are no metrics here, higher is better.
        where: the file, for messages.

    Returns:
        Model to its score, NaN where the cell is empty.

    Raises:
        UnknownNameError: a column is not there.
        InputError: a model is named twice or not at all, or a cell is no number.

    Example:
        >>> read_scores({"model": ["cnn", "svm"], "rank": [2, 1]})
        Listed(scores={'cnn': 2.0, 'svm': 1.0}, lower_is_better=True)
    """
    frame = as_polars(table, where=where)
    name = column or next((known for known in (SCORE, RANK) if known in frame.columns), SCORE)
    for wanted in ("model", name):
        if wanted not in frame.columns:
            raise UnknownNameError.of("column of scores", wanted, frame.columns, where=where)
    models = text_column(frame.get_column("model"), where).str.strip_chars()
    wrong = models.is_null() | models.is_duplicated()
    if wrong.any():
        told = name_list(map(str, models.filter(wrong).unique(maintain_order=True)), shown=5)
        raise InputError(
            f"models without a name or with two rows: {told} ({row_text(rows_of(wrong))})",
            where=where,
            expected="one row a model",
        )
    values = number_column(frame.get_column(name), where)
    lower = name.startswith(RANK) or (metric in METRICS and METRICS.get(metric).higher_is_better is False)
    return Listed(dict(zip(models.to_list(), values.fill_null(float("nan")).to_list(), strict=True)), lower)


def rank_change_of_scores(
    first: Listed | Mapping[str, float],
    second: Listed | Mapping[str, float],
    *,
    options: RankOptions | None = None,
) -> RankChange:
    """Compare two published rankings of the same models, whose items are not known.

    Tau has no interval, since nothing says how the scores would vary over other items; a p-value says whether one ranking
    tells anything of the other.

    Args:
        first: model to its score, higher being better, or what ``read_scores`` reads.
        second: the same on the other test set.
        options: names, seed; ``metric`` stands in the signature.

    Raises:
        InputError: no model is in both.

    Example:
        The ranks of seven published models on AffectNet-8 before and after its new partition, as paper 1 states them
        (section III-A).

        >>> old = {"POSTER++": 1, "MT-EffNet": 2, "DAN": 3, "MA-Net": 4, "EmoGCN": 5, "EAC": 6, "DACL": 7}
        >>> new = {"POSTER++": 1, "EmoGCN": 2, "DACL": 3, "MT-EffNet": 4, "EAC": 5, "DAN": 6, "MA-Net": 7}
        >>> found = rank_change_of_scores(Listed(old, lower_is_better=True), Listed(new, lower_is_better=True))
        >>> round(found.tau.value, 3), round(found.p_value, 2)
        (0.143, 0.77)
        >>> found.movers.head(2).select("model", "change").rows()
        [('DACL', 4), ('EmoGCN', 3)]
    """
    chosen = options or RankOptions()
    lists = (Listed.of(first), Listed.of(second))
    models = tuple(sorted(model for model in lists[0].scores if model in lists[1].scores))
    if not models:
        raise InputError(
            f"no model is in both lists: {name_list(lists[0].scores)} and {name_list(lists[1].scores)}",
            expected="models that are called the same in both",
        )
    sides, shown = [one.ahead(models) for one in lists], (lists[0].told(models), lists[1].told(models))
    found = kendall(*sides, seed=chosen.seed)
    return RankChange(
        tau=_tau(found, models, sides, chosen),
        models=models_frame(models, shown, sides, None, Resampling(1)),
        pairs=pairs_frame(models, shown, sides, None),
        stability=stability_frame({}, "item"),
        names=chosen.names,
        metric=chosen.metric or "published scores",
        redealt="the items behind the scores are not known",
        p_value=None if found.reason else found.p_value,
        method=found.method,
        notes=(*_direction(chosen.metric, lists), *_not_ranked(lists, models, chosen.names)),
    )


def _tau(found: Kendall, models: Sequence[str], sides: Sequence[np.ndarray], options: RankOptions) -> Scored:
    """Tau without an interval, signed with both lists."""
    digests = [
        digest_table(pl.DataFrame({"model": models, "score": side}), key="model")[:DIGEST_SHOWN] for side in sides
    ]
    signature = Signature(
        TAU,
        options=f"of={options.metric or 'published scores'},models={found.models}",
        data=",".join(f"{name}@{digest}" for name, digest in zip(options.names, digests, strict=True)),
        part=",".join(options.names),
        version=__version__,
    )
    if "random" in found.method:
        signature = signature.with_(seed=str(options.seed))
    if found.reason:
        return Undefined(TAU, found.reason, found.models, signature)
    told = "no interval: the items behind the scores are not known"
    return Score(TAU, found.tau, found.models, signature, notes=(told,))


def _direction(metric: str, lists: Sequence[Listed]) -> Iterator[str]:
    """Says what is taken of scores by a name that is no metric here."""
    if metric and metric not in METRICS and not all(one.lower_is_better for one in lists):
        yield f"{metric!r} is no metric that is known here{suggestion(metric, METRICS.names())}: higher is taken as better"


def _not_ranked(lists: Sequence[Listed], models: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    """Which models have no score on one side."""
    for one, name in zip(lists, names, strict=True):
        alone = [model for model in one.scores if model not in models]
        if alone:
            yield f"in {name} alone: {name_list(alone)}"
        lacking = [model for model in models if np.isnan(one.scores[model])]
        if lacking:
            yield f"without a score in {name}, and so without a rank: {name_list(lacking)}"
