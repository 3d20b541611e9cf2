"""Shifts of groups to all together, balanced or not; the worst group and the worst crossed group with support."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from affect_tables import LABELS, affect, keys, labelled, predicted, predicted_affect

from affectcheck.annotations.validation import make_table
from affectcheck.errors import UnknownNameError
from affectcheck.evaluation import EvaluationOptions, evaluate
from affectcheck.metrics import METRICS, to_combined
from affectcheck.models.card import ModelCard
from affectcheck.predictions import make_predictions
from affectcheck.records import Place, Score, Undefined
from affectcheck.schemes import Target, UnitScheme
from affectcheck.tallies import Confusion
from affectcheck.uncertainty import Resampling, resample


def drawn(n=400, seed=0, *, groups=("f", "m", "x"), shares=(0.5, 0.3, 0.2)):
    """Labels, predictions, groups and subjects; group m is predicted worse."""
    random = np.random.default_rng(seed)
    subject = np.array([f"s{k % 40:02d}" for k in range(n)])
    of = dict(zip(sorted(set(subject)), random.choice(groups, 40, p=shares), strict=True))
    group = np.array([of[s] for s in subject])
    truth = random.choice(LABELS, n, p=[0.5, 0.3, 0.2])
    right = random.random(n) < np.where(group == "m", 0.5, 0.8)
    made = np.where(right, truth, random.choice(LABELS, n))
    return truth, made, group, subject


def scored(options, n=400, **more):
    truth, made, group, subject = drawn(n, **more)
    return evaluate(labelled(truth, subject=subject, sex=group), predicted(made), options=options)


def named(found, metric):
    return {score.place: score for score in found if score.metric == metric}


class TestAgainstAllItems:
    def test_they_are_not_told_unless_asked_for(self):
        assert not [s for s in scored(EvaluationOptions(by=("sex",), resamples=0)) if "combined" in s.metric]
        with pytest.raises(UnknownNameError, match="combined set of shifts"):
            EvaluationOptions(shifts="some")

    def test_each_is_the_group_minus_the_whole(self):
        options = EvaluationOptions(by=("sex",), shifts="all", resamples=0)
        found = scored(options)
        for metric in ("uar", "uap", "f1_macro", "accuracy"):
            for group, score in found.groups("sex")[metric].items():
                shift = named(found, f"{metric}_to_combined")[Place("sex", group)]
                assert shift.value == pytest.approx(score.value - found[metric].value, abs=1e-15)
                assert shift.support == score.support
                assert shift.signature.options.endswith("combined=all items")
                assert shift.signature.n == "400"
        for group in "fmx":
            parts = found.parts("recall_to_combined", attribute="sex", group=group)
            whole, own = found.parts("recall"), found.parts("recall", attribute="sex", group=group)
            for label in LABELS:
                assert parts[label].value == pytest.approx(own[label].value - whole[label].value)
                assert parts[label].support == own[label].support

    def test_shares_are_the_relative_difference_per_class(self):
        truth, made, group, _ = drawn()
        found = scored(EvaluationOptions(by=("sex",), shifts="all", metrics=("uar",), resamples=0))
        shares = named(found, "share_to_combined")
        for g in "fmx":
            for label in LABELS:
                expected = np.mean(made[group == g] == label) - np.mean(made == label)
                score = shares[Place("sex", g, label)]
                assert score.value == pytest.approx(expected, abs=1e-15)
                assert score.support == int((group == g).sum())
        assert "share" not in {score.metric for score in found}  # only its shift was asked for
        assert truth.size == 400

    def test_intervals_by_clusters_that_are_drawn_for_all_groups_at_once(self):
        options = EvaluationOptions(by=("sex",), shifts="all", metrics=("uar", "uar_gap"), resamples=200)
        found = scored(options)
        for group, shift in named(found, "uar_to_combined").items():
            assert shift.interval.low < shift.value < shift.interval.high, group
            assert shift.interval.unit == "subject"
        low = named(found, "uar_to_combined")[Place("sex", "m")]
        assert low.interval.high < 0
        assert found.by("sex")["uar_gap"].interval is None
        items = scored(EvaluationOptions(by=("sex",), shifts="all", metrics=("uar",), resamples=100, clusters="item"))
        assert named(items, "uar_to_combined")[Place("sex", "m")].interval.unit == "item"

    def test_dimensions_have_means_bins_and_directions(self):
        random = np.random.default_rng(0)
        truth = random.random((200, 2))
        sex = np.array(["f", "m"] * 100)
        made = np.clip(truth + np.where(sex == "f", 0.1, -0.1)[:, None], 0, 1)
        table = affect(truth, subject=[f"s{k // 10}" for k in range(200)], sex=sex.tolist())
        found = evaluate(
            table, predicted_affect(made), options=EvaluationOptions(by=("sex",), shifts="all", resamples=0)
        )
        mean = named(found, "mean_to_combined")
        expected = made[sex == "f", 1].mean() - made[:, 1].mean()
        assert mean[Place("sex", "f", "valence")].value == pytest.approx(expected)
        assert mean[Place("sex", "f", "valence")].notes == ("predicted higher than over all groups together",)
        assert mean[Place("sex", "m", "arousal")].notes == ("predicted lower than over all groups together",)
        bins = named(found, "bin_share_to_combined")
        lowest = bins[Place("sex", "f", "arousal (-inf, 0.25]")]
        assert lowest.value == pytest.approx(np.mean(made[sex == "f", 0] <= 0.25) - np.mean(made[:, 0] <= 0.25))
        assert lowest.support == 100
        assert named(found, "ccc_to_combined")[Place("sex", "f", "arousal")].defined
        assert {"bin_recall_to_combined", "bin_precision_to_combined", "mde_to_combined"} <= {s.metric for s in found}
        options = EvaluationOptions(by=("sex",), shifts="all", metrics=("mae",), resamples=0)
        few = {s.metric for s in evaluate(table, predicted_affect(made), options=options) if "combined" in s.metric}
        assert few == {"mae_to_combined", "mean_to_combined", "bin_share_to_combined"}

    def test_units(self):
        units = UnitScheme("u", ("AU1", "AU2"))
        columns = {"item": keys(4), "sex": ["f", "f", "m", "m"], "AU1": [1, 0, 1, 0], "AU2": [1, None, 0, 0]}
        table = make_table(columns, targets=[Target("au", units)], groups=("sex",))
        made = make_predictions(
            keys(4), np.array([[1, 1], [0, 1], [0, 0], [0, 0.0]]), ModelCard("m", "units", units.units, "label")
        )
        options = EvaluationOptions(by=("sex",), shifts="all", metrics=("unit_f1", "unit_recall"), resamples=0)
        found = evaluate(table, made, options=options)
        shares = named(found, "unit_share_to_combined")
        assert shares[Place("sex", "f", "AU1")].value == pytest.approx(0.5 - 0.25)
        assert shares[Place("sex", "f", "AU2")].value == pytest.approx(1 - 1 / 3)
        assert named(found, "unit_f1_to_combined")[Place("sex", "m")].value == pytest.approx(0 - (2 / 3 + 1) / 2)
        undefined = named(found, "unit_recall_to_combined")[Place("sex", "m", "AU2")]
        assert isinstance(undefined, Undefined)
        assert undefined.reason.startswith("m: AU2")

    def test_undefined_ones_say_whose_fault_it_is(self):
        truth = ["anger", "neutral", "anger", "neutral"]
        table = labelled(truth, sex=["f", "f", "m", "m"])
        options = EvaluationOptions(by=("sex",), shifts="all", metrics=("precision",), resamples=0)
        found = evaluate(table, predicted(["anger", "neutral", "anger", "anger"]), options=options)
        shifts = named(found, "precision_to_combined")
        assert shifts[Place("sex", "m", "neutral")].reason == "m: neutral: never predicted"
        assert shifts[Place("sex", "f", "sadness")].reason == "f: sadness: never predicted"
        one = evaluate(labelled(truth, sex=["f"] * 4), predicted(truth), options=options)
        assert named(one, "precision_to_combined")[Place("sex", "f", "anger")].reason == (
            "only one group of 'sex': it is the combined set"
        )

    def test_a_metric_without_its_scores_and_one_without_a_convention(self):
        options = EvaluationOptions(by=("sex",), shifts="all", metrics=("top_2", "cohen_kappa"), resamples=0)
        found = scored(options)
        lacking = named(found, "top_2_to_combined")[Place("sex", "f")]
        assert isinstance(lacking, Undefined)
        assert "labels only" in lacking.reason
        assert named(found, "cohen_kappa_to_combined")[Place("sex", "f")].defined

    def test_small_crossed_groups_stay_in_the_combined_set(self):
        truth, made, group, _ = drawn(60)
        age = ["old"] * 3 + ["young"] * 57
        table = labelled(truth, sex=group, age=age)
        options = EvaluationOptions(by=("sex*age",), shifts="all", metrics=("accuracy",), resamples=0)
        found = evaluate(table, predicted(made), options=options)
        shifts = named(found, "accuracy_to_combined")
        small = next(place for place in shifts if place.group.endswith("old"))
        assert "fewer than the minimum support of 10" in shifts[small].reason
        young = Place("sex*age", "f*young")
        own = found.groups("sex*age")["accuracy"]["f*young"].value
        assert shifts[young].value == pytest.approx(own - found["accuracy"].value)


class TestAgainstABalancedSet:
    def test_every_group_has_the_same_truth(self):
        options = EvaluationOptions(by=("sex",), shifts="balanced", metrics=("uar", "recall", "accuracy"), resamples=50)
        found = scored(options)
        shifts = named(found, "uar_to_combined")
        truth, _, group, _ = drawn()
        least = {label: min(int(((truth == label) & (group == g)).sum()) for g in "fmx") for label in LABELS}
        assert {score.support for score in shifts.values()} == {sum(least.values())}
        recalls = named(found, "recall_to_combined")
        assert {s.support for p, s in recalls.items() if p.part == "anger"} == {least["anger"]}
        # Of groups of equal truth, the shifts of a mean over items sum to 0.
        total = sum(score.value for score in named(found, "accuracy_to_combined").values())
        assert total == pytest.approx(0.0, abs=1e-12)
        first = shifts[Place("sex", "f")]
        assert first.signature.options.endswith("combined=balanced by class")
        assert first.notes[0] == f"combined set: {sum(least.values())} items of each group, balanced by class"
        assert first.interval is not None
        again = named(scored(options), "uar_to_combined")
        assert again == shifts

    def test_classes_that_a_group_lacks_are_left_out_and_named(self):
        truth = ["anger", "neutral", "sadness"] * 10 + ["anger", "neutral"] * 10
        made = ["anger", "sadness", "sadness"] * 10 + ["anger", "neutral"] * 10
        sex = ["f"] * 30 + ["m"] * 20
        options = EvaluationOptions(by=("sex",), shifts="balanced", metrics=("uar",), resamples=0)
        found = evaluate(labelled(truth, sex=sex), predicted(made), options=options)
        shift = named(found, "uar_to_combined")[Place("sex", "f")]
        assert shift.signature.labels == "anger,neutral"
        assert shift.value == pytest.approx(0.5 - 0.75)
        assert "classes that a group lacks are left out: sadness" in shift.notes[0]
        assert shift.signature.seed == "0"

    def test_groups_without_two_common_classes(self):
        options = EvaluationOptions(by=("sex",), shifts="balanced", metrics=("uar",), resamples=0)
        table = labelled(["anger", "neutral", "neutral"], sex=["f", "m", "m"])
        found = evaluate(table, predicted(["anger"] * 3), options=options)
        assert named(found, "uar_to_combined")[Place("sex", "f")].reason == (
            "fewer than two classes have items in every group of 'sex'"
        )

    def test_dimensions_are_matched_one_by_one(self):
        truth = np.array([[0.1, 0.9], [0.5, 0.8], [0.9, 0.7], [0.52, 0.1], [0.11, 0.2], [0.3, 0.3], [0.88, 0.72]])
        sex = ["f", "f", "f", "m", "m", "m", "m"]
        made = truth + np.array([0.1, 0.1, 0.1, -0.1, -0.1, -0.1, -0.1])[:, None]
        options = EvaluationOptions(by=("sex",), shifts="balanced", metrics=("mde", "jsd"), resamples=0)
        found = evaluate(affect(truth, sex=sex), predicted_affect(made), options=options)
        shifts = named(found, "mde_to_combined")
        assert set(shifts) == {Place("sex", g, part) for g in "fm" for part in ("arousal", "valence")}
        assert shifts[Place("sex", "f", "arousal")].value == pytest.approx(0.1)
        assert shifts[Place("sex", "m", "arousal")].support == 3
        assert shifts[Place("sex", "f", "valence")].signature.options.endswith("combined=balanced by value")
        assert named(found, "mean_to_combined")[Place("sex", "f", "arousal")].value == pytest.approx(0.1, abs=0.01)
        gone = truth.copy()
        gone[:3, 1] = np.nan
        lost = evaluate(affect(gone, sex=sex), predicted_affect(made), options=options)
        reasons = {s.reason for s in named(lost, "mde_to_combined").values() if isinstance(s, Undefined)}
        assert reasons == {"a group of 'sex' has no item with a value of valence"}

    def test_units_and_small_crossed_groups(self):
        columns = {"item": keys(2), "sex": ["f", "m"], "AU1": [1, 0]}
        table = make_table(columns, targets=[Target("au", UnitScheme("u", ("AU1",)))], groups=("sex",))
        made = make_predictions(keys(2), np.array([[1.0], [0.0]]), ModelCard("m", "units", ("AU1",), "label"))
        options = EvaluationOptions(by=("sex",), shifts="balanced", metrics=("unit_f1",), resamples=0)
        found = evaluate(table, made, options=options)
        assert "action units cannot be balanced" in named(found, "unit_f1_to_combined")[Place("sex", "f")].reason
        truth, labels, group, _ = drawn(90)
        age = ["old"] * 3 + ["young"] * 87
        options = EvaluationOptions(by=("sex*age",), shifts="balanced", metrics=("accuracy",), resamples=0)
        shifts = named(
            evaluate(labelled(truth, sex=group, age=age), predicted(labels), options=options), "accuracy_to_combined"
        )
        assert {p.group for p, s in shifts.items() if isinstance(s, Score)} == {"f*young", "m*young", "x*young"}
        assert all("minimum support" in s.reason for s in shifts.values() if isinstance(s, Undefined))


def faces(seed=0):
    """Expressions of faces over race, age and perceived gender, 12 a cell as in FairFace's balanced part, a few fewer."""
    random = np.random.default_rng(seed)
    races = ("asian", "black", "indian", "white")
    ages = ("0-19", "20-39", "40-59", "60+")
    rows = [
        (race, age, gender)
        for race in races
        for age in ages
        for gender in ("female", "male")
        for _ in range(4 if (race, age) == ("indian", "60+") else 0 if (race, age) == ("asian", "60+") else 36)
    ]
    truth = random.choice(LABELS, len(rows))
    poor = np.array([race == "black" and gender == "male" for race, _, gender in rows])
    made = np.where(random.random(len(rows)) < np.where(poor, 0.35, 0.85), truth, random.choice(LABELS, len(rows)))
    race, age, gender = (list(column) for column in zip(*rows, strict=True))
    return labelled(truth, race=race, age=age, gender=gender), predicted(made)


class TestCrossedGroups:
    def test_small_and_empty_cells_are_shown_or_counted(self):
        table, made = faces()
        options = EvaluationOptions(by=("age*gender*race",), metrics=("accuracy", "accuracy_gap"), resamples=0)
        found = evaluate(table, made, options=options)
        cells = found.groups("age*gender*race")["accuracy"]
        assert len(cells) == 30
        small = cells["60+*female*indian"]
        assert isinstance(small, Undefined)
        assert small.support == 4
        assert small.reason == "group '60+*female*indian' has 4 items, fewer than the minimum support of 10"
        note = (
            "age*gender*race: 2 of 30 groups have fewer than 10 items (8 in all): shown without a value, "
            "and in no disparity; 2 further combinations of values without items"
        )
        assert note in found.notes
        gap = found.by("age*gender*race")["accuracy_gap"]
        assert gap.support == len(made.frame) - 8

    def test_the_worst_cell_with_support_is_named_over_what_chance_would_do(self):
        table, made = faces()
        options = EvaluationOptions(
            by=("age*gender*race", "gender*race"), metrics=("accuracy", "accuracy_worst"), resamples=200
        )
        found = evaluate(table, made, options=options)
        cells = found.groups("gender*race")["accuracy"]
        worst = found.by("gender*race")["accuracy_worst"]
        assert worst.value == cells["male*black"].value == min(s.value for s in cells.values())
        assert worst.notes[0] == f"group 'male*black', the worst of 8: {cells['male*black'].support} items"
        assert worst.interval is None
        assert worst.value < worst.floor.quantile < worst.floor.mean
        fine = found.by("age*gender*race")["accuracy_worst"]
        defined = [s.value for s in found.groups("age*gender*race")["accuracy"].values() if isinstance(s, Score)]
        assert fine.value == min(defined)
        assert "the worst of 28" in fine.notes[0]

    def test_a_model_that_is_alike_to_all_is_not_below_its_floor(self):
        random = np.random.default_rng(1)
        truth = random.choice(LABELS, 800)
        made = np.where(random.random(800) < 0.7, truth, random.choice(LABELS, 800))
        race = random.choice([f"r{k}" for k in range(20)], 800)
        options = EvaluationOptions(by=("race",), metrics=("accuracy_worst", "accuracy_gap"), resamples=300)
        found = evaluate(labelled(truth, race=race), predicted(made), options=options)
        worst = found.by("race")["accuracy_worst"]
        assert worst.value >= worst.floor.quantile

    def test_the_worst_of_errors_and_of_signed_errors(self):
        truth = np.tile(np.linspace(0.1, 0.9, 20), 2)
        sex = ["f"] * 20 + ["m"] * 20
        made = truth + np.where(np.array(sex) == "f", 0.02, -0.1)
        pairs = np.stack([truth, truth], axis=1), np.stack([made, truth], axis=1)
        options = EvaluationOptions(by=("sex",), metrics=("mae_worst", "mde_worst"), resamples=100)
        found = evaluate(affect(pairs[0], sex=sex), predicted_affect(pairs[1]), options=options)
        mae = found.by("sex")["mae_worst"]
        assert mae.value == pytest.approx(0.05)
        assert mae.value > mae.floor.quantile > mae.floor.mean
        assert found.parts("mae_worst", attribute="sex")["valence"].value == 0.0
        assert found.parts("mae_worst", attribute="sex")["arousal"].notes[0].startswith("group 'm', the worst of 2: 20")
        mde = found.by("sex")["mde_worst"]
        assert mde.value == pytest.approx(-0.05)
        assert mde.floor is None

    def test_one_group_has_no_worst(self):
        options = EvaluationOptions(by=("sex",), metrics=("uar_worst",), resamples=0)
        found = evaluate(labelled(["anger", "neutral"], sex=["f", "f"]), predicted(["anger", "anger"]), options=options)
        assert isinstance(found.by("sex")["uar_worst"], Undefined)


@pytest.mark.slow
def test_intervals_of_shifts_cover_the_true_ones():
    """Subjects of two groups of unequal size, one of them predicted worse: 95 % intervals hold the truth as often."""
    random = np.random.default_rng(7)
    uar = partial(to_combined, METRICS.get("uar"))

    def sample(subjects, items=40):
        group = np.repeat([0, 1], [subjects, subjects // 2])
        truth = random.choice(4, (group.size, items), p=[0.4, 0.3, 0.2, 0.1])
        skill = np.clip(random.normal(0.7, 0.12, group.size) - 0.1 * group, 0.05, 0.98)
        made = np.where(random.random(truth.shape) < skill[:, None], truth, random.integers(0, 4, truth.shape))
        cells = np.repeat(np.arange(group.size) * 2 + group, items)
        return Confusion.count(truth.ravel(), made.ravel(), labels=4, cells=cells, n_cells=(group.size, 2))

    true = np.mean([uar(sample(3000).pooled(0)) for _ in range(5)], axis=0)
    held = []
    for seed in range(200):
        found = resample(sample(20), Resampling(300, seed)).intervals(uar)
        held.append((found.low <= true) & (true <= found.high))
    assert (np.mean(held, axis=0) > 0.9).all(), np.mean(held, axis=0)
