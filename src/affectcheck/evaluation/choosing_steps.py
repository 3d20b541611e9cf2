"""Steps chosen on validation data: the window, delay or offsets that score best there, and the digest of those data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from affectcheck.errors import InputError
from affectcheck.evaluation.options import EvaluationOptions
from affectcheck.evaluation.run import evaluate
from affectcheck.metrics import METRICS
from affectcheck.predictions.steps import parse_steps, steps_text
from affectcheck.predictions.steps.step import SHOWN
from affectcheck.records import Score
from affectcheck.schemes import task_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.predictions import PredictionTable
    from affectcheck.predictions.steps import Step


@dataclass(frozen=True)
class ChosenSteps:
    """Steps that were chosen on validation data.

    Attributes:
        steps: the best ones; each says on which data it was chosen.
        metric: what they were chosen by.
        values: every candidate with its score on the validation data, None where undefined, in the order given.
    """

    steps: tuple[Step, ...]
    metric: str
    values: tuple[tuple[str, float | None], ...]

    def __str__(self) -> str:
        """The steps as a line of text."""
        return steps_text(self.steps)


def choose_steps(
    truth: AnnotationTable,
    prediction: PredictionTable,
    candidates: Iterable[str | Sequence[Step]],
    *,
    metric: str = "",
    options: EvaluationOptions | None = None,
) -> ChosenSteps:
    """Choose the steps that score best on validation data, the first of those that tie.

    Never to be called with the data that are scored afterwards: the best window in hindsight is no result.

    Args:
        truth: annotations of the validation data.
        prediction: what the same model predicted for them.
        candidates: lines of steps, such as ``smooth:mean,11|lag:5``; an empty one is to do nothing.
        metric: an overall metric; empty for the task's headline.
        options: target, mapping and rules, as of the scores that the steps are for.

    Returns:
        The best steps, each with the digest of the validation annotations, and the score of every candidate.

    Raises:
        InputError: no candidate, or none whose score is defined.
        UnknownNameError: no such metric or step.

    Example:
        >>> from affectcheck.annotations.validation import make_table
        >>> from affectcheck.models.card import ModelCard
        >>> from affectcheck.predictions import make_predictions
        >>> from affectcheck.schemes import Target, scheme
        >>> import numpy as np
        >>> late = np.array([0.0, 0.0, 0.4, 0.8, 0.1, 0.3])
        >>> columns = {"item": list("abcdef"), "media": ["v"] * 6, "frame": range(1, 7), "valence": late, "arousal": late}
        >>> table = make_table(columns, targets=[Target("affect", scheme("valence-arousal"))])
        >>> early = np.roll(late, -1)[:, None].repeat(2, axis=1)
        >>> card = ModelCard("m", "dimensions", ("valence", "arousal"), "value", low=-1.0)
        >>> chosen = choose_steps(table, make_predictions(list("abcdef"), early, card), ["", "lag:1", "lag:2"])
        >>> chosen.steps[0].frames, [value is not None for _, value in chosen.values]
        (1, [True, True, True])
    """
    lines = [parse_steps(line) if isinstance(line, str) else tuple(line) for line in candidates]
    told = options or EvaluationOptions()
    name = metric or task_of(truth.target(told.target).scheme).headline
    quick = replace(told, metrics=(name,), by=(), resamples=0, shifts="")
    found = [evaluate(truth, prediction, options=replace(quick, steps=line))[name] for line in lines]
    values = [score.value if isinstance(score, Score) else None for score in found]
    known = [place for place, value in enumerate(values) if value is not None]
    if not known:
        raise InputError(
            f"no steps can be chosen by {name}: {found[0].reason if found else 'there are no candidates'}",  # type: ignore[union-attr]  # undefined
            expected="at least one candidate whose score on the validation data is defined",
        )
    best = max(known, key=lambda place: _goodness(name, values[place] or 0.0))
    digest = truth.digest[:SHOWN]
    chosen = tuple(replace(step, fitted=step.fitted or digest) if step.words() else step for step in lines[best])
    return ChosenSteps(chosen, name, tuple(zip(map(steps_text, lines), values, strict=True)))


def _goodness(metric: str, value: float) -> float:
    better = METRICS.get(metric).higher_is_better
    return -abs(value) if better is None else value if better else -value
