"""Disparities of single action units and dimensions stand behind those of all, with floors or intervals of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from affect_tables import affect, keys, predicted_affect

from affectcheck import seeds
from affectcheck.annotations.validation import make_table
from affectcheck.evaluation import Evaluation, EvaluationOptions, evaluate
from affectcheck.evaluation.disparity import Disparity
from affectcheck.evaluation.uncertain import Uncertainty
from affectcheck.metrics import metrics_of
from affectcheck.models.card import ModelCard
from affectcheck.predictions import make_predictions
from affectcheck.records import Score
from affectcheck.schemes import Target, UnitScheme
from affectcheck.tallies import Units

if TYPE_CHECKING:
    from affectcheck.metrics import Metric

UNITS = ("AU1", "AU2", "AU4")


def units(resamples: int = 60, *, convention: str = "paper") -> Evaluation:
    random = seeds.rng(3, "units")
    truth, made = random.integers(0, 2, (240, 3)), random.integers(0, 2, (240, 3))
    truth[:120, 2] = 0  # AU4 is never present among the women
    columns: dict[str, list[object]] = {"item": keys(240), "subject": [f"s{i // 10}" for i in range(240)]}
    columns |= {"sex": ["f"] * 120 + ["m"] * 120}
    columns |= {unit: truth[:, m].tolist() for m, unit in enumerate(UNITS)}
    table = make_table(columns, targets=[Target("aus", UnitScheme("three", UNITS))], groups=("sex",), name="made")
    predictions = make_predictions(keys(240), made.astype(float), ModelCard("made", "units", UNITS, "label"))
    options = EvaluationOptions(by=("sex",), resamples=resamples, convention=convention)  # type: ignore[arg-type]
    return evaluate(table, predictions, options=options)


def of_parts(found: Evaluation, metric: str, convention: str = "paper") -> dict[str, object]:
    mine = [s for s in found if s.metric == metric and s.place.attribute == "sex" and s.place.part]
    return {s.place.part: s for s in mine if not s.place.group and s.signature.convention in ("", convention)}


@pytest.mark.parametrize("metric", ["eod", "dpd"])
def test_the_whole_is_the_mean_of_its_defined_units(metric: str) -> None:
    found = units()
    parts = of_parts(found, metric)
    assert tuple(parts) == UNITS
    defined = [s for s in parts.values() if isinstance(s, Score)]
    assert found.by("sex")[metric].value == pytest.approx(np.mean([s.value for s in defined]))
    for score in defined:
        assert score.floor is not None
        assert 0.0 < score.floor.mean < score.floor.quantile
        assert score.decision is None, "the limit is one of the whole"
        assert score.interval is None


def test_a_unit_without_two_groups_says_so_and_tables_takes_zero() -> None:
    found = units()
    lone = of_parts(found, "eod")["AU4"]
    assert not isinstance(lone, Score)
    assert lone.reason == "AU4: defined in 1 of 2 groups"  # type: ignore[attr-defined]
    assert isinstance(of_parts(found, "eod", "tables")["AU4"], Score)


def test_floors_of_parts_do_not_move_those_of_the_whole() -> None:
    """Each disparity keeps its own place among those that are drawn together."""
    found = units()
    for metric, convention in (("eod", "paper"), ("eod", "tables"), ("dpd", "paper"), ("unit_f1_gap", "paper")):
        whole = next(
            s
            for s in found
            if s.metric == metric and s.place.attribute == "sex" and not s.place.part
            and s.signature.convention in ("", convention)
        )  # fmt: skip
        assert isinstance(whole, Score)
        assert whole.floor is not None
        parts = [s for s in of_parts(found, metric, convention).values() if isinstance(s, Score)]
        means = [s.floor.mean for s in parts if s.floor is not None]
        if metric in ("eod", "dpd"):
            # In every draw the whole is the mean of its defined parts.
            assert min(means) <= whole.floor.mean <= max(means)
        else:
            assert whole.floor.mean <= max(means), "a gap of means is no more than the largest gap"


def test_local_scores_of_parts_have_intervals() -> None:
    found = units()
    parts = of_parts(found, "unit_local_f1")
    assert all(isinstance(s, Score) and s.interval is not None and s.floor is None for s in parts.values())


def test_the_parts_of_a_mean_are_resampled_together(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    real = Uncertainty.intervals

    def counted(self: Uncertainty, *args: Any, **options: Any) -> Any:
        asked.append(bool(options.get("asked")))
        return real(self, *args, **options)

    monkeypatch.setattr(Uncertainty, "intervals", counted)
    units()
    # Local F1 in two conventions: once as a whole and once for all units, however many there are.
    assert sum(asked) == 4


COUNTED = [m for m in metrics_of("units", "disparity") if m.supports("paper") and m.tally is Units]


@pytest.mark.parametrize("metric", COUNTED, ids=lambda metric: metric.name)
def test_as_many_values_as_are_counted(metric: Metric) -> None:
    tally = Units.zero(units=3, shape=(2,))
    wanted = Disparity(metric, "paper")
    assert wanted.values(tally).shape == (wanted.number(tally, UNITS),)


def test_without_resamples_there_is_no_floor() -> None:
    assert all(s.floor is None for s in of_parts(units(0), "dpd").values() if isinstance(s, Score))


def test_dimensions() -> None:
    random = seeds.rng(4, "dimensions")
    truth = random.random((200, 2))
    made = np.clip(0.6 * truth + 0.2 * random.random((200, 2)), 0, 1)
    subject = [f"s{i // 10}" for i in range(200)]
    table = affect(truth, subject=subject, sex=["f"] * 100 + ["m"] * 100)
    found = evaluate(table, predicted_affect(made), options=EvaluationOptions(by=("sex",), resamples=50))
    local = of_parts(found, "local_ccc")
    assert tuple(local) == ("arousal", "valence")
    assert found.by("sex")["local_ccc"].value == pytest.approx(np.mean([s.value for s in local.values()]))  # type: ignore[attr-defined]
    groups = [found.parts("ccc", attribute="sex", group=g)["valence"].value for g in ("f", "m")]
    assert local["valence"].value == pytest.approx(np.mean(groups))  # type: ignore[attr-defined]
    gap = of_parts(found, "ccc_gap")["valence"]
    assert gap.value == pytest.approx(abs(groups[0] - groups[1]))  # type: ignore[attr-defined]
