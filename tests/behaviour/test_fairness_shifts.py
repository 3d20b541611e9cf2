"""Linguistic sentiment: shifts by group against brute force."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from affectcheck.seeds import rng
from unlabelled_items import BIN_NAMES, DIMENSIONS, LABELS, SENTIMENTS, by_place, codes, guesses, make_items, verdicts

TEST = "fairness-linguistic-sentiment"
LANGUAGES = ("de", "en", "ja")


def make_sentences(each: int, languages: Any = LANGUAGES, **changes: Any) -> Any:
    said = [SENTIMENTS[i % 3] for i in range(each * len(languages))]
    return make_items("language", dict.fromkeys(languages, each), **({"sentiment": said} | changes))


@pytest.fixture(scope="module")
def sentences():
    return make_sentences(700)


def plain_shifts(value: Any, language: np.ndarray, sentiment: np.ndarray) -> dict[tuple[str, str], float]:
    """Section by section as the paper writes it: value of rows to a number."""
    shift = {
        (one, mood): value((language == one) & (sentiment == mood)) - value(language == one)
        for one in LANGUAGES
        for mood in SENTIMENTS
    }
    mean = {mood: np.mean([shift[one, mood] for one in LANGUAGES]) for mood in SENTIMENTS}
    return {key: moved - mean[key[1]] for key, moved in shift.items()}


def test_shifts_of_values_are_those_of_plain_counting(sentences):
    prediction = guesses(sentences, "dimensions", seed=3)
    found = verdicts(TEST, sentences, prediction)
    means, shares = by_place(found, "mean_difference"), by_place(found, "share_difference")
    assert (len(means), len(shares)) == (3 * 3 * 3, 3 * 3 * 3 * 4)
    language, sentiment = (np.array(sentences.frame.get_column(name)) for name in ("language", "sentiment"))
    for dimension in DIMENSIONS:
        values = prediction.frame.get_column(dimension).to_numpy()
        for (one, mood), expected in plain_shifts(lambda rows, v=values: v[rows].mean(), language, sentiment).items():
            verdict = means[one, f"{dimension} {mood}"]
            assert verdict.value == pytest.approx(expected, abs=1e-12)
            assert verdict.support == ((language == one) & (sentiment == mood)).sum()
        bins = np.searchsorted([0.25, 0.5, 0.75], values)
        for code, name in enumerate(BIN_NAMES):
            plain = plain_shifts(lambda rows, b=bins, c=code: (b[rows] == c).mean(), language, sentiment)
            for (one, mood), expected in plain.items():
                verdict = shares[one, f"{dimension} {name} {mood}"]
                assert verdict.support == ((bins == code) & (sentiment == mood)).sum()
                if verdict.value is not None:
                    assert verdict.value == pytest.approx(expected, abs=1e-12)


def test_shifts_of_classes_are_those_of_plain_counting(sentences):
    predicted = rng(4, "codes").integers(4, size=sentences.height)
    found = by_place(verdicts(TEST, sentences, codes(sentences, predicted)), "share_difference")
    language, sentiment = (np.array(sentences.frame.get_column(name)) for name in ("language", "sentiment"))
    assert len(found) == 3 * 3 * 4
    for code, label in enumerate(LABELS):
        plain = plain_shifts(lambda rows, c=code: (predicted[rows] == c).mean(), language, sentiment)
        for (one, mood), expected in plain.items():
            assert found[one, f"{label} {mood}"].value == pytest.approx(expected, abs=1e-12)


def test_a_language_that_sentiment_moves_more_is_found(sentences):
    frame = sentences.frame
    rows = np.array((frame.get_column("language") == "en") & (frame.get_column("sentiment") == "positive"))
    found = verdicts(TEST, sentences, guesses(sentences, "dimensions", rows=rows, by=0.1))
    means = by_place(found, "mean_difference")
    assert means["en", "valence positive"].status == "failed"
    assert means["en", "valence positive"].value == pytest.approx(0.1 * 2 / 3 * 2 / 3, abs=0.01)
    assert means["en", "valence positive"].detectable > means["en", "valence positive"].threshold.value
    everywhere = np.array(frame.get_column("sentiment") == "positive")
    alike = verdicts(TEST, sentences, guesses(sentences, "dimensions", rows=everywhere, by=0.1))
    assert "failed" not in {one.status for one in alike}


@pytest.mark.parametrize("kind", ["categories", "dimensions"])
def test_random_models_fail_nothing(kind):
    table = make_sentences(2000)
    for mode in ("corrected", "published"):
        for seed in (1, 2):
            found = verdicts(TEST, table, guesses(table, kind, seed), mode=mode, seed=seed)
            assert "failed" not in {one.status for one in found}
            assert all(one.detectable for one in found if one.value is not None)


def test_published_mode_takes_2000_sentences_and_skips_bins_below_67():
    table = make_sentences(2300)
    values = guesses(table, "dimensions")
    found = by_place(verdicts(TEST, table, values, mode="published"), "share_difference")
    sizes = {one.minimum_support for one in found.values()}
    assert sizes == {67}
    means = by_place(verdicts(TEST, table, values, mode="published"), "mean_difference")
    assert sum(means["de", f"valence {mood}"].support for mood in SENTIMENTS) == 2000
    small = make_sentences(1700)
    assert verdicts(TEST, small, guesses(small, "dimensions"), mode="published")[0].status == "not applicable"


def test_what_is_too_small_is_left_out_and_counted():
    said = [SENTIMENTS[i % 3] for i in range(600)]
    table = make_sentences(200, sentiment=said)
    frame = table.frame.with_columns(
        pl.when((pl.col("language") == "ja") & (pl.col("sentiment") == "negative"))
        .then(pl.lit("neutral"))
        .otherwise(pl.col("sentiment"))
        .alias("sentiment")
    )
    table = type(table)(frame, {}, table.groups, table.name)
    found = verdicts(TEST, table, guesses(table, "categories"))
    (refused,) = [one for one in found if one.place.group == "ja"]
    assert refused.reason == "0 items of sentiment negative, the test takes at least 30"
    assert {one.place.group for one in found if one.value is not None} == {"de", "en"}
    two = table.filter(pl.col("language").is_in(["de", "ja"]))
    assert "ja: 0 items of sentiment negative" in verdicts(TEST, two, guesses(two, "dimensions"))[0].reason
    one_mood = make_sentences(200, sentiment=["neutral"] * 600)
    assert "fewer than two values of sentiment" in verdicts(TEST, one_mood, guesses(one_mood, "categories"))[0].reason
    alone = table.filter(pl.col("language") == "de")
    assert "a comparison takes two" in verdicts(TEST, alone, guesses(alone, "dimensions"))[0].reason
