"""Robustness tests pass for models that keep their predictions, fail for those that do not, and count silence out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

from affectcheck.behaviour import SuiteOptions, load_suites, plan, run
from affectcheck.errors import InputError
from affectcheck.predictions import PredictOptions
from affectcheck.records import Fault
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from pathlib import Path

NOISE, GAIN = "robustness-white-noise", "robustness-gain"


def moved(codes: np.ndarray, share: float) -> np.ndarray:
    """The same decisions, but for a share of the items."""
    other = rng(3, "moved").random(len(codes)) < share
    return np.where(other, (codes + 1) % 4, codes)


@pytest.mark.parametrize(
    ("test", "share", "status"),
    [
        (NOISE, 0.0, "passed"),
        (NOISE, 0.03, "passed"),
        (NOISE, 0.3, "failed"),
        (GAIN, 0.0, "passed"),
        (GAIN, 0.02, "passed"),
        (GAIN, 0.15, "failed"),
    ],
)
def test_classes_pass_and_fail(speech: Any, outcome: Any, test: str, share: float, status: str) -> None:
    codes = speech.right(0.9)
    found = outcome(test, speech, speech.predictions(codes), perturbed=speech.predictions(moved(codes, share)))
    assert found.statuses() == {status}
    unchanged = found.one("unchanged")
    assert unchanged.value == pytest.approx(1 - share, abs=0.02)
    assert unchanged.baseline == pytest.approx(0.25, abs=0.05)  # the random model guesses anew


def test_a_change_of_the_score_is_perturbed_minus_clean(speech: Any, outcome: Any) -> None:
    found = outcome(
        NOISE, speech, speech.predictions(speech.truth), perturbed=speech.predictions(moved(speech.truth, 0.3))
    )
    assert found.one("uar_change").value == pytest.approx(-0.3, abs=0.03)
    better = outcome(NOISE, speech, speech.predictions(speech.right(0.5)), perturbed=speech.predictions(speech.truth))
    assert better.one("uar_change").status == "passed"
    assert better.one("uar_change").value > 0.3
    assert better.one("unchanged").status == "failed"


def test_a_share_near_its_limit_is_inconclusive(speech: Any, outcome: Any) -> None:
    codes = speech.right(0.9)
    found = outcome(GAIN, speech, speech.predictions(codes), perturbed=speech.predictions(moved(codes, 0.05)))
    assert found.one("unchanged").status == "inconclusive"


@pytest.mark.parametrize(("shift", "status"), [(0.0, "passed"), (0.2, "failed")])
def test_values_pass_and_fail(affect: Any, outcome: Any, shift: float, status: str) -> None:
    values = affect.near(0.03)
    found = outcome(NOISE, affect, affect.predictions(values), perturbed=affect.predictions(values + shift))
    assert found.statuses() == {status}
    assert found.one("mean_change", part="arousal").value == pytest.approx(shift)
    assert len(found.verdicts) == 9


def test_the_tolerance_is_strict_on_unrounded_values(affect: Any, outcome: Any) -> None:
    values = np.full_like(affect.truth, 0.5)
    below = outcome(GAIN, affect, affect.predictions(values), perturbed=affect.predictions(values + 0.0499))
    assert below.one("unchanged", part="arousal").value == 1.0
    above = outcome(GAIN, affect, affect.predictions(values), perturbed=affect.predictions(values - 0.0501))
    assert above.one("unchanged", part="arousal").value == 0.0


def test_a_ccc_of_two_constants_is_not_applicable(affect: Any, outcome: Any) -> None:
    flat = np.full_like(affect.truth, 0.5)
    frame = affect.table.frame.with_columns(arousal=pl.lit(0.5))
    world = replace(affect.with_frame(frame), truth=flat)
    prediction = affect.predictions(flat)
    change = outcome(NOISE, world, prediction, perturbed=prediction).one("ccc_change", part="arousal")
    assert change.status == "not applicable"
    assert "constant" in change.reason


def test_only_items_whose_sound_changed_count_and_the_others_are_counted(speech: Any, outcome: Any) -> None:
    codes = speech.right(0.9)
    changed = codes.copy()
    changed[:800] = (changed[:800] + 1) % 4  # all of the items below change; the silent ones "stay" by construction
    prediction = speech.predictions(changed)
    silent = speech.table.items[800:]
    faults = tuple(Fault(item, "perturbation not applicable", "silence") for item in silent)
    perturbed = type(prediction)(prediction.select(speech.table.items[:800]).frame, prediction.card, "", faults)
    unchanged = outcome(GAIN, speech, speech.predictions(codes), perturbed=perturbed).one("unchanged")
    assert unchanged.value == 0.0
    assert unchanged.support == 800
    assert "800 items whose sound was not changed are left out" in unchanged.notes


def test_items_on_which_the_model_fails_once_changed_do_not_go_unsaid(speech: Any, outcome: Any) -> None:
    prediction = speech.predictions(speech.right(0.9))
    failed, without_sound = speech.table.items[-1], "not in the clean predictions"
    faults = (
        Fault(failed, "model raised", "ValueError: noise\nmore"),
        Fault(without_sound, "unreadable media", "gone"),
    )
    kept = prediction.select(speech.table.items[:-1])
    perturbed = type(prediction)(kept.frame, prediction.card, "", faults)
    unchanged = outcome(GAIN, speech, prediction, perturbed=perturbed).one("unchanged")
    assert unchanged.support == len(speech.table.items) - 1
    told = f"1 item without a prediction of the changed sound is left out, the first {failed!r}: ValueError: noise"
    assert told in unchanged.notes


def test_nothing_but_silence_is_not_applicable(speech: Any, outcome: Any) -> None:
    prediction = speech.predictions(speech.right(0.9))
    none = type(prediction)(prediction.frame.clear(), prediction.card)
    for test in (GAIN, NOISE):
        found = outcome(test, speech, prediction, perturbed=none)
        assert found.statuses() == {"not applicable"}


def test_labels_are_not_needed_for_what_stays(speech: Any, outcome: Any) -> None:
    frame = speech.table.frame.with_columns(expression=pl.lit(None, dtype=pl.Enum(speech.labels)))
    world = speech.with_frame(frame)
    prediction = speech.predictions(speech.right(0.9))
    assert outcome(GAIN, world, prediction, perturbed=prediction).one("unchanged").value == 1.0


class Loudness:
    """Decides by the level of the clip: the twin that a gain must unmask."""

    def __init__(self, card: Any, *, sensitive: bool) -> None:
        self.card, self.sensitive = card, sensitive

    def predict(self, items: Any) -> np.ndarray:
        scores = np.zeros((len(items), 4))
        for row, item in enumerate(items):
            samples = np.asarray(item.audio.samples, np.float64)
            level = np.sqrt(np.mean(samples**2)) if self.sensitive else np.mean(samples > 0) / 10
            scores[row, int(level * 40) % 4] = 1
        return scores


@pytest.mark.parametrize(("sensitive", "status"), [(False, "passed"), (True, "failed")])
def test_a_level_sensitive_model_is_caught_by_the_gain(
    speech: Any, tmp_path: Path, sensitive: bool, status: str
) -> None:
    soundfile = pytest.importorskip("soundfile")
    kept = speech.table.filter(speech.table.frame["item"].is_in(speech.table.items[:200].implode()))
    for item in kept.items:
        draw = rng(1, item)
        samples = draw.uniform(0.02, 0.3) * draw.standard_normal(160)
        soundfile.write(tmp_path / f"{item}.wav", samples.astype(np.float32), 16_000, subtype="FLOAT")
    table = replace(kept, root=tmp_path)
    model = Loudness(speech.card(media=("audio",), digest=""), sensitive=sensitive)
    seen = []
    options = SuiteOptions(resamples=100, predict=PredictOptions(progress=lambda done, total: seen.append(total)))
    planned = plan(load_suites([GAIN]), model.card, table, options=options)
    assert planned.predictions == 200
    (verdict,) = run(planned, model, table, None, options)
    assert verdict.status == status
    assert len(seen) > 2


def test_what_is_missing_without_a_model_is_said(speech: Any) -> None:
    prediction = speech.predictions(speech.right(0.9))
    planned = plan(load_suites([GAIN]), prediction.card, speech.table)
    with pytest.raises(InputError, match=r"predictions under gain\(.*are needed"):
        run(planned, None, speech.table, prediction)
    with pytest.raises(InputError, match="predictions are needed"):
        run(plan(load_suites(["correctness"]), prediction.card, speech.table), None, speech.table)
    with pytest.raises(InputError, match="a plan of mode 'corrected'"):
        run(planned, None, speech.table, prediction, SuiteOptions(mode="published"))
