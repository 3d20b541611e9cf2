"""Accent and language: what is predicted for each group, without labels, against brute force."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest

from affectcheck.behaviour import load_suites
from affectcheck.behaviour.fairness_support import LOWEST_BIN
from affectcheck.behaviour.totals import Totals
from affectcheck.seeds import rng
from unlabelled_items import BIN_NAMES, DIMENSIONS, LABELS, by_place, codes, guesses, make_items, values_of, verdicts

ACCENTS = ("amharic", "arabic", "english", "german")
(ACCENT, LANGUAGE) = load_suites(["fairness-accent", "fairness-language"])


@pytest.fixture(scope="module")
def accents():
    sex = ["female", "male"] * 160
    return make_items("native_language", dict.fromkeys(ACCENTS, 80), sex=sex)


def test_published_shares_are_those_of_plain_counting(accents):
    predicted = rng(1, "codes").integers(4, size=accents.height)
    found = by_place(
        verdicts("fairness-accent", accents, codes(accents, predicted), mode="published"), "share_difference"
    )
    groups = accents.frame.get_column("native_language").to_list()
    assert len(found) == 4 * 4
    for (group, label), verdict in found.items():
        own = [p for p, g in zip(predicted, groups, strict=True) if g == group]
        share = Counter(own)[LABELS.index(label)] / len(own)
        everybody = Counter(predicted.tolist())[LABELS.index(label)] / len(predicted)
        assert verdict.value == round(share - everybody, 2)
        assert verdict.status == ("passed" if abs(verdict.value) < 0.225 else "failed")
        assert (verdict.support, verdict.threshold.value) == (80, 0.225)
        assert verdict.detectable > 0.225


def test_published_means_and_bins_are_those_of_plain_counting(accents):
    prediction = guesses(accents, "dimensions", seed=2)
    found = verdicts("fairness-accent", accents, prediction, mode="published")
    groups = np.array(accents.frame.get_column("native_language"))
    rounded = np.round(prediction.frame.select(DIMENSIONS).to_numpy().astype(np.float32), 2)
    means, shares = by_place(found, "mean_difference"), by_place(found, "share_difference")
    edges = [-np.inf, 0.25, 0.5, 0.75, np.inf]
    assert (len(means), len(shares)) == (12, 48)
    for index, dimension in enumerate(DIMENSIONS):
        values = rounded[:, index].astype(float)
        for group in ACCENTS:
            own = values[groups == group]
            assert means[group, dimension].value == round(own.mean() - values.mean(), 2)
            for low, high, name in zip(edges, edges[1:], BIN_NAMES, strict=False):
                inside = [((some > low) & (some <= high)) for some in (own, values)]
                verdict = shares[group, f"{dimension} {name}"]
                assert verdict.value == round(inside[0].mean() - inside[1].mean(), 2)
                assert (verdict.support, verdict.minimum_support) == (inside[1].sum(), 4)


def test_bins_that_are_hardly_predicted_are_skipped_and_counted(accents):
    values = np.clip(rng(1, "narrow").uniform(0.3, 0.7, (accents.height, 3)), 0, 1)
    values[:3, 0] = 0.9
    found = by_place(
        verdicts("fairness-accent", accents, values_of(accents, values), mode="published"), "share_difference"
    )
    skipped = [one for one in found.values() if one.status == "not applicable"]
    assert len(skipped) == 3 * 2 * len(ACCENTS)
    assert found["german", "arousal (0.75, inf)"].reason == "3 items, the test takes at least 4"
    assert found["german", "valence (-inf, 0.25]"].reason == "0 items, the test takes at least 4"


def test_corrected_bins_take_the_number_that_is_expected_in_the_lowest(accents):
    found = by_place(verdicts("fairness-accent", accents, guesses(accents, "dimensions")), "share_difference")
    assert {one.minimum_support for one in found.values()} == {round(LOWEST_BIN * 80)}


def test_a_group_that_is_predicted_otherwise_is_found(accents):
    rows = np.array(accents.frame.get_column("native_language") == "german")
    shifted = verdicts("fairness-accent", accents, guesses(accents, "dimensions", rows=rows, by=0.15))
    assert by_place(shifted, "mean_difference")["german", "arousal"].status == "failed"
    predicted = np.where(
        rows & (rng(2, "bias").random(len(rows)) < 0.7), 0, rng(1, "codes").integers(4, size=len(rows))
    )
    biased = by_place(verdicts("fairness-accent", accents, codes(accents, predicted)), "share_difference")
    assert biased["german", "anger"].status == "failed"
    assert biased["german", "anger"].detectable > biased["german", "anger"].threshold.value
    assert any("noise floor" in note for note in biased["german", "anger"].notes)


@pytest.mark.parametrize("kind", ["categories", "dimensions"])
def test_random_models_fail_nothing(accents, kind):
    for seed in range(5):
        found = verdicts("fairness-accent", accents, guesses(accents, kind, seed), mode="published", seed=seed)
        assert {one.status for one in found} <= {"passed", "not applicable"}
        assert all(one.detectable for one in found if one.value is not None)


def test_random_models_exceed_simulated_thresholds_of_a_metric_in_one_run_of_a_hundred(accents):
    failed = Counter()
    for seed in range(40):
        for kind in ("categories", "dimensions"):
            found = verdicts("fairness-accent", accents, guesses(accents, kind, seed), seed=seed)
            beyond = {(one.metric, one.place.part.split()[0]) for one in found if one.status == "failed"}
            failed[kind] += len(beyond)
    assert failed["categories"] <= 3  # of 40, where 0.4 are expected
    assert failed["dimensions"] <= 8  # of 240, where 2.4 are expected


def test_accents_with_few_clips_or_speakers_are_left_out_and_counted():
    table = make_items("native_language", {"german": 100, "dutch": 100, "urdu": 30, "thai": 100}, speakers=10)
    number = table.frame.get_column("subject").str.split("-").list.get(1).cast(pl.Int64)
    accent = table.frame.get_column("native_language")
    men = (accent == "thai").to_numpy() | (number % 2 == 0).to_numpy()
    table = type(table)(
        table.frame.with_columns(pl.Series("sex", np.where(men, "male", "female"))), {}, table.groups, table.name
    )
    found = verdicts("fairness-accent", table, guesses(table, "dimensions"))
    refused = {one.place.group: one for one in found if one.place.group in ("urdu", "thai")}
    assert refused["urdu"].reason == "30 items, the test takes at least 60 a group"
    assert refused["thai"].reason == "0 subjects of sex female, the test takes at least 5 a group"
    assert sum(one.place.group == "urdu" for one in found) == 3 * 2
    assert {one.place.group for one in found if one.value is not None} == {"dutch", "german"}
    kept = next(one for one in found if one.value is not None)
    assert "left out: thai, urdu" in " ".join(kept.notes)
    alone = table.filter(pl.col("native_language").is_in(["german", "urdu"]))
    for kind, entries in (("categories", 1), ("dimensions", 3 * 2)):
        refusal = verdicts("fairness-accent", alone, guesses(alone, kind))
        assert {one.status for one in refusal} == {"not applicable"}
        assert len(refusal) == entries
        assert "urdu has 30 items" in refusal[0].reason
    unsexed = type(table)(table.frame.drop("sex"), {}, table.groups, table.name)
    assert "thai" in {one.place.group for one in verdicts("fairness-accent", unsexed, guesses(table, "categories"))}
    few = table.filter(pl.col("native_language").is_in(["german", "thai"]))
    assert "thai: 0 subjects of sex female" in verdicts("fairness-accent", few, guesses(few, "categories"))[0].reason


def test_subjects_are_counted_where_they_are_known():
    table = make_items("language", {"de": 150, "en": 150, "it": 150}, speakers=1)
    reason = verdicts("fairness-language", table, guesses(table, "categories"))[0].reason
    assert "fewer than 2 subjects" in reason
    mixed = table.frame.with_columns(
        pl.when(pl.col("language") == "it").then(pl.col("subject")).otherwise(pl.col("item")).alias("subject")
    )
    found = verdicts("fairness-language", type(table)(mixed, {}, table.groups, "made"), guesses(table, "categories"))
    assert {one.reason for one in found if one.place.group == "it"} == {"1 subject, the test takes at least 2 a group"}


def test_languages_give_2000_clips_and_chinese_ones_are_one():
    table = make_items("language", {"de": 2300, "zh-CN": 1200, "zh-TW": 900})
    found = verdicts("fairness-language", table, guesses(table, "categories"), mode="published")
    assert {one.place.group for one in found} == {"de", "zh"}
    assert {one.support for one in found} == {2000}
    again = verdicts("fairness-language", table, guesses(table, "categories"), mode="published", seed=1)
    assert [one.value for one in again] != [one.value for one in found]
    small = make_items("language", {"de": 2300, "en": 1900, "it": 2100})
    left = verdicts("fairness-language", small, guesses(small, "categories"), mode="published")
    assert {one.place.group for one in left if one.value is not None} == {"de", "it"}


def test_a_model_with_classes_that_the_paper_has_not_is_compared_on_those_it_has(accents):
    from affectcheck.models.card import ModelCard
    from affectcheck.predictions import make_predictions

    card = ModelCard("made", "categories", (*LABELS, "fear"), output="label")
    predicted = make_predictions(accents.items, np.eye(5)[rng(1, "five").integers(5, size=accents.height)], card)
    parts = {
        mode: {one.place.part for one in verdicts("fairness-accent", accents, predicted, mode=mode)}
        for mode in ("published", "corrected")
    }
    assert parts == {"published": set(LABELS), "corrected": {*LABELS, "fear"}}


def test_totals_add_up():
    codes_, cells = np.array([0, 1, 1, 2]), np.array([0, 0, 1, 1])
    halves = [Totals.of_codes(codes_[rows], 3, cells[rows], (2,)) for rows in (slice(2), slice(2, 4))]
    whole = Totals.of_codes(codes_, 3, cells, (2,))
    assert ((halves[0] + halves[1]).sums == whole.sums).all()
    assert (whole.weighted([[1, 2]]).sums == [[1, 3, 2]]).all()
