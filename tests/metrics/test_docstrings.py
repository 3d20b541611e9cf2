"""Every metric states all that a reader must know, and its example runs."""

from __future__ import annotations

import doctest
import inspect
import re

import pytest

from affectcheck.metrics import METRICS

SECTIONS = (
    "$$",
    "Range:",
    "Undefined when:",
    "Tally:",
    "Signature:",
    "Args:",
    "Returns:",
    "Raises:",
    "Source:",
    "Example:",
)


@pytest.mark.parametrize("name", METRICS.names())
def test_every_section_is_there_and_in_order(name):
    text = inspect.getdoc(METRICS.get(name).compute)
    assert text, name
    places = [text.find(section) for section in SECTIONS]
    assert -1 not in places, f"{name} lacks {SECTIONS[places.index(-1)]}"
    assert places == sorted(places)
    assert re.match(r"[A-Z].*\.$", text.splitlines()[0])
    assert ">>> " in text


@pytest.mark.parametrize("name", METRICS.names())
def test_the_example_runs(name):
    text = inspect.getdoc(METRICS.get(name).compute)
    compute = METRICS.get(name).compute
    scope = {compute.__name__: compute} if hasattr(compute, "__name__") else {}
    test = doctest.DocTestParser().get_doctest(text, scope, name, None, 0)
    assert test.examples
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test)
    assert runner.failures == 0


@pytest.mark.parametrize("name", METRICS.names())
def test_the_catalogue_entry_is_complete(name):
    metric = METRICS.get(name)
    assert metric.name == name
    assert metric.title
    assert metric.source
    assert metric.undefined
    assert metric.low < metric.high
    assert (metric.base != "") == name.endswith(("_gap", "_worst"))
