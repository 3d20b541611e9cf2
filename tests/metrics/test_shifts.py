"""The worst group, shares of what is predicted, and shifts of groups to all together: by hand and by plain loops."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from affectcheck.errors import InputError
from affectcheck.metrics import METRICS, to_combined, worst_group
from affectcheck.metrics.worst import Worst
from affectcheck.tallies import Binned, Confusion, Moments, Units
from metric_draws import GROUPS, draw, tally_of

OVERALL = [name for name in METRICS.names() if f"{name}_worst" in METRICS and METRICS.get(name).kind != "raters"]
PARTS = [name for name in METRICS.names() if METRICS.get(name).level == "part"]


def grouped(name, seed=0, n=90):
    """A tally by group, and one of all items."""
    metric = METRICS.get(name)
    items = draw(metric, seed, n)
    return tally_of(replace(metric, level="disparity"), items), tally_of(replace(metric, level="overall"), items), items


class TestWorst:
    @pytest.mark.parametrize("name", OVERALL)
    def test_it_is_the_value_of_the_worst_group(self, name):
        metric = METRICS.get(name)
        for seed in range(4):
            tally, _, _ = grouped(name, seed)
            values = metric.compute(tally)
            known = values[~np.isnan(values)]
            found = float(METRICS.get(f"{name}_worst").compute(tally))
            if not known.size:
                assert np.isnan(found)
            elif metric.higher_is_better is None:
                assert abs(found) == np.abs(known).max()
            else:
                assert found == (known.min() if metric.higher_is_better else known.max())
            if known.size:
                assert found == values[int(worst_group(metric, tally))]

    def test_a_signed_error_is_worst_where_it_is_farthest_from_0(self):
        tally = Moments.of([0.5, 0.5, 0.5], [0.6, 0.1, 0.7], cells=[0, 1, 2])
        assert float(METRICS.get("mde_worst").compute(tally)) == pytest.approx(-0.4)
        assert float(METRICS.get("mae_worst").compute(tally)) == pytest.approx(0.4)

    def test_groups_without_a_value_are_left_out_and_what_the_worst_lacks_is_told(self):
        tally = Confusion.of_counts([[[2, 0], [0, 2]], [[2, 0], [0, 0]], [[0, 0], [0, 0]]])
        worst = METRICS.get("uar_worst")
        assert float(worst.compute(tally)) == 0.5
        assert worst.notes(tally, ("anger", "fear"), ("f", "m", "x")) == (
            "group 'x' left out: no items",
            "group 'm': fear: no items in the truth",
        )
        assert int(worst.undefined_parts(tally)) == 2
        nobody = tally[2:]
        assert np.isnan(worst.compute(nobody))
        assert int(worst.undefined_parts(nobody)) == 1
        assert worst.notes(nobody, (), ("x",)) == ("group 'x' left out: no items",)

    def test_the_worst_group_of_each_dimension_and_unit(self):
        truth = np.array([[0.1, 0.2], [0.3, 0.4], [0.1, 0.2], [0.3, 0.4]])
        made = truth + np.array([[0.1, 0.0], [0.1, 0.0], [0.0, 0.2], [0.0, 0.2]])
        tally = Moments.of(truth, made, cells=[0, 0, 1, 1])
        np.testing.assert_allclose(METRICS.get("mae_worst").parts(tally), [0.1, 0.2])
        units = Units.of_counts([[[[1, 0], [0, 1]], [[0, 1], [1, 0]]], [[[0, 1], [1, 0]], [[1, 0], [0, 1]]]])
        assert METRICS.get("unit_f1_worst").parts(units).tolist() == [0, 0]
        empty = Moments.of([0.1], [0.2], cells=[0])[:0]
        assert METRICS.get("uar_worst").parts is None
        assert METRICS.get("ccc_worst").part_reasons(tally[:,], ("v", "a")) == ("", "")
        assert empty.shape == (0,)

    def test_a_part_that_no_group_has_says_so(self):
        tally = Moments.of([[0.1, np.nan], [0.2, np.nan]], [[0.1, 0.5], [0.2, 0.5]], cells=[0, 1])
        assert METRICS.get("mae_worst").part_reasons(tally, ("v", "a"))[1] == "a: mae is defined in no group"

    def test_unknown_conventions_are_refused(self):
        with pytest.raises(InputError, match="unknown convention"):
            Worst(METRICS.get("uar"))(Confusion.of_counts([[[1, 0], [0, 1]]]), convention="other")


class TestShares:
    def test_shares_of_classes_and_of_nothing(self):
        tally = Confusion.count([0, 0, 1], [1, -1, 1], labels=2, missing="wrong")
        assert METRICS.get("share").compute(tally).tolist() == [0, 1]
        none = Confusion.count([0], [-1], labels=2, missing="wrong")
        assert np.isnan(METRICS.get("share").compute(none)).all()
        assert METRICS.get("share").part_reasons(none, ("a", "b")) == tuple(
            f"{name}: no items with a prediction" for name in "ab"
        )

    def test_shares_of_bins_sum_to_1_in_each_dimension(self):
        random = np.random.default_rng(0)
        tally = Binned.of(random.random((50, 2)), random.random((50, 2)))
        found = METRICS.get("bin_share").compute(tally)
        np.testing.assert_allclose(found.reshape(2, 4).sum(axis=1), 1.0)
        assert METRICS.get("bin_share").part_names(tally, ("v", "a"))[0] == "v (-inf, 0.25]"
        empty = Binned.zero(dimensions=1)
        assert METRICS.get("bin_share").part_reasons(empty, ("v",))[0] == "v (-inf, 0.25]: no items with a prediction"

    def test_the_mean_of_known_items(self):
        tally = Moments.of([[0.1, np.nan], [0.2, np.nan]], [[0.5, 0.5], [0.7, 0.5]])
        found = METRICS.get("mean").compute(tally)
        assert found[0] == pytest.approx(0.6)
        assert np.isnan(found[1])


class TestToCombined:
    @pytest.mark.parametrize("name", [*OVERALL, *PARTS])
    def test_it_is_the_group_minus_all_items(self, name):
        metric = METRICS.get(name)
        for seed in range(3):
            tally, whole, _ = grouped(name, seed)
            found = to_combined(metric, tally)
            together = metric.compute(whole)
            for g in range(GROUPS):
                np.testing.assert_allclose(found[g], metric.compute(tally[g]) - together, rtol=1e-9, atol=1e-12)

    def test_parts_of_an_overall_metric(self):
        tally, whole, _ = grouped("ccc")
        parts = METRICS.get("ccc").parts
        found = to_combined(METRICS.get("ccc"), tally, per_part=True)
        assert found.shape == (GROUPS, 2)
        np.testing.assert_allclose(found[0], parts(tally[0]) - parts(whole), atol=1e-12)

    def test_over_a_batch(self):
        tally, _, _ = grouped("uar")
        batch = tally.reshape(1, *tally.shape).joined([tally.reshape(1, *tally.shape)])
        np.testing.assert_array_equal(to_combined(METRICS.get("uar"), batch)[1], to_combined(METRICS.get("uar"), tally))

    def test_two_groups_of_shares_balance_by_their_sizes(self):
        tally = Confusion.of_counts([[[3, 1], [0, 0]], [[0, 2], [0, 10]]])
        shift = to_combined(METRICS.get("share"), tally)
        np.testing.assert_allclose((shift * np.array([[4], [12]])).sum(axis=0), 0.0, atol=1e-15)

    def test_undefined_where_either_is(self):
        tally = Confusion.of_counts([[[2, 0], [0, 2]], [[0, 0], [0, 0]]])
        found = to_combined(METRICS.get("uar"), tally)
        assert found[0] == 0.0
        assert np.isnan(found[1])
