"""Every combination of groups under perturbations, the mean changes behind differences, and local scores of values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from affectcheck.behaviour import explain, load_suites, plan
from affectcheck.behaviour.column_bins import pairs_of
from affectcheck.behaviour.fairness_columns import dealt_at_once
from affectcheck.behaviour.totals import Totals
from affectcheck.models.card import ModelCard
from affectcheck.predictions import make_predictions
from affectcheck.schemes import Target, scheme
from affectcheck.seeds import rng
from affectcheck.tallies import Tally

AU = ("AU1", "AU12")
MASK = "face-fairness-under-mask"


def seen(world: Any, codes: Any) -> Any:
    return world.predictions(codes, media=("image",))


def with_people(world: Any) -> Any:
    """Each subject has a gender and a race; every combination has six or seven of the forty."""
    subject = np.arange(world.table.height) // 40
    race = pl.Series("race", [("asian", "black", "white")[s % 3] for s in subject])
    return world.with_frame(world.table.frame.with_columns(race).rename({"sex": "gender"}), groups=("gender", "race"))


@pytest.fixture(scope="module")
def people(speech: Any) -> Any:
    return with_people(speech)


@pytest.fixture(scope="module")
def feeling(affect: Any) -> Any:
    return with_people(affect)


def cell(world: Any) -> np.ndarray:
    """Who is a woman called black."""
    frame = world.table.frame
    return np.asarray((frame["gender"] == "female") & (frame["race"] == "black"))


def moved(world: Any, share: Any, key: str = "moved") -> np.ndarray:
    """The truth, moved on by one class for a share of the items."""
    draw = rng(7, key).random(len(world.truth))
    return np.where(draw < share, (world.truth + 1) % 4, world.truth)


def test_what_hurts_one_combination_is_found_there(people: Any, outcome: Any) -> None:
    clean = seen(people, people.truth)
    found = outcome(MASK, people, clean, perturbed=seen(people, moved(people, np.where(cell(people), 0.5, 0.1))))
    (planned,) = found.plan.tests
    assert planned.blocks == (("gender", "race"), ("gender*race",))
    assert planned.attributes == ("gender", "race", "gender*race")
    for metric in ("unchanged_difference", "uar_change_difference"):
        cells = found.of(metric, attribute="gender*race")
        assert len(cells) == 6
        assert sum(one.support for one in cells) == people.table.height
        worst = max(cells, key=lambda one: abs(one.value))
        assert (worst.place.group, worst.status) == ("female*black", "failed")
        assert worst.value < -0.2
    told = found.one("unchanged_difference", group="female*black")
    assert any(note.startswith("0.5") and "female*black stay" in note for note in told.notes)
    assert "over 6 differences at once, of 4 families" in told.threshold.source
    assert "over 5 differences at once" in found.one("unchanged_difference", group="male").threshold.source
    even = outcome(MASK, people, clean, perturbed=seen(people, moved(people, 0.1, "even")))
    assert even.statuses() == {"passed"}


def test_combinations_with_too_few_items_are_listed(people: Any, outcome: Any) -> None:
    few = people.only(~cell(people) | (np.cumsum(cell(people)) <= 20))
    clean = seen(few, few.truth)
    found = outcome(MASK, few, clean, perturbed=seen(few, moved(few, 0.1)))
    small = found.one("unchanged_difference", group="female*black")
    assert (small.status, small.support) == ("not applicable", 20)
    assert found.one("unchanged_difference", group="male*black").value is not None


def test_columns_are_by_themselves_where_somebody_has_two_groups(people: Any, outcome: Any) -> None:
    race = people.table.frame["race"].to_list()
    race[0] = "white"
    mixed = people.with_frame(people.table.frame.with_columns(pl.Series("race", race)))
    found = outcome(MASK, mixed, seen(mixed, mixed.truth), perturbed=seen(mixed, moved(mixed, 0.1)))
    (planned,) = found.plan.tests
    assert planned.blocks == (("gender",), ("race",), ("gender*race",))
    assert (
        "over 2 differences at once, of 6 families" in found.one("unchanged_difference", group="male").threshold.source
    )
    assert "subject-by-group cells" in found.one("unchanged_difference", group="white").threshold.source


def test_who_is_dealt_out_at_once() -> None:
    frame = pl.DataFrame({"subject": ["a", "a", "b"], "media": ["1", "2", "2"], "age": ["old", "old", "young"]})
    assert dealt_at_once(frame, ["age"])
    assert not dealt_at_once(frame.with_columns(age=pl.Series(["old", "young", "young"])), ["age"])
    unknown = frame.with_columns(subject=pl.Series(["a", "a", None]))
    assert not dealt_at_once(unknown, ["age"])  # files count where not everybody is known, and one shows two people
    assert not dealt_at_once(frame.drop("subject"), ["age"])
    assert dealt_at_once(frame.drop("subject", "media"), ["age"])


def test_crossings_that_divide_nothing_are_none() -> None:
    frame = pl.DataFrame({"gender": ["f", "m", "m"], "race": ["black", "unknown", "white"], "age": [None] * 3})
    assert pairs_of(frame, ["gender", "race", "age"]) == ()
    assert pairs_of(frame, ["gender"]) == ()


def test_a_table_of_one_column_has_one_block(people: Any) -> None:
    one = people.with_frame(people.table.frame.drop("race"), groups=("gender",))
    (planned,) = plan(load_suites([MASK]), seen(one, one.truth).card, one.table).tests
    assert planned.blocks == (("gender",),)


def test_errors_that_grow_in_one_combination(feeling: Any, outcome: Any) -> None:
    near, world = feeling.near(0.02), feeling
    spread = np.where(cell(world), 0.25, 0.02)[:, None] * rng(4, "spread").standard_normal(world.truth.shape)
    clean, after = (world.predictions(one, media=("image",)) for one in (near, np.clip(near + spread, 0, 1)))
    found = outcome(MASK, world, clean, perturbed=after)
    mae = found.one("mae_change_difference", group="female*black", part="valence")
    assert mae.status == "failed"
    frame = pl.DataFrame({"cell": cell(world), "change": _errors(world, after)[:, 2] - _errors(world, clean)[:, 2]})
    expected = frame.filter("cell")["change"].mean() - frame["change"].mean()
    assert mae.value == pytest.approx(expected)
    assert found.one("mean_change_difference", group="female*black", part="valence").status == "passed"
    assert any("mean absolute error changes by +0.1" in note for note in mae.notes)
    bare = replace(world, table=replace(world.table, targets={}))
    alone = outcome(MASK, bare, clean, perturbed=after)
    assert {one.reason for one in alone.of("mae_change_difference")} == {"no labels of what the model predicts"}
    assert alone.one("mean_change_difference", group="female*black", part="valence").value is not None


def _errors(world: Any, prediction: Any) -> np.ndarray:
    values = prediction.frame.select("arousal", "dominance", "valence").to_numpy()
    return np.abs(values - world.truth)


def test_a_group_of_few_labels_has_no_error(feeling: Any, outcome: Any) -> None:
    known = ~cell(feeling) | (np.cumsum(cell(feeling)) <= 20)
    labels = [pl.when(pl.Series(known)).then(pl.col(name)).alias(name) for name in ("arousal", "dominance", "valence")]
    partly = feeling.with_frame(feeling.table.frame.with_columns(labels))
    near = partly.predictions(partly.near(0.05), media=("image",))
    after = partly.predictions(partly.near(0.06, key="after"), media=("image",))
    found = outcome(MASK, partly, near, perturbed=after)
    (crossed,) = found.of("mae_change_difference", attribute="gender*race", part="valence")
    assert crossed.reason == "fewer than 30 labelled items in one of the groups"
    assert found.one("mae_change_difference", group="female", part="valence").support < 800
    assert found.one("mean_change_difference", group="female", part="valence").support == 800


@pytest.fixture(scope="module")
def units(people: Any) -> Any:
    """Two units, the second not annotated of the first 100 items."""
    truth = (rng(2, "units").random((people.table.height, 2)) < (0.5, 0.3)).astype(np.int8)
    columns = [pl.Series(name, truth[:, m], dtype=pl.Int8) for m, name in enumerate(AU)]
    frame = people.table.frame.with_columns(columns)
    frame = frame.with_columns(AU12=pl.when(pl.int_range(pl.len()) >= 100).then(pl.col("AU12")))
    truth[:100, 1] = -1
    target = Target("units", replace(scheme("au-12-affwild2"), units=AU))
    return replace(people.with_frame(frame, targets={"units": target}), truth=truth)


def found_units(world: Any, present: Any) -> Any:
    card = ModelCard("m", kind="units", parts=AU, output="probability", media=("image",))
    return make_predictions(world.table.items, np.where(np.asarray(present) > 0, 0.9, 0.1), card)


def test_units_that_are_lost_in_one_combination(units: Any, outcome: Any) -> None:
    present = np.maximum(units.truth, 0)
    lost = rng(9, "lost").random(present.shape) < np.where(cell(units), 0.5, 0.05)[:, None]
    after = np.where(lost, 0, present)
    found = outcome(MASK, units, found_units(units, present), perturbed=found_units(units, after))
    worst = found.one("unit_uar_change_difference", group="female*black")
    assert worst.status == "failed"

    def change(rows: np.ndarray) -> float:
        """Half the mean loss of recall of presence, as absence is found as before."""
        recalls = [np.mean(after[rows & (units.truth[:, m] == 1), m]) for m in range(2)]
        return (np.mean(recalls) - 1) / 2

    everybody = np.ones(len(present), bool)
    assert worst.value == pytest.approx(change(cell(units)) - change(everybody))
    stays = found.one("unchanged_difference", group="female*black")
    assert stays.value == pytest.approx(
        np.mean(after == present, where=cell(units)[:, None]) - np.mean(after == present)
    )
    bare = replace(units, table=replace(units.table, targets={}))
    alone = outcome(MASK, bare, found_units(bare, present), perturbed=found_units(bare, after))
    assert {one.reason for one in alone.of("unit_uar_change_difference")} == {"no labels of what the model predicts"}
    never = units.with_frame(units.table.frame.with_columns(AU1=pl.lit(1, pl.Int8), AU12=pl.lit(1, pl.Int8)))
    never = replace(never, truth=np.ones_like(units.truth))
    always = outcome(MASK, never, found_units(never, present), perturbed=found_units(never, after))
    told = {one.reason for one in always.of("unit_uar_change_difference")}
    assert told == {"no unit is both present and absent in 5 labelled items of every group"}


def test_local_ccc_is_the_mean_over_groups_beside_that_of_all(affect: Any, outcome: Any) -> None:
    """Both groups have the same true values, so that none is left out of the sets of equal truth."""
    half = affect.truth[: affect.table.height // 2]
    truth = np.concatenate([half, half])
    sex = np.repeat(["female", "male"], len(half))
    frame = affect.table.frame.with_columns(
        pl.Series("gender", sex),
        pl.Series("subject", [f"{who}{row % 20}" for row, who in enumerate(sex)]),
        *[pl.Series(name, truth[:, d]) for d, name in enumerate(("arousal", "dominance", "valence"))],
    ).drop("sex")
    world = replace(affect.with_frame(frame, groups=("gender",)), truth=truth, sex=sex)
    noise = np.where(sex == "female", 0.3, 0.02)[:, None] * rng(3, "noise").standard_normal(truth.shape)
    values = np.clip(truth + noise, 0, 1)
    found = outcome("face-fairness-gender-balanced", world, world.predictions(values, media=("image",)))
    local = found.one("local_ccc_difference", part="valence")

    def ccc(rows: Any) -> float:
        x, y = truth[rows, 2], values[rows, 2]
        return 2 * np.cov(x, y, ddof=0)[0, 1] / (x.var() + y.var() + (x.mean() - y.mean()) ** 2)

    expected = (ccc(sex == "female") + ccc(sex == "male")) / 2 - ccc(np.ones(len(sex), bool))
    assert local.value == pytest.approx(expected)
    assert local.support == len(sex)
    assert local.place.group == ""
    assert local.status == "failed"
    assert found.one("ccc_difference", group="male", part="valence").status == "failed"


def test_values_of_combinations_are_compared_on_sets_of_equal_truth(feeling: Any, outcome: Any) -> None:
    worse = feeling.truth + np.where(cell(feeling), 0.3, 0.03)[:, None] * rng(3, "worse").standard_normal((1600, 3))
    made = feeling.predictions(np.clip(worse, 0, 1), media=("image",))
    found = outcome("face-fairness-gender-race-balanced", feeling, made)
    worst = max(found.of("mae_difference", part="valence"), key=lambda one: abs(one.value))
    assert len(found.of("ccc_difference", part="valence")) == 6
    assert (worst.place.group, worst.status) == ("female*black", "failed")
    assert {one.place.attribute for one in found.of("local_ccc_difference")} == {"gender*race"}


def test_combinations_are_told_in_plain_words() -> None:
    (test,) = load_suites([MASK])
    assert "every combination of two of them" in explain(test)


def test_units_that_are_found_more_often_in_one_group_where_nothing_is_annotated(units: Any, outcome: Any) -> None:
    draw = rng(6, "found").random((units.table.height, 2))
    women = np.asarray(units.table.frame["gender"] == "female")
    share = np.where(women, 0.6, 0.3)
    found = (draw < np.stack([share, np.full(len(share), 0.3)], axis=-1)).astype(np.int8)
    bare = replace(units, table=replace(units.table, targets={}))
    told = outcome("face-fairness-gender-predictions", bare, found_units(bare, found))
    first = told.one("share_difference", group="female", part="AU1")
    assert first.value == pytest.approx(found[women, 0].mean() - found[:, 0].mean())
    assert first.status == "failed"
    assert told.one("share_difference", group="female", part="AU12").status == "passed"
    apart = np.abs(found[women].mean(axis=0) - found[~women].mean(axis=0)).mean()
    dpd = told.one("dpd")
    assert (dpd.value, dpd.status) == (pytest.approx(apart), "failed")
    assert dpd.baseline == pytest.approx(0.02, abs=0.03)
    even = outcome("face-fairness-gender-predictions", bare, found_units(bare, (draw < 0.3).astype(np.int8)))
    assert even.statuses() == {"passed"}
    few = bare.only(np.arange(units.table.height) < 50)
    assert outcome("face-fairness-gender-predictions", few, found_units(few, found[:50])).statuses() == {
        "not applicable"
    }


@pytest.mark.parametrize(("number", "strata"), [(2, 3), (7, 3), (40, 3), (7, 1)])
def test_totals_are_dealt_out_as_any_tally(number: int, strata: int) -> None:
    draw = rng(5, "dealt", number)
    totals = Totals(draw.integers(9, size=(25, strata)), draw.standard_normal((25, strata, 2)))
    groups = draw.integers(number, size=(11, 25)).astype(np.uint8)
    made, expected = totals.dealt(groups, number), Tally.dealt(totals, groups, number)
    assert np.array_equal(made.items, expected.items)
    np.testing.assert_allclose(made.sums, expected.sums, atol=1e-12)
