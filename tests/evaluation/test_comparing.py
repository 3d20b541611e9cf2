"""Models on the same items: what may be compared, and that the numbers are those of the rows."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from affect_tables import AFFECT, LABELS, affect, labelled, predicted

from affectcheck import seeds
from affectcheck.annotations.validation import make_table
from affectcheck.errors import InputError, SignatureMismatchError, UnknownNameError
from affectcheck.evaluation import (
    CompareOptions,
    Entrant,
    Evaluation,
    EvaluationOptions,
    ScoredItems,
    Thresholds,
    compare,
    evaluate,
)
from affectcheck.evaluation.match import BIASED, NEITHER, NO_RESAMPLES
from affectcheck.models.card import ModelCard
from affectcheck.predictions import make_predictions
from affectcheck.records import Place, Score
from affectcheck.schemes import Target, UnitScheme

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.evaluation.comparing import Compared
    from affectcheck.records import Comparison, Rank

ITEMS, SUBJECTS = 96, 12
OPTIONS = EvaluationOptions(by=("sex",), resamples=0)
UNITS = UnitScheme("two", ("AU1", "AU2"))


def drawn(seed: int = 0) -> np.ndarray:
    return seeds.rng(seed, "compared").integers(0, len(LABELS), ITEMS)


def answers(accuracy: float, seed: int) -> list[str]:
    random = seeds.rng(seed, "answers", str(accuracy))
    codes = np.where(random.random(ITEMS) < accuracy, drawn(), random.integers(0, len(LABELS), ITEMS))
    return [LABELS[code] for code in codes]


def table(*, subjects: bool = True) -> AnnotationTable:
    said = [LABELS[code] for code in drawn()]
    who = [f"s{place * SUBJECTS // ITEMS}" for place in range(ITEMS)]
    sexes = ["f" if place * SUBJECTS // ITEMS < SUBJECTS // 2 else "m" for place in range(ITEMS)]
    return labelled(said, subject=who if subjects else None, sex=sexes)


def run(accuracy: float, name: str, *, seed: int = 0, subjects: bool = True, **options: Any) -> Evaluation:
    predictions = predicted(answers(accuracy, seed), name=name)
    return evaluate(table(subjects=subjects), predictions, options=replace(OPTIONS, **options))


@pytest.fixture(scope="module")
def runs() -> tuple[Evaluation, ...]:
    return run(0.9, "good"), run(0.6, "middling"), run(0.5, "poor")


@pytest.fixture(scope="module")
def found(runs: tuple[Evaluation, ...]) -> Compared:
    return compare(runs, CompareOptions(by=("sex",), parts=True, resamples=300))


def at(found: Compared, metric: str, first: str, second: str, place: Place = Place()) -> Comparison:  # noqa: B008
    return next(
        c for c in found.comparisons if (c.metric, c.first, c.second, c.place) == (metric, first, second, place)
    )


def ranked(found: Compared, metric: str, place: Place = Place()) -> list[Rank]:  # noqa: B008
    return [rank for rank in found.ranks if (rank.metric, rank.place) == (metric, place)]


def test_every_pair_on_every_shared_metric(found: Compared, runs: tuple[Evaluation, ...]) -> None:
    one = at(found, "uar", "good", "middling")
    assert one.difference == runs[0]["uar"].value - runs[1]["uar"].value
    assert (one.first_value, one.second_value) == (runs[0]["uar"].value, runs[1]["uar"].value)
    assert one.support == ITEMS
    assert one.interval.low < one.difference < one.interval.high
    assert (one.interval.clusters, one.interval.unit) == (SUBJECTS, "subject")
    assert one.signature.model == ""
    assert (one.signature.resamples, one.signature.seed) == ("300", "0")
    pairs = [(c.first, c.second) for c in found.comparisons if c.metric == "uar" and c.place == Place()]
    assert pairs == [("good", "middling"), ("good", "poor"), ("middling", "poor")]
    places = {c.place for c in found.comparisons if c.metric == "recall"}
    assert Place("sex", "f", "anger") in places
    assert not [c for c in found.comparisons if c.metric.endswith("_difference")]


def test_the_test_is_that_of_rows_exchanged_by_subject(found: Compared) -> None:
    truth, who = drawn(), np.arange(ITEMS) * SUBJECTS // ITEMS
    pair = [np.array([LABELS.index(label) for label in answers(share, 0)]) for share in (0.6, 0.5)]
    for place, rows in ((Place(), who >= 0), (Place("sex", "m"), who >= SUBJECTS // 2)):
        right = [(p == truth)[rows] for p in pair]
        units = np.unique(who[rows])
        sizes = []
        for swapped in product([False, True], repeat=units.size):
            mask = np.isin(who[rows], units[np.array(swapped)])
            sizes.append(abs(np.mean(np.where(mask, right[1], right[0])) - np.mean(np.where(mask, right[0], right[1]))))
        one = at(found, "accuracy", "middling", "poor", place)
        assert one.p_value == pytest.approx(np.mean(np.array(sizes) >= abs(right[0].mean() - right[1].mean()) - 1e-12))
        assert one.test == f"permutation of {units.size} subjects, all {2**units.size} ways"


def test_holm_is_over_the_pairs_of_one_metric_and_place(found: Compared) -> None:
    family = [c for c in found.comparisons if c.metric == "uar" and c.place == Place()]
    ordered = sorted(family, key=lambda c: c.p_value)
    assert [c.family for c in family] == [3, 3, 3]
    assert ordered[0].p_holm == min(1.0, 3 * ordered[0].p_value)
    assert ordered[1].p_holm == max(ordered[0].p_holm, min(1.0, 2 * ordered[1].p_value))
    assert ordered[2].p_holm == max(ordered[1].p_holm, ordered[2].p_value)


def test_disparities_have_a_test_and_no_interval(found: Compared) -> None:
    one = at(found, "eop", "good", "poor", Place("sex"))
    assert one.interval is None
    assert one.reason == f"no interval: {BIASED}"
    assert 0.0 < one.p_value <= 1.0
    assert {rank.reason for rank in ranked(found, "eop", Place("sex"))} == {f"no interval: {BIASED}"}
    assert ranked(found, "eop", Place("sex"))[0].rank is not None
    mean = at(found, "local_f1", "good", "poor", Place("sex"))
    assert mean.interval.low < mean.difference < mean.interval.high
    assert mean.interval.clusters == SUBJECTS // 2  # those of the group that has fewest


def test_ranks_have_intervals_from_shared_resamples(found: Compared) -> None:
    ranks = ranked(found, "uar")
    assert [(r.model, r.rank, r.models) for r in ranks] == [("good", 1, 3), ("middling", 2, 3), ("poor", 3, 3)]
    assert all(r.low <= r.rank <= r.high for r in ranks)
    assert {r.convention for r in found.ranks if r.metric == "eop"} == {"paper", "tables"}


def test_the_order_of_the_runs_turns_the_signs_alone(runs: tuple[Evaluation, ...]) -> None:
    options = CompareOptions(metrics=("uar",), resamples=200)
    forth, back = compare(runs, options), compare(runs[::-1], options)
    one, other = at(forth, "uar", "good", "poor"), at(back, "uar", "poor", "good")
    assert one.difference == -other.difference
    assert (one.p_value, one.p_holm) == (other.p_value, other.p_holm)
    assert (one.interval.low, one.interval.high) == pytest.approx((-other.interval.high, -other.interval.low))
    assert {(r.model, r.low, r.high) for r in forth.ranks} == {(r.model, r.low, r.high) for r in back.ranks}


def test_a_model_against_itself(runs: tuple[Evaluation, ...]) -> None:
    found = compare([runs[0], runs[0]], CompareOptions(by=("sex",), resamples=100))
    assert found.models == ("good #1", "good #2")
    assert {c.difference for c in found.comparisons} == {0.0}
    assert {c.p_value for c in found.comparisons} == {1.0}
    assert {(c.interval.low, c.interval.high) for c in found.comparisons if c.interval} == {(0.0, 0.0)}
    assert {r.rank for r in found.ranks} == {1}
    assert "permutation of 12 subjects, none of which differs" in {c.test for c in found.comparisons}


def test_a_reference_is_compared_with_all_others(runs: tuple[Evaluation, ...]) -> None:
    found = compare(runs, CompareOptions(metrics=("uar",), reference="middling", resamples=50))
    assert [(c.first, c.second, c.family) for c in found.comparisons] == [
        ("good", "middling", 2),
        ("poor", "middling", 2),
    ]
    assert len(found.ranks) == 3
    entrants = [Entrant.of(one, run=f"run {n}") for n, one in enumerate(runs)]
    again = compare(entrants, CompareOptions(metrics=("uar",), reference="run 1", resamples=50))
    assert again.comparisons == found.comparisons
    with pytest.raises(UnknownNameError, match="model of the comparison 'best'"):
        compare(runs, CompareOptions(reference="best"))


def test_without_resamples_there_are_tests_alone(runs: tuple[Evaluation, ...]) -> None:
    found = compare(runs, CompareOptions(metrics=("uar",), resamples=0))
    assert {c.reason for c in found.comparisons} == {f"no interval: {NO_RESAMPLES}"}
    assert {r.reason for r in found.ranks} == {f"no interval: {NO_RESAMPLES}"}
    assert found.comparisons[0].signature.resamples == ""


def test_bca_is_named_where_it_is_asked_for(runs: tuple[Evaluation, ...]) -> None:
    found = compare(runs[:2], CompareOptions(metrics=("uar",), resamples=300, method="bca"))
    assert found.comparisons[0].interval.method == "bca"
    assert found.comparisons[0].signature.resamples == "300 bca"


def test_models_of_one_name_are_told_apart_by_their_runs(runs: tuple[Evaluation, ...]) -> None:
    entrants = [Entrant.of(run(a, "cnn"), run=name) for a, name in ((0.9, "monday"), (0.5, "tuesday"))]
    found = compare(entrants, CompareOptions(metrics=("uar",), resamples=20))
    assert found.models == ("cnn (monday)", "cnn (tuesday)")
    assert found.comparisons[0].first == "cnn (monday)"


def test_other_rules_are_refused_with_every_field_and_both_values(runs: tuple[Evaluation, ...]) -> None:
    other = run(0.6, "other", seed=1, resamples=20)
    with pytest.raises(SignatureMismatchError) as error:
        compare([runs[0], other])
    assert "resamples: '' and '20'" in str(error.value)
    assert "seed: '' and '0'" in str(error.value)
    assert str(error.value).startswith("'good' and 'other': ")


def test_other_items_are_refused_and_the_first_is_named(runs: tuple[Evaluation, ...]) -> None:
    entrant = Entrant.of(runs[1])

    def changed(frame: pl.DataFrame) -> Entrant:
        return replace(entrant, items=ScoredItems(frame, entrant.items.layout))

    frame = entrant.items.frame
    with pytest.raises(InputError, match="scored for 'good' alone: 1 item, the first of them 'i95'"):
        compare([runs[0], changed(frame.head(ITEMS - 1))])
    with pytest.raises(InputError, match="scored for 'middling' alone: 1 item, the first of them 'i95'"):
        compare([changed(frame), replace(Entrant.of(runs[0]), items=changed(frame.head(ITEMS - 1)).items)])
    label = frame.get_column("truth")[3]
    another = next(one for one in LABELS if one != label)
    mended = pl.when(pl.col("item") == "i3").then(pl.lit(another)).otherwise(pl.col("truth")).cast(pl.Enum(LABELS))
    with pytest.raises(InputError, match=rf"item 'i3' has the truth '{label}' and '{another}' \(1 such item\)"):
        compare([runs[0], changed(frame.with_columns(truth=mended))])
    alone = pl.when(pl.col("item") == "i5").then(None).otherwise(pl.col("cluster"))
    with pytest.raises(InputError, match="item 'i5' has the subject 's0' and none"):
        compare([runs[0], changed(frame.with_columns(cluster=alone))])
    turned = frame.with_columns(sex=pl.lit("m").cast(frame.schema["sex"]))
    with pytest.raises(InputError, match="item 'i0' has the sex 'f' and 'm' \\(48 such items\\)"):
        compare([runs[0], changed(turned)], CompareOptions(by=("sex",)))
    shuffled = changed(frame.sample(fraction=1.0, shuffle=True, seed=1))
    options = CompareOptions(metrics=("uar",), resamples=50)
    assert compare([runs[0], shuffled], options) == compare(runs[:2], options)


def test_other_data_is_refused_and_the_first_item_is_named(runs: tuple[Evaluation, ...]) -> None:
    def of(evaluation: Evaluation, change: pl.Expr) -> Entrant:
        entrant = Entrant.of(evaluation)
        scores = tuple(replace(one, signature=one.signature.with_(data="faces@2")) for one in entrant.scores)
        layout = replace(entrant.items.layout, data="faces@2")
        return replace(entrant, scores=scores, items=ScoredItems(entrant.items.frame.with_columns(change), layout))

    with pytest.raises(SignatureMismatchError, match=r"data: .*\n.*\n.*scored for 'good' alone: 96 items.* 'i0'"):
        compare([runs[0], of(runs[1], ("x" + pl.col("item")).alias("item"))])
    sex = pl.when(pl.col("item") == "i5").then(None).otherwise(pl.col("sex")).alias("sex")
    with pytest.raises(SignatureMismatchError, match=r"item 'i5' has the sex '.' and none \(1 such item\)"):
        compare([runs[0], of(runs[1], sex)])
    with pytest.raises(SignatureMismatchError, match="the runs used other data"):
        compare([runs[0], of(runs[1], pl.col("item"))])


@pytest.mark.parametrize("other", ["runs/b", None])
def test_what_is_no_evaluation_is_refused(runs: tuple[Evaluation, ...], other: Any) -> None:
    with pytest.raises(InputError, match="`compare_runs` compares run folders"):
        compare([runs[0], other])
    with pytest.raises(InputError, match="0 runs to compare"):
        compare([])


def test_items_of_another_run_are_refused(runs: tuple[Evaluation, ...]) -> None:
    mixed = replace(Entrant.of(runs[1]), items=Entrant.of(runs[2]).items)
    with pytest.raises(InputError, match=r"the items of 'middling' give uar .* its record says"):
        compare([runs[0], mixed])


def test_what_runs_do_not_share_is_not_compared(runs: tuple[Evaluation, ...]) -> None:
    other = run(0.6, "other", metrics=("uar", "cohen_kappa"))
    found = compare([runs[0], other], CompareOptions(resamples=20))
    assert {c.metric for c in found.comparisons} == {"uar"}
    assert found.notes[0].startswith("not compared, since not every run scored it: uap")
    with pytest.raises(UnknownNameError, match="metric that all runs share 'cohen_kappa'"):
        compare([runs[0], other], CompareOptions(metrics=("cohen_kappa",)))
    with pytest.raises(UnknownNameError, match="attribute of a run 'age'"):
        compare(runs, CompareOptions(by=("age",)))
    alone = run(0.6, "alone", metrics=("cohen_kappa",))
    with pytest.raises(InputError, match=r"the runs share no score: 'good': uar.*; 'alone': cohen_kappa"):
        compare([runs[0], alone])


def test_bad_options_are_refused(runs: tuple[Evaluation, ...]) -> None:
    with pytest.raises(InputError, match="1 run to compare"):
        compare(runs[:1])
    with pytest.raises(InputError, match="by or metrics is a single text"):
        CompareOptions(by="sex")  # type: ignore[arg-type]
    for wrong in ({"resamples": -1}, {"draws": 0}, {"level": 1.5}, {"method": "normal"}):
        with pytest.raises(InputError):
            CompareOptions(**wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="holds no scored items"):
        Entrant.of(replace(runs[0], items=pl.DataFrame()))


def test_one_file_under_two_names_and_other_numbers_of_missing_answers_may_be_compared() -> None:
    said = [LABELS[code] for code in drawn()]
    options = EvaluationOptions(missing="wrong", resamples=0, metrics=("uar", "accuracy"))
    tables = [replace(labelled(said), name=name) for name in ("truth", "copy")]
    full = evaluate(tables[0], predicted(said, name="full"), options=options)
    kept = [f"i{n}" for n in range(ITEMS - 6)]
    lacking = evaluate(tables[1], predicted(said[:-6], items=kept, name="lacking"), options=options)
    one = at(compare([full, lacking], CompareOptions(resamples=50)), "accuracy", "full", "lacking")
    assert one.difference == 6 / ITEMS
    assert one.test == "permutation of 96 items, of which 6 differ, all 64 ways"
    assert one.p_value == 2 / 64
    assert one.signature.missing == "wrong"
    three = compare([full, lacking, replace(Entrant.of(lacking), model="twin")], CompareOptions(resamples=0))
    assert {c.signature.data for c in three.comparisons} == {full["uar"].signature.data}
    assert {c.signature.missing for c in three.comparisons} == {"wrong", lacking["uar"].signature.missing}


@pytest.mark.parametrize("method", ["percentile-t", "bca"])
def test_items_without_clusters_are_drawn_one_by_one(method: str) -> None:
    runs = [run(share, name, subjects=False) for share, name in ((0.9, "good"), (0.6, "poor"))]
    options = CompareOptions(metrics=("uar", "eop"), by=("sex",), resamples=400, method=method)  # type: ignore[arg-type]
    found = compare(runs, options)
    one = at(found, "uar", "good", "poor")
    assert (one.interval.unit, one.interval.clusters) == ("item", ITEMS)
    assert one.test.startswith("permutation of 96 items, of which ")
    assert one.p_value < 0.01
    group = at(found, "uar", "good", "poor", Place("sex", "f"))
    assert group.interval.clusters == ITEMS // 2
    assert group.test.startswith("permutation of 48 items")
    assert at(found, "eop", "good", "poor", Place("sex")).p_value is not None


def affect_card(name: str) -> ModelCard:
    return ModelCard(name, "dimensions", AFFECT.dimensions, "value")


def dimensions(noise: float, name: str, *, items: int = 60, subjects: int = 10) -> Evaluation:
    random = seeds.rng(3, "dimensions")
    truth = random.random((items, 2)).round(3)
    truth[0, 1] = np.nan
    values = np.clip(np.nan_to_num(truth, nan=0.5) + seeds.rng(4, name).normal(scale=noise, size=truth.shape), 0, 1)
    who = [f"s{place % subjects}" for place in range(items)] if subjects else None
    predictions = make_predictions([f"i{n}" for n in range(items)], values, affect_card(name))
    options = EvaluationOptions(resamples=0, metrics=("ccc", "mde", "mae", "jsd", "spearman", "bin_recall"))
    return evaluate(affect(truth, subject=who), predictions, options=options)


def test_dimensions_part_by_part() -> None:
    found = compare([dimensions(0.1, "near"), dimensions(0.4, "far")], CompareOptions(parts=True, resamples=100))
    assert at(found, "ccc", "near", "far", Place(part="valence")).interval.low > 0.0
    assert [rank.rank for rank in ranked(found, "mae")] == [1, 2]
    assert {(rank.rank, rank.reason, rank.models) for rank in ranked(found, "mde")} == {(None, NEITHER, 0)}
    assert at(found, "mde", "near", "far").interval is not None
    bins = [c for c in found.comparisons if c.metric == "bin_recall"]
    assert bins[0].place.part == "arousal (-inf, 0.25]"
    assert at(found, "jsd", "near", "far").p_value is not None
    assert at(found, "spearman", "near", "far").interval.low > 0.0


def test_many_items_without_clusters_are_dealt_into_blocks() -> None:
    pair = [dimensions(noise, name, items=4200, subjects=0) for noise, name in ((0.1, "near"), (0.11, "far"))]
    found = compare(pair, CompareOptions(metrics=("ccc",), resamples=100, draws=200))
    one = found.comparisons[0]
    assert re.fullmatch(r"permutation of 4096 blocks(, of which \d+ differ)?, 200 draws", one.test)
    assert one.interval.clusters == 4200
    assert one.notes == ("items without clusters were dealt into 4096 blocks, each drawn as one",)


def units(noise: float, name: str, *, threshold: Any = None, output: str = "probability") -> Evaluation:
    random = seeds.rng(5, "units")
    truth = random.integers(0, 2, (ITEMS, 2))
    columns = {"item": [f"i{n}" for n in range(ITEMS)], "subject": [f"s{n % 12}" for n in range(ITEMS)]}
    columns |= {
        unit: [None if (n + m) % 7 == 0 else int(truth[n, m]) for n in range(ITEMS)]
        for m, unit in enumerate(UNITS.units)
    }
    made = make_table(columns, targets=[Target("units", UNITS)], name="made")
    scores = np.clip(truth * 0.5 + 0.25 + seeds.rng(6, name).normal(scale=noise, size=truth.shape), 0, 1)
    scores = (scores >= 0.5).astype(float) if output == "label" else scores
    card = ModelCard(name, "units", UNITS.units, output)  # type: ignore[arg-type]
    predictions = make_predictions(columns["item"], scores, card)
    options = EvaluationOptions(resamples=0, metrics=("unit_f1", "unit_auc"), thresholds=threshold)
    return evaluate(made, predictions, options=options)


def test_units_with_decisions_and_ranks_of_scores() -> None:
    found = compare([units(0.1, "near"), units(0.6, "far")], CompareOptions(parts=True, resamples=100))
    assert at(found, "unit_f1", "near", "far").interval.low > 0.0
    assert at(found, "unit_auc", "near", "far", Place(part="AU2")).p_holm <= 0.05


def test_thresholds_that_one_rule_found_for_each_model_may_differ_and_stated_ones_may_not() -> None:
    rule = [Thresholds({"AU1": 0.4, "AU2": at}, "per-unit on validation@abc") for at in (0.5, 0.6)]
    pair = [units(0.1, "near", threshold=rule[0]), units(0.6, "far", threshold=rule[1])]
    found = compare(pair, CompareOptions(resamples=0)).comparisons
    assert {c.signature.thresholds for c in found} == {"per-unit on validation@abc"}
    stated = [units(0.1, "near", threshold=0.4), units(0.6, "far", threshold=0.7)]
    with pytest.raises(SignatureMismatchError, match=r"thresholds: '0.4' and '0.7'"):
        compare(stated)


def test_a_score_that_one_model_lacks_is_undefined_with_its_reason() -> None:
    pair = [units(0.1, "near"), units(0.6, "labels", output="label"), units(0.3, "far")]
    found = compare(pair, CompareOptions(metrics=("unit_auc",), resamples=50))
    one = at(found, "unit_auc", "near", "labels")
    assert (one.difference, one.p_value, one.p_holm, one.interval) == (None, None, None, None)
    assert one.reason == "labels: the model gives labels only, no scores"
    two = at(found, "unit_auc", "near", "far")
    why = (
        "another model of the comparison lacks the scores for it (the model gives labels only, no scores); "
        "compare without that model"
    )
    assert two.difference == pair[0]["unit_auc"].value - pair[2]["unit_auc"].value
    assert (two.p_value, two.reason) == (None, f"no interval and no p-value: {why}")
    ranks = ranked(found, "unit_auc")
    assert [(rank.rank, rank.models) for rank in ranks] == [(1, 2), (None, 2), (2, 2)]
    assert ranks[0].reason == f"no interval: {why}"
    assert ranks[1].reason == "the model gives labels only, no scores"


def test_a_model_whose_rival_has_no_score_ranks_alone() -> None:
    flat = make_predictions([f"i{n}" for n in range(6)], np.full((6, 2), 0.5), affect_card("flat"))
    slope = make_predictions([f"i{n}" for n in range(6)], np.linspace(0, 1, 12).reshape(6, 2), affect_card("slope"))
    truth = affect(np.linspace(0, 1, 12).reshape(6, 2) ** 2)
    options = EvaluationOptions(resamples=0, metrics=("pcc",))
    found = compare([evaluate(truth, one, options=options) for one in (slope, flat)], CompareOptions(resamples=20))
    assert found.comparisons[0].reason.startswith("flat: ")
    assert [(r.rank, r.models) for r in found.ranks] == [(1, 1), (None, 1)]
    assert found.ranks[0].reason == "no interval: no other model has a score"


def test_ranked_items_that_are_too_many_are_not_resampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("affectcheck.evaluation.uncertain.MOST_RANKED", 2 * 60 * 50)
    pair = [dimensions(0.1, "near"), dimensions(0.4, "far")]
    found = compare(pair, CompareOptions(metrics=("spearman", "ccc"), resamples=51))
    assert at(found, "spearman", "near", "far").reason.startswith("no interval: 51 resamples of 120 values")
    assert at(found, "spearman", "near", "far").p_value is not None
    assert at(found, "ccc", "near", "far").interval is not None


def test_small_crossed_groups_are_in_no_comparison() -> None:
    ages = ["old"] * 6 + ["young"] * (ITEMS - 6)
    said = [LABELS[code] for code in drawn()]
    sexes = ["f" if place % 2 else "m" for place in range(ITEMS)]
    truth = labelled(said, subject=[f"s{n % 12}" for n in range(ITEMS)], sex=sexes, age=ages)
    options = EvaluationOptions(by=("sex*age",), resamples=0, metrics=("uar", "uar_gap"), minimum_support=10)
    pair = [
        evaluate(truth, predicted(answers(a, 0), name=n), options=options) for a, n in ((0.9, "good"), (0.5, "poor"))
    ]
    found = compare(pair, CompareOptions(by=("sex*age",), resamples=50))
    small = at(found, "uar", "good", "poor", Place("sex*age", "f*old"))
    assert small.difference is None
    assert "fewer than the minimum support of 10" in small.reason
    assert {r.rank for r in ranked(found, "uar", Place("sex*age", "f*old"))} == {None}
    gap = at(found, "uar_gap", "good", "poor", Place("sex*age"))
    assert isinstance(pair[0].by("sex*age")["uar_gap"], Score)
    assert gap.difference == pair[0].by("sex*age")["uar_gap"].value - pair[1].by("sex*age")["uar_gap"].value


def test_few_subjects_give_a_coarse_test_and_no_interval() -> None:
    truth = labelled([LABELS[code] for code in drawn()], subject=[f"s{n % 4}" for n in range(ITEMS)])
    options = EvaluationOptions(resamples=0, metrics=("uar",))
    pair = [
        evaluate(truth, predicted(answers(a, 0), name=n), options=options) for a, n in ((0.9, "good"), (0.5, "poor"))
    ]
    found = compare(pair, CompareOptions(resamples=50))
    one = found.comparisons[0]
    assert one.reason.startswith("no interval: 4 subject clusters")
    assert one.p_value == 0.125
    assert one.notes == ("the two differ on 4 subjects only, so that p cannot be below 0.125",)
    assert found.ranks[0].reason.startswith("no interval: 4 subject clusters")
