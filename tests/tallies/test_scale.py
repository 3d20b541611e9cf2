"""Memory stays flat: temporaries are those of one chunk, however many rows there are."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

from affectcheck.metrics import METRICS
from affectcheck.tallies import Confusion, Histogram, Moments, Sample, Units

ROWS = 1_000_000
LIMIT_MB = 12.0


@pytest.fixture(scope="module")
def rows():
    random = np.random.default_rng(0)
    truth = random.uniform(0, 1, (ROWS, 2)).astype(np.float32)
    codes = random.integers(0, 8, ROWS).astype(np.int8)
    return truth, codes, random.integers(0, 72, ROWS).astype(np.int16)


@pytest.mark.parametrize("kind", ["confusion", "moments", "histogram", "units"])
def test_a_million_rows_need_little_more_than_the_rows(rows, kind):
    truth, codes, cells = rows
    count = {
        "confusion": lambda: Confusion.count(codes, codes, labels=8, cells=cells, n_cells=72),
        "moments": lambda: Moments.of(truth, truth, cells=cells, n_cells=72),
        "histogram": lambda: Histogram.of(truth, truth, cells=cells, n_cells=72),
        "units": lambda: Units.count(truth > 0.7, truth > 0.6, cells=cells, n_cells=72),
    }[kind]
    tracemalloc.start()
    tally = count()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert np.asarray(tally.support).sum() in (ROWS, 2 * ROWS)
    assert peak / 1e6 < LIMIT_MB


def test_resamples_of_a_sample_need_little_more_than_its_items(rows):
    truth, _, cells = rows
    sample = Sample.of(truth[:100_000], truth[:100_000, ::-1], cells=cells[:100_000], n_cells=72)
    weights = np.random.default_rng(0).integers(0, 3, (200, 72))
    tracemalloc.start()
    values = METRICS.get("spearman").compute(sample.weighted(weights))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert np.isfinite(values).all()
    # The weights of all items in all resamples would be 160 MB.
    assert peak / 1e6 < 2 * LIMIT_MB


def test_the_numbers_load_neither_scipy_nor_tables():
    code = (
        "import sys, affectcheck.tallies, affectcheck.metrics, affectcheck.uncertainty\n"
        "from affectcheck.metrics import METRICS\n"
        "METRICS.names()\n"
        "print([m for m in ('scipy', 'polars', 'pandas', 'torch', 'sklearn') if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
