"""Limits from human raters, against loops over their votes."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations import RatingColumns
from affectcheck.annotations.table import AnnotationTable
from affectcheck.behaviour import load_suites
from affectcheck.behaviour.rater_limits import RaterOptions, rater_thresholds
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.evaluation import Votes
from affectcheck.schemes import scheme
from unlabelled_items import DIMENSIONS, LABELS

CLASSIFICATION, REGRESSION, DISTRIBUTION, RANKING, CONSISTENCY, SEX = load_suites(
    [
        "correctness-classification",
        "correctness-regression",
        "correctness-distribution",
        "correctness-speaker-ranking",
        "correctness-consistency",
        "fairness-sex",
    ]
)


def voted(world: Any, *, raters: int = 3, right: float = 0.8, seed: int = 0) -> pl.DataFrame:
    """Every rater answers every item, right with this share."""
    draw = np.random.default_rng(seed)
    n = len(world.truth)
    columns: dict[str, list[Any]] = {"item": [], "rater": [], "label": []}
    for k in range(raters):
        said = np.where(draw.random(n) < right, world.truth, draw.integers(4, size=n))
        columns["item"] += world.table.items.to_list()
        columns["rater"] += [f"rater {k}"] * n
        columns["label"] += [LABELS[code] for code in said]
    return pl.DataFrame(columns)


def valued(world: Any, *, raters: int = 3, spread: float = 0.1) -> pl.DataFrame:
    draw = np.random.default_rng(1)
    rows = []
    for k in range(raters):
        values = np.clip(world.truth + 0.02 * k + spread * draw.standard_normal(world.truth.shape), 0, 1)
        own = pl.DataFrame(values, schema=list(DIMENSIONS), orient="row")
        rows.append(own.with_columns(item=world.table.items, rater=pl.lit(f"rater {k}")))
    return pl.concat(rows)


def as_votes(frame: pl.DataFrame, **columns: Any) -> Votes:
    return Votes(frame, RatingColumns(name="crowd", **columns))


def by_part(found: Any, metric: str) -> dict[str, float]:
    return {one.part: one.value for one in found.limits if one.comparison.metric == metric}


def test_the_mean_rater_is_the_mean_of_each_raters_own_score(speech: Any) -> None:
    frame = voted(speech)
    found = rater_thresholds(as_votes(frame), CLASSIFICATION, speech.table, options=RaterOptions("mean"))
    truth = [LABELS[code] for code in speech.truth]
    expected = []
    for rater in sorted(set(frame["rater"])):
        said = frame.filter(pl.col("rater") == rater)["label"].to_list()
        recalls = [np.mean([s == t for s, t in zip(said, truth, strict=True) if t == label]) for label in LABELS]
        expected.append(float(np.mean(recalls)))
    (uar,) = [one for one in found.limits if one.comparison.metric == "uar"]
    assert uar.value == pytest.approx(np.mean(expected))
    assert (uar.low, uar.high) == pytest.approx((min(expected), max(expected)))
    assert (uar.answers, uar.support, uar.part) == (3, len(truth), "")
    assert set(by_part(found, "recall")) == set(LABELS)
    assert "mean over raters of at least 10 items of crowd@" in found.source


def test_a_drawn_rater_is_right_as_often_as_raters_are(speech: Any) -> None:
    found = rater_thresholds(
        as_votes(voted(speech, right=0.6)), CLASSIFICATION, speech.table, options=RaterOptions(draws=30)
    )
    assert by_part(found, "uar")[""] == pytest.approx(0.6 + 0.4 / 4, abs=0.02)
    again = rater_thresholds(
        as_votes(voted(speech, right=0.6).sample(fraction=1, shuffle=True, seed=3)),
        CLASSIFICATION,
        speech.table,
        options=RaterOptions(draws=30),
    )
    assert again.frame().drop("source").rows() == found.frame().drop("source").rows()


def test_items_in_another_order_give_the_same_limits(speech: Any) -> None:
    votes, turned = (
        as_votes(voted(speech)),
        AnnotationTable(speech.table.frame.reverse(), speech.table.targets, ("sex",), "made"),
    )
    for rater in ("random", "mean", "left out"):
        options = RaterOptions(rater, draws=5)
        one, other = (
            rater_thresholds(votes, CLASSIFICATION, table, options=options) for table in (speech.table, turned)
        )
        assert one.frame().sort("metric", "part").rows() == other.frame().sort("metric", "part").rows()


def test_a_left_out_rater_is_judged_by_the_others(speech: Any) -> None:
    """Three raters, the first of whom always disagrees with the two others, who always agree and are always wrong."""
    items = speech.table.items.to_list()
    wrong, other = (speech.truth + 1) % 4, (speech.truth + 2) % 4
    frame = pl.DataFrame(
        {
            "item": items * 3,
            "rater": np.repeat(["a", "b", "c"], len(items)),
            "label": [LABELS[code] for code in np.concatenate([other, wrong, wrong])],
        }
    )
    found = rater_thresholds(as_votes(frame), CLASSIFICATION, speech.table, options=RaterOptions("left out", draws=20))
    # Left out, b and c meet a tie of the others, which is no truth; a meets the majority of b and c, which is not his.
    assert by_part(found, "uar")[""] == 0.0
    random = rater_thresholds(as_votes(frame), CLASSIFICATION, speech.table, options=RaterOptions(draws=5))
    assert by_part(random, "uar")[""] == 0.0
    assert "against the other raters" in found.source


def test_values_are_compared_on_the_range_of_the_limits(affect: Any) -> None:
    frame = valued(affect)
    found = rater_thresholds(
        as_votes(frame, dimensions=DIMENSIONS), REGRESSION, affect.table, options=RaterOptions("mean")
    )
    errors = []
    for k in range(3):
        own = frame.filter(pl.col("rater") == f"rater {k}")["valence"].to_numpy()
        errors.append(np.mean(np.abs(own - affect.truth[:, 2])))
    assert by_part(found, "mae")["valence"] == pytest.approx(np.mean(errors))
    drawn = rater_thresholds(as_votes(frame, dimensions=DIMENSIONS), REGRESSION, affect.table)
    assert by_part(drawn, "mae")["valence"] == pytest.approx(np.mean(errors), abs=0.002)
    left = rater_thresholds(
        as_votes(frame, dimensions=DIMENSIONS), REGRESSION, affect.table, options=RaterOptions("left out", draws=10)
    )
    assert by_part(left, "mae")["valence"] > by_part(drawn, "mae")["valence"]
    published = rater_thresholds(
        as_votes(frame, dimensions=DIMENSIONS),
        REGRESSION,
        affect.table,
        options=RaterOptions(mode="published", draws=5),
    )
    assert by_part(published, "mae")["valence"] == pytest.approx(np.mean(errors), abs=0.005)


def test_sizes_are_averaged_where_a_size_is_judged(affect: Any) -> None:
    frame = valued(affect)
    found = rater_thresholds(
        as_votes(frame, dimensions=DIMENSIONS), DISTRIBUTION, affect.table, options=RaterOptions("mean")
    )
    biases = [
        abs(np.mean(frame.filter(pl.col("rater") == f"rater {k}")["arousal"].to_numpy() - affect.truth[:, 0]))
        for k in range(3)
    ]
    assert by_part(found, "mean")["arousal"] == pytest.approx(np.mean(biases))


def test_applied_limits_judge_a_model_by_class(speech: Any, outcome: Any) -> None:
    found = rater_thresholds(as_votes(voted(speech)), CLASSIFICATION, speech.table, options=RaterOptions(draws=5))
    limited = found.applied()
    better, worse = (outcome([limited], speech, speech.predictions(speech.right(share))) for share in (0.97, 0.5))
    assert better.statuses("recall") == {"passed"}
    assert worse.statuses("recall") == {"failed"}
    recall = better.one("recall", part="anger")
    assert recall.threshold.value == by_part(found, "recall")["anger"]
    assert "published limit 0.5 (paper 2, Table I: recall per class)" in recall.threshold.source
    assert limited.task_of("categories").comparison[3].limit == by_part(found, "uar")[""]


def test_a_comparison_without_values_of_people_keeps_its_limit(affect: Any) -> None:
    frame = valued(affect).with_columns((pl.lit(0.5)).alias(name) for name in DIMENSIONS)
    found = rater_thresholds(as_votes(frame, dimensions=DIMENSIONS), REGRESSION, affect.table)
    limited = {one.metric: one for one in found.applied().task_of("dimensions").comparison}
    assert limited["pcc"].limit == 0.5
    assert limited["pcc"].source == "paper 2, Table I: Pearson correlation"
    assert limited["ccc"].limit == pytest.approx(0.0, abs=1e-9)
    other = [task for task in DISTRIBUTION.task if task.kind == "categories"]
    applied = rater_thresholds(as_votes(valued(affect), dimensions=DIMENSIONS), DISTRIBUTION, affect.table).applied()
    assert [task for task in applied.task if task.kind == "categories"] == other


def test_speakers_are_ranked_by_raters_too(affect: Any) -> None:
    found = rater_thresholds(
        as_votes(valued(affect), dimensions=DIMENSIONS), RANKING, affect.table, options=RaterOptions(draws=3)
    )
    assert all(0.4 < one.value <= 1 for one in found.limits if one.comparison.metric == "spearman")
    assert {one.support for one in found.limits} == {40}


def test_votes_as_counts_of_unnamed_raters(speech: Any) -> None:
    frame = voted(speech)
    counts = frame.pivot("label", index="item", values="rater", aggregate_function="len").fill_null(0)
    votes = Votes(counts, RatingColumns(name="counts"))
    drawn = rater_thresholds(votes, CLASSIFICATION, speech.table, options=RaterOptions(draws=3))
    named = rater_thresholds(as_votes(frame), CLASSIFICATION, speech.table, options=RaterOptions(draws=3))
    assert [one.value for one in drawn.limits] == [one.value for one in named.limits]
    with pytest.raises(InputError, match="raters without names"):
        rater_thresholds(votes, CLASSIFICATION, speech.table, options=RaterOptions("mean"))


def test_votes_for_other_classes_are_wrong_answers(speech: Any) -> None:
    from affectcheck.schemes import CategoryScheme

    frame = voted(speech).with_columns(
        label=pl.when(pl.col("rater") == "rater 0").then(pl.lit("boredom")).otherwise(pl.col("label"))
    )
    wide = CategoryScheme("five", (*LABELS, "boredom"))
    found = rater_thresholds(as_votes(frame, labels=wide), CLASSIFICATION, speech.table, options=RaterOptions("mean"))
    (uar,) = [one for one in found.limits if one.comparison.metric == "uar"]
    assert uar.low == 0.0


def test_items_without_ratings_and_without_labels_are_left_out(speech: Any) -> None:
    frame = voted(speech).filter(~pl.col("item").is_in(speech.table.items.head(100).to_list()))
    labels = speech.table.frame.get_column("expression").to_list()
    labels[200:210] = [None] * 10
    changed = speech.table.frame.with_columns(expression=pl.Series(labels, dtype=pl.Enum(LABELS)))
    table = AnnotationTable(changed, speech.table.targets, ("sex",), "made")
    found = rater_thresholds(as_votes(frame), CLASSIFICATION, table, options=RaterOptions(draws=2))
    assert "100 items without ratings are left out" in found.notes
    (uar,) = [one for one in found.limits if one.comparison.metric == "uar"]
    assert uar.support == len(labels) - 110


def test_missing_values_of_dimensions_are_no_answers(affect: Any) -> None:
    frame = valued(affect).with_columns(
        arousal=pl.when(pl.col("rater") == "rater 0").then(None).otherwise(pl.col("arousal"))
    )
    found = rater_thresholds(
        as_votes(frame, dimensions=DIMENSIONS), REGRESSION, affect.table, options=RaterOptions("mean")
    )
    assert {one.answers for one in found.limits} == {2}


def test_the_frame_and_the_lines(speech: Any) -> None:
    found = rater_thresholds(as_votes(voted(speech)), CLASSIFICATION, speech.table, options=RaterOptions(draws=2))
    frame = found.frame()
    assert frame.height == len(found.limits) == 10
    assert frame.filter(pl.col("metric") == "uar")["published"].to_list() == [0.5]
    assert frame["answers"].unique().to_list() == [2]
    lines = str(found).splitlines()
    assert lines[-1] == found.source
    assert any(line.startswith("recall anger: 0.") for line in lines)


def test_what_gives_no_limits_is_said(speech: Any, affect: Any) -> None:
    votes = as_votes(voted(speech))
    for definition, table in ((SEX, speech.table), (REGRESSION, speech.table), (CONSISTENCY, affect.table)):
        with pytest.raises(InputError, match=definition.name):
            rater_thresholds(votes, definition, table)
    strangers = as_votes(voted(speech).with_columns(item=pl.lit("x") + pl.col("item")))
    with pytest.raises(InputError, match="no item of the table has ratings"):
        rater_thresholds(strangers, CLASSIFICATION, speech.table)
    few = as_votes(valued(affect).head(3), dimensions=DIMENSIONS)
    with pytest.raises(InputError, match="people have no value in 'correctness-regression'"):
        rater_thresholds(few, REGRESSION, affect.table)
    with pytest.raises(InputError, match="a rater of at least 10"):
        rater_thresholds(as_votes(voted(speech).head(3)), CLASSIFICATION, speech.table, options=RaterOptions("mean"))
    with pytest.raises(UnknownNameError, match="rater"):
        RaterOptions("worst")
    with pytest.raises(InputError, match="0 draws"):
        RaterOptions(draws=0)


def test_ratings_of_something_else_are_refused(speech: Any, affect: Any) -> None:
    from affectcheck.annotations import read_ratings

    values = read_ratings(valued(affect), RatingColumns(dimensions=DIMENSIONS))
    with pytest.raises(InputError, match="ratings of arousal, dominance, valence"):
        rater_thresholds(Votes(values), CLASSIFICATION, speech.table)
    oddly = pl.DataFrame({"item": affect.table.items, "rater": "a", "label": "valence"})
    classes = read_ratings(oddly, RatingColumns())
    with pytest.raises(InputError, match="ratings of valence"):
        rater_thresholds(Votes(classes), REGRESSION, affect.table)


def test_ratings_on_their_own_range(affect: Any) -> None:
    from affectcheck.annotations import read_ratings

    centred = scheme("affect-3-centred")
    frame = valued(affect).with_columns((pl.col(name) * 2 - 1) for name in DIMENSIONS)
    ratings = read_ratings(frame, RatingColumns(dimensions=DIMENSIONS, labels=centred))
    options = RaterOptions("mean")
    here = rater_thresholds(as_votes(valued(affect), dimensions=DIMENSIONS), REGRESSION, affect.table, options=options)
    there = rater_thresholds(Votes(ratings), REGRESSION, affect.table, options=options)
    assert by_part(there, "mae") == pytest.approx(by_part(here, "mae"))
