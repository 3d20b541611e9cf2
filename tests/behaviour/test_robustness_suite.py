"""The 22 robustness tests: what they perturb, what they compare, and that their limits are those of paper 2."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from affectcheck.augmentations import make_augmentation
from affectcheck.behaviour import SuiteOptions, explain, load_suite, load_suites, plan, run
from recorded_sounds import write_sounds

if TYPE_CHECKING:
    from pathlib import Path

TESTS = {one.name: one for one in load_suite("robustness")}
#: Test and name of the perturbation in the published results, by the name of the test here.
PUBLISHED = {
    "noise-babble": ("background_noise", "Babble Noise"),
    "noise-coughing": ("background_noise", "Coughing"),
    "noise-environmental": ("background_noise", "Environmental Noise"),
    "noise-music": ("background_noise", "Music"),
    "noise-sneezing": ("background_noise", "Sneezing"),
    "white-noise": ("background_noise", "White Noise"),
    "low-quality-phone": ("low_quality_phone", "Low Quality Phone"),
    "recording-condition": ("recording_condition", "Recording Condition"),
    "simulated-position": ("simulated_recording_condition", "Simulated Position"),
    "simulated-room": ("simulated_recording_condition", "Simulated Room"),
    "additive-tone": ("small_changes", "Additive Tone"),
    "append-zeros": ("small_changes", "Append Zeros"),
    "clip": ("small_changes", "Clip"),
    "crop-beginning": ("small_changes", "Crop Beginning"),
    "crop-end": ("small_changes", "Crop End"),
    "gain": ("small_changes", "Gain"),
    "highpass": ("small_changes", "Highpass Filter"),
    "lowpass": ("small_changes", "Lowpass Filter"),
    "prepend-zeros": ("small_changes", "Prepend Zeros"),
    "white-noise-small": ("small_changes", "White Noise"),
    "tilt-down": ("spectral_tilt", "Downward Tilt"),
    "tilt-up": ("spectral_tilt", "Upward Tilt"),
}
METRICS = {
    "uar": "Change UAR",
    "uap": "Change UAP",
    "ccc": "Change CCC",
    "mean": "Change Average Value",
    "unchanged": "Percentage Unchanged Predictions",
}


def sets_of(test: Any, task: Any) -> int:
    """Number of published sets; of NSC, two devices are compared with the reference."""
    named = len(task.sets or test.data.sets)
    return 2 * named if test.kind == "recording" else named


def test_there_are_22_of_them() -> None:
    assert set(TESTS) == {f"robustness-{name}" for name in PUBLISHED}


def test_the_paper_has_82_comparisons_a_dimension_and_193_of_classes() -> None:
    counts: Counter[str] = Counter()
    for test in TESTS.values():
        for task in test.task:
            counts[task.kind] += len(task.comparison) * sets_of(test, task)
    assert counts == {"dimensions": 82, "categories": 193}


@pytest.mark.shared
def test_limits_and_sets_are_the_published_ones(shared_data: Path) -> None:
    entries = json.loads((shared_data / "reference" / "ser_thresholds.json").read_text())
    published = {(e["task"], e["test"], e["metric"]): e for e in entries if e["test"].startswith("robustness_")}
    found = set()
    for name, (test, change) in PUBLISHED.items():
        definition = TESTS[f"robustness-{name}"]
        for task in definition.task:
            for dimension in task.dimensions or ("emotion",):
                for one in task.comparison:
                    key = (dimension, f"robustness_{test}", f"{METRICS[one.metric]} {change}")
                    assert one.limit == published[key]["threshold"], key
                    assert sets_of(definition, task) == len(published[key]["datasets"]), key
                    found.add(key)
    assert found == set(published)


@pytest.mark.parametrize("test", TESTS.values(), ids=lambda one: one.name)
def test_rules_and_sources_are_stated(test: Any) -> None:
    assert {task.kind for task in test.task} == {"categories", "dimensions"}
    for task in test.task:
        for one in task.comparison:
            assert one.source.startswith("paper 2, Table IV")
            assert one.rule == ("abs_lt" if one.metric == "mean" else "gt")
            assert (one.tolerance == 0.05) == (one.metric == "unchanged" and task.kind == "dimensions")
    assert test.data.media == ("audio",)
    only_stays = {one.metric for task in test.task for one in task.comparison} == {"unchanged"}
    assert test.data.labels != only_stays  # what is compared with itself takes no labels
    published, corrected = test.rules("published"), test.rules("corrected")
    assert (published.prediction_decimals, published.prediction_float32, published.score_decimals) == (2, True, 2)
    assert (corrected.prediction_decimals, corrected.score_decimals) == (None, None)


@pytest.mark.parametrize("place", ["position", "room"])
def test_simulated_places_are_compared_with_a_simulated_place(place: str) -> None:
    test = TESTS[f"robustness-simulated-{place}"]
    assert test.perturbation.parameters == {"role": place, "response": "drawn"}
    assert test.reference.perturbation.parameters == {"role": place, "response": "reference"}
    assert test.data.maximum_items == 5000


def test_short_sounds_have_their_ratio_where_they_sound_in_corrected_mode() -> None:
    for name in ("coughing", "sneezing"):
        test = TESTS[f"robustness-noise-{name}"]
        assert test.rules("corrected").parameters == {"snr_over": "active"}
        assert test.rules("published").parameters == {}


@pytest.fixture(scope="module")
def sounds(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return write_sounds(tmp_path_factory.mktemp("sounds"))


@pytest.mark.parametrize("place", ["position", "room"])
def test_what_is_drawn_is_compared_with_the_reference_and_not_with_the_recording(
    speech: Any, sounds: Any, place: str
) -> None:
    pytest.importorskip("soundfile")
    codes = speech.right(0.9)
    clean, elsewhere = speech.predictions((codes + 2) % 4), speech.predictions((codes + 1) % 4)
    few = np.where(np.arange(len(codes)) % 10 == 0, (codes + 2) % 4, (codes + 1) % 4)
    tests = load_suites([f"robustness-simulated-{place}"])
    planned = plan(tests, clean.card, speech.table, options=SuiteOptions(sounds=sounds))
    by_response = {one.augmentation.response: one.key for one in planned.perturbations}
    assert set(by_response) == {"reference", "drawn"}
    perturbed = {by_response["reference"]: elsewhere, by_response["drawn"]: speech.predictions(few)}
    options = SuiteOptions(sounds=sounds, perturbed=perturbed, resamples=200)
    (verdict,) = run(planned, None, speech.table, clean, options)
    assert verdict.value == pytest.approx(0.9)
    assert verdict.status == "passed"


@pytest.mark.parametrize(
    ("test", "told"),
    [
        ("simulated-position", "get MARDY and state --sounds mardy:FOLDER"),
        ("simulated-room", "get AIR and state --sounds air:FOLDER"),
        ("noise-babble", "get MUSAN"),
        ("noise-coughing", "get cough-speech-sneeze"),
    ],
)
def test_without_sounds_the_reason_says_what_to_get(speech: Any, test: str, told: str) -> None:
    planned = plan(load_suites([f"robustness-{test}"]), speech.card(media=("audio",)), speech.table)
    assert told in planned.tests[0].reason


def test_every_perturbation_of_the_suite_can_be_made(sounds: Any) -> None:
    for test in TESTS.values():
        for spec in (test.perturbation, test.reference.perturbation):
            for mode in ("corrected", "published"):
                if spec is not None:
                    parameters = {**spec.parameters, **test.rules(mode).parameters}
                    made = make_augmentation(spec.augmentation, parameters, sounds)
                    assert made.key.startswith(spec.augmentation)


def test_references_pairs_and_parameters_of_a_mode_are_explained() -> None:
    room = explain(TESTS["robustness-simulated-room"])
    assert "Compares with: impulse-response (role room, response reference), not with the sound as recorded." in room
    recording = explain(TESTS["robustness-recording-condition"])
    assert "a column channel, a column subject, a column text" in recording
    assert "Pairs: channel headset with every other one, by the same subject and text." in recording
    lines = explain(TESTS["robustness-noise-coughing"]).splitlines()
    (corrected,) = [line for line in lines if line.startswith("  Corrected mode")]
    (published,) = [line for line in lines if line.startswith("  Published mode")]
    assert "perturbed with snr_over active" in corrected
    assert "snr_over" not in published
    assert "Perturbs: tilt-up, drawn" in explain(TESTS["robustness-tilt-up"])
