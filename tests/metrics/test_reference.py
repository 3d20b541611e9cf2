"""What is known of numbers beside their definition; ``tests/peers`` has the definitions, and other libraries' numbers."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.metrics import METRICS
from affectcheck.metrics.divergence import jensen_shannon
from affectcheck.tallies import Confusion


@pytest.mark.parametrize("seed", range(4))
def test_distances_of_histograms_are_those_of_scipy(seed):
    distance = pytest.importorskip("scipy.spatial.distance")
    first, second = np.random.default_rng(seed).integers(0, 9, (2, 10))
    expected = distance.jensenshannon(first, second, base=2)
    assert float(jensen_shannon(first, second)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("classes", [2, 4, 7, 8])
def test_the_two_scalings_differ_by_half_the_number_of_classes(classes):
    random = np.random.default_rng(classes)
    tally = Confusion.of_counts(random.integers(1, 9, (3, classes, classes)))
    for name in ("eop", "sp"):
        paper, tables = (float(METRICS.get(name).compute(tally, convention=c)) for c in ("paper", "tables"))
        assert tables == pytest.approx(paper * classes / 2)
        assert paper <= 2 / classes
