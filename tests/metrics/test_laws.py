"""Laws that every registered metric keeps, and proof that each law catches a metric that breaks it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from affectcheck.metrics import CONVENTIONS, METRICS, Metric
from affectcheck.schemes import TASKS
from affectcheck.tallies import Binned, Coincidences, Confusion, Histogram, Moments, Sample, TrueRanks, Units
from metric_draws import GROUPS, LABELS, SCORED, Items, certain, draw, of_scores, tally_of

NAMES = METRICS.names()
CATEGORIES = {
    "overall": {
        *("accuracy", "uar", "uap", "f1_macro", "f1_weighted", "cohen_kappa", "matthews"),
        *("top_2", "top_3", "top_5", "calibration"),
        *("cross_entropy", "soft_jsd"),
    },
    "part": {"recall", "precision", "f1", "share"},
    "disparity": {"local_f1", "eop", "sp"},
}
DIMENSIONAL = {
    "overall": {"ccc", "pcc", "mae", "mde", "mse", "rmse", "jsd", "spearman", "sign_agreement"},
    "part": {"bin_recall", "bin_precision", "bin_share", "mean"},
    "disparity": {"local_ccc"},
}
OF_UNITS = {
    "overall": {
        *("unit_f1", "unit_accuracy", "unit_matthews", "emotionet"),
        *("unit_auc", "unit_ap", "unit_calibration"),
    },
    "part": {"unit_recall", "unit_precision", "unit_share"},
    "disparity": {"unit_local_f1", "eod", "dpd"},
}
#: A challenge's score is of a whole test set, and has no gap.
CHALLENGES = {
    "p_va": "dimensions",
    "p_emi": "dimensions",
    "p_expr": "categories",
    "p_ce": "categories",
    "p_au": "units",
}
#: Of ratings there is neither truth nor prediction: an item is its number of votes for each value.
OF_RATERS = {"overall": {"alpha_nominal", "alpha_ordinal", "alpha_interval", "alpha_ratio", "fleiss_kappa"}}


def check_merge(metric: Metric, items: Items) -> None:
    """Scoring merged tallies equals scoring all items at once."""
    whole = metric.compute(tally_of(metric, items))
    merged = tally_of(metric, items.take(slice(0, 17))) + tally_of(metric, items.take(slice(17, None)))
    np.testing.assert_allclose(metric.compute(merged), whole, rtol=1e-9, atol=1e-12)


def check_order(metric: Metric, items: Items) -> None:
    """The order of items means nothing."""
    shuffled = items.take(np.random.default_rng(1).permutation(items.group.size))
    found, expected = metric.compute(tally_of(metric, shuffled)), metric.compute(tally_of(metric, items))
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def check_names(metric: Metric, items: Items) -> None:
    """Renaming classes, dimensions or groups means nothing, but that parts move with their names."""
    random = np.random.default_rng(2)
    expected = metric.compute(tally_of(metric, items))
    if metric.kind == "categories" and of_scores(metric):
        order = random.permutation(SCORED)
        renamed = Items(order[items.truth], items.prediction[:, np.argsort(order)], items.group)
    elif metric.kind == "categories":
        order = random.permutation(metric.number_of_parts or LABELS)
        renamed = Items(order[items.truth], order[items.prediction], items.group)
        if metric.level == "part":
            expected = expected[np.argsort(order)]
    elif metric.kind == "units":
        order = random.permutation(items.truth.shape[1])
        renamed = Items(items.truth[:, order], items.prediction[:, order], items.group)
        expected = expected[order] if metric.level == "part" else expected
    elif metric.kind == "raters":
        nominal = metric.parts is not None
        order = random.permutation(LABELS) if nominal else np.arange(LABELS)
        renamed = Items(items.truth[:, order], items.truth[:, order], items.group)
    else:
        renamed = Items(items.truth[:, ::-1], items.prediction[:, ::-1], items.group)
        if metric.level == "part":
            expected = expected.reshape(items.truth.shape[1], -1)[::-1].ravel()
    renamed = replace(renamed, group=(renamed.group + 1) % GROUPS)
    np.testing.assert_allclose(metric.compute(tally_of(metric, renamed)), expected, rtol=1e-9, atol=1e-12)


def check_range(metric: Metric, items: Items) -> None:
    """A value lies in the declared range."""
    values = np.asarray(metric.compute(tally_of(metric, items)))
    known = values[~np.isnan(values)]
    assert ((known >= metric.low) & (known <= metric.high)).all(), values


def check_batch(metric: Metric, items: Items) -> None:
    """Scoring several tallies at once equals scoring each, and changes none of them."""
    parts = [tally_of(metric, items.take(slice(start, None))) for start in (0, 10, 40, 60)]
    one = [part.reshape(1, *part.shape) for part in parts]
    stacked = one[0].joined(one[1:])
    before = [getattr(stacked, name).copy() for name in stacked.TRAILING]
    batched = metric.compute(stacked)
    for k, part in enumerate(parts):
        np.testing.assert_array_equal(batched[k], metric.compute(part))
        assert metric.undefined_parts(stacked)[k] == metric.undefined_parts(part)
    for name, array in zip(stacked.TRAILING, before, strict=True):
        np.testing.assert_array_equal(getattr(stacked, name), array)


def check_best(metric: Metric, items: Items) -> None:
    """A perfect model reaches the best end of the range."""
    if metric.kind == "raters":
        unanimous = np.eye(LABELS, dtype=int)[np.arange(items.group.size) % LABELS] * 3
        items = Items(unanimous, unanimous, items.group)
    truth = np.nan_to_num(items.truth, nan=0.5) if metric.kind == "dimensions" else items.truth
    # What is predicted of an unknown unit is neither right nor wrong.
    prediction = np.abs(truth) if metric.kind == "units" else certain(truth) if of_scores(metric) else truth
    value = float(metric.compute(tally_of(metric, Items(truth, prediction, items.group)), undefined=""))
    if metric.higher_is_better is None:
        assert value == 0.0
    elif metric.level == "overall":
        assert value == pytest.approx(metric.high if metric.higher_is_better else metric.low, abs=1e-15)


def check_unknown(metric: Metric, items: Items) -> None:
    """What is predicted where the truth is unknown means nothing."""
    if metric.kind == "units":
        unknown, other = items.truth == -1, 1 - items.prediction
    elif metric.kind == "dimensions":
        unknown, other = np.isnan(items.truth), 1.0 - items.prediction
    else:
        return
    changed = replace(items, prediction=np.where(unknown, other, items.prediction))
    assert unknown.any()
    np.testing.assert_array_equal(metric.compute(tally_of(metric, changed)), metric.compute(tally_of(metric, items)))


LAWS = (check_merge, check_order, check_names, check_range, check_batch, check_unknown)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_every_metric_keeps_the_law(name, law):
    for seed in range(6):
        law(METRICS.get(name), draw(METRICS.get(name), seed))


@pytest.mark.parametrize("name", [name for name in NAMES if METRICS.get(name).level == "overall"])
def test_a_perfect_model_scores_best(name):
    check_best(METRICS.get(name), draw(METRICS.get(name), 0, n=200))


@pytest.mark.parametrize("name", NAMES)
def test_no_items_are_undefined_and_say_so(name):
    metric = METRICS.get(name)
    tally = tally_of(metric, draw(metric, 0).take(slice(0, 0)))
    assert np.isnan(metric.compute(tally)).all()
    assert metric.reason(tally) == "no items"


@pytest.mark.parametrize("name", NAMES)
def test_an_undefined_value_has_a_reason_and_counted_parts_have_notes(name):
    metric = METRICS.get(name)
    for seed in range(6):
        for n in (60, 3, 1):
            tally = tally_of(metric, draw(metric, seed, n))
            values = np.asarray(metric.compute(tally))
            if values.ndim == 0 and np.isnan(values):
                assert metric.reason(tally)
            notes = metric.notes(tally, tuple("abcd"), tuple("xyz"))
            if metric.undefined_parts(tally) > 0:
                assert notes
            if metric.parts is not None:
                undefined = np.isnan(metric.parts(tally))
                assert [bool(reason) for reason in metric.part_reasons(tally)] == undefined.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_conventions_are_named_exactly_where_they_differ(name):
    metric = METRICS.get(name)
    supported = [c for c in CONVENTIONS if metric.supports(c)]
    assert "paper" in supported
    assert tuple(supported) == metric.conventions
    signatures = {metric.signature(c)["convention"] for c in supported}
    assert signatures == (set(supported) if metric.rules.distinct else {""})
    if not metric.rules.distinct:
        for seed in range(3):
            tally = tally_of(metric, draw(metric, seed))
            values = [metric.compute(tally, convention=c) for c in supported]
            for other in values[1:]:
                np.testing.assert_array_equal(other, values[0])


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_rule_is_the_default_named_in_the_signature(name):
    metric = METRICS.get(name)
    tally = tally_of(metric, draw(metric, 1))
    for convention in metric.conventions:
        named = metric.signature(convention)["undefined"]
        explicit = metric.compute(tally, convention=convention, undefined=named)
        np.testing.assert_array_equal(explicit, metric.compute(tally, convention=convention))


@pytest.mark.parametrize("name", NAMES)
def test_rules_that_are_unknown_are_refused(name):
    metric = METRICS.get(name)
    tally = tally_of(metric, draw(metric, 1))
    with pytest.raises(ValueError, match="unknown convention"):
        metric.compute(tally, convention="papers")
    with pytest.raises(ValueError, match="unknown rule"):
        metric.compute(tally, undefined="one")


@pytest.mark.parametrize("name", [name for name in NAMES if METRICS.get(name).rules.allowed])
def test_rules_order_as_their_meaning_says(name):
    """Propagating is undefined as soon as a part is; the others then differ only by what they put in its place."""
    metric = METRICS.get(name)
    if metric.tally is Histogram or metric.kind == "dimensions":
        return
    tally = tally_of(metric, draw(metric, 0, n=2000))
    assert metric.undefined_parts(tally) == 0
    values = [metric.compute(tally, undefined=rule) for rule in metric.rules.allowed]
    for value in values[1:]:
        np.testing.assert_allclose(value, values[0], atol=1e-15)


def check_number_of_parts(metric: Metric) -> None:
    """A challenge's score is defined for its own number of classes, units or dimensions alone."""
    other = replace(metric, number_of_parts=metric.number_of_parts + 1)
    try:
        metric.compute(tally_of(other, draw(other, 0)))
    except ValueError as error:
        assert f"expected: {metric.number_of_parts}, those of the challenge" in str(error)  # noqa: PT017
    else:
        raise AssertionError(metric.name)


@pytest.mark.parametrize("name", CHALLENGES)
def test_a_challenge_has_its_own_number_of_parts(name):
    check_number_of_parts(METRICS.get(name))


def test_the_registered_metrics_are_exactly_these():
    expected = {
        (kind, level, name)
        for kind, levels in (
            ("categories", CATEGORIES),
            ("units", OF_UNITS),
            ("dimensions", DIMENSIONAL),
            ("raters", OF_RATERS),
        )
        for level, names in levels.items()
        for name in names
    }
    overall = [(kind, name) for kind, level, name in expected if level == "overall"]
    expected |= {(kind, "disparity", f"{name}_{over}") for kind, name in overall for over in ("gap", "worst")}
    expected |= {(kind, "overall", name) for name, kind in CHALLENGES.items()}
    assert {(m.kind, m.level, m.name) for _, m in METRICS.items()} == expected


def test_every_metric_that_a_task_names_is_registered_at_its_level():
    for kind, task in TASKS.items():
        for names, levels in (
            (task.metrics, {"overall"}),
            (task.per_part, {"part", "overall"}),
            (task.disparities, {"disparity"}),
        ):
            for name in names:
                metric = METRICS.get(name)
                assert metric.kind == kind
                assert metric.level in levels
        assert all(METRICS.get(name).parts is not None for name in task.per_part)


class TestOfTheTests:
    """A metric with a common fault must be caught by the law it breaks."""

    def test_coincidences_of_one_part_alone_are_seen(self):
        class Averaged(Coincidences):
            def __add__(self, other: Coincidences) -> Coincidences:
                return replace(self, pairs=(self.pairs + other.pairs) / 2.0, totals=self.totals + other.totals)

        with pytest.raises(AssertionError):
            check_merge(replace(METRICS.get("alpha_nominal"), tally=Averaged), draw(METRICS.get("alpha_nominal"), 0))

    def test_an_agreement_that_knows_the_first_class_is_seen(self):
        def first(tally: Coincidences) -> np.ndarray:
            return METRICS.get("alpha_nominal").parts(tally)[..., 0]

        with pytest.raises(AssertionError):
            check_names(self.wrong("alpha_nominal", first), draw(METRICS.get("alpha_nominal"), 0))

    @staticmethod
    def wrong(name: str, compute) -> Metric:
        return replace(METRICS.get(name), compute=compute)

    def test_a_tally_that_drops_a_chunk_is_seen(self):
        class Forgetful(Moments):
            def __add__(self, other: Moments) -> Moments:
                return self

        with pytest.raises(AssertionError):
            check_merge(replace(METRICS.get("ccc"), tally=Forgetful), draw(METRICS.get("ccc"), 0))

    def test_a_mean_of_chunks_is_no_pooled_value(self):
        class Chunked(Moments):
            def __add__(self, other: Moments) -> Moments:
                both = self.reshape(1, *self.shape).joined([other.reshape(1, *other.shape)])
                return replace(self, products=both.products.mean(axis=0))

        with pytest.raises(AssertionError):
            check_merge(replace(METRICS.get("ccc"), tally=Chunked), draw(METRICS.get("ccc"), 0))

    def test_dividing_by_the_labels_seen_last_is_no_mean(self):
        def ordered(tally: Confusion) -> np.ndarray:
            return METRICS.get("recall").compute(tally)[..., 0]

        with pytest.raises(AssertionError):
            check_names(self.wrong("uar", ordered), draw(METRICS.get("uar"), 0))

    def test_a_value_out_of_range_is_seen(self):
        def percent(tally: Confusion) -> np.ndarray:
            return 100 * METRICS.get("uar").compute(tally)

        with pytest.raises(AssertionError):
            check_range(self.wrong("uar", percent), draw(METRICS.get("uar"), 0))

    def test_a_metric_that_mixes_its_batch_is_seen(self):
        def mixed(tally: Confusion) -> np.ndarray:
            return np.broadcast_to(METRICS.get("accuracy").compute(tally).max(), tally.shape)

        with pytest.raises(AssertionError):
            check_batch(self.wrong("accuracy", mixed), draw(METRICS.get("accuracy"), 0))

    def test_a_metric_that_changes_its_tally_is_seen(self):
        def greedy(tally: Confusion) -> np.ndarray:
            value = METRICS.get("accuracy").compute(tally)
            tally.counts[...] = 0
            return value

        with pytest.raises(AssertionError):
            check_batch(self.wrong("accuracy", greedy), draw(METRICS.get("accuracy"), 0))

    def test_the_wrong_direction_is_seen(self):
        metric = replace(METRICS.get("mae"), higher_is_better=True)
        with pytest.raises(AssertionError):
            check_best(metric, draw(metric, 0))

    def test_a_metric_of_the_row_order_is_seen(self):
        calls = iter(range(100))

        def unstable(tally: Confusion) -> np.ndarray:
            return METRICS.get("accuracy").compute(tally) + 1e-3 * next(calls)

        with pytest.raises(AssertionError):
            check_order(self.wrong("accuracy", unstable), draw(METRICS.get("accuracy"), 0))

    def test_units_that_are_not_added_are_seen(self):
        class Forgetful(Units):
            def __add__(self, other: Units) -> Units:
                return replace(self, counts=self.counts + other.counts // 2)

        with pytest.raises(AssertionError):
            check_merge(replace(METRICS.get("unit_f1"), tally=Forgetful), draw(METRICS.get("unit_f1"), 0))

    def test_a_unit_that_stands_for_all_is_seen(self):
        def first(tally: Units) -> np.ndarray:
            return METRICS.get("unit_f1").parts(tally)[..., 0]

        with pytest.raises(AssertionError):
            check_names(self.wrong("unit_f1", first), draw(METRICS.get("unit_f1"), 0))

    def test_a_sum_over_units_is_no_mean(self):
        def total(tally: Units) -> np.ndarray:
            return METRICS.get("unit_f1").parts(tally).sum(axis=-1)

        with pytest.raises(AssertionError):
            check_range(self.wrong("unit_f1", total), draw(METRICS.get("unit_f1"), 0))

    def test_a_distance_to_the_first_group_is_seen(self):
        def to_first(tally: Units) -> np.ndarray:
            rates = METRICS.get("unit_recall").compute(tally)
            return np.abs(rates - rates[..., :1, :]).max(axis=-2).mean(axis=-1)

        with pytest.raises(AssertionError):
            check_names(self.wrong("eod", to_first), draw(METRICS.get("eod"), 0, n=300))

    def test_a_worst_group_that_is_the_last_one_is_seen(self):
        def last(tally: Confusion) -> np.ndarray:
            return METRICS.get("uar").compute(tally)[..., -1]

        with pytest.raises(AssertionError):
            check_names(self.wrong("uar_worst", last), draw(METRICS.get("uar_worst"), 0))

    def test_shares_in_percent_are_seen(self):
        def percent(tally: Confusion) -> np.ndarray:
            return 100 * METRICS.get("share").compute(tally)

        with pytest.raises(AssertionError):
            check_range(self.wrong("share", percent), draw(METRICS.get("share"), 0))

    def test_groups_of_the_whole_batch_are_seen(self):
        def mixed(tally: Units) -> np.ndarray:
            whole = tally if len(tally.shape) == 1 else tally.pooled(0)
            return np.broadcast_to(METRICS.get("dpd").compute(whole), tally.shape[:-1])

        with pytest.raises(AssertionError):
            check_batch(self.wrong("dpd", mixed), draw(METRICS.get("dpd"), 0))

    def test_units_of_the_row_order_are_seen(self):
        class First(Units):
            @classmethod
            def count(cls, truth, prediction, **options) -> Units:
                return Units.count(truth[:20], prediction[:20], **options)

        with pytest.raises(AssertionError):
            check_order(replace(METRICS.get("unit_f1"), tally=First), draw(METRICS.get("unit_f1"), 0))

    @pytest.mark.parametrize("law", [check_best, check_unknown])
    def test_an_unknown_unit_that_counts_as_absent_is_seen(self, law):
        class Careless(Units):
            @classmethod
            def count(cls, truth, prediction, **options) -> Units:
                return Units.count(np.maximum(truth, 0), prediction, **options)

        with pytest.raises(AssertionError):
            law(replace(METRICS.get("unit_f1"), tally=Careless), draw(METRICS.get("unit_f1"), 0, n=200))

    def test_a_sample_that_forgets_items_is_seen(self):
        class Forgetful(Sample):
            def __add__(self, other: Sample) -> Sample:
                return self

        for name in ("unit_auc", "unit_ap", "spearman"):
            with pytest.raises(AssertionError):
                check_merge(replace(METRICS.get(name), tally=Forgetful), draw(METRICS.get(name), 0))

    @pytest.mark.parametrize("name", ["top_2", "calibration", "unit_calibration", "sign_agreement", "bin_recall"])
    def test_counts_of_half_the_items_are_seen(self, name):
        metric = METRICS.get(name)

        class Halved(metric.tally):
            def __add__(self, other):
                first = next(iter(self.TRAILING))
                return replace(self, **{first: getattr(self, first)})

        with pytest.raises(AssertionError):
            check_merge(replace(metric, tally=Halved), draw(metric, 0))

    def test_equal_scores_that_go_by_their_place_are_seen(self):
        class Ordered:
            def __init__(self, truth, score):
                order = np.argsort(score, kind="stable")
                self.orders, self.truth = (order,), truth[order]

            def values(self, weights):
                places = np.arange(self.truth.size)
                return np.array([(places[self.truth == 1].mean() + 1.0) / self.truth.size])

        def by_place(tally: Sample) -> np.ndarray:
            return tally.each(Ordered)[..., 0]

        with pytest.raises(AssertionError):
            check_order(self.wrong("unit_auc", by_place), draw(METRICS.get("unit_auc"), 0))

    def test_a_rank_correlation_of_one_dimension_is_no_mean(self):
        def first(tally: Sample) -> np.ndarray:
            return METRICS.get("spearman").parts(tally)[..., 0]

        with pytest.raises(AssertionError):
            check_names(self.wrong("spearman", first), draw(METRICS.get("spearman"), 0))

    def test_bins_that_do_not_move_with_their_dimension_are_seen(self):
        def sorted_bins(tally: Binned) -> np.ndarray:
            return np.sort(METRICS.get("bin_recall").compute(tally))

        with pytest.raises(AssertionError):
            check_names(self.wrong("bin_recall", sorted_bins), draw(METRICS.get("bin_recall"), 0))

    def test_a_rank_that_counts_classes_by_their_place_is_seen(self):
        def of_first_class(tally: TrueRanks) -> np.ndarray:
            return tally.counts[..., 0] / tally.labels

        with pytest.raises(AssertionError):
            check_range(self.wrong("top_3", of_first_class), draw(METRICS.get("top_3"), 0))

    def test_an_error_that_is_best_when_large_is_seen(self):
        metric = replace(METRICS.get("calibration"), higher_is_better=True)
        with pytest.raises(AssertionError):
            check_best(metric, draw(metric, 0))

    def test_a_challenge_that_takes_any_number_of_parts_is_seen(self):
        for name in CHALLENGES:
            with pytest.raises(AssertionError):
                check_number_of_parts(replace(METRICS.get(name), compute=lambda tally: np.asarray(0.0)))
