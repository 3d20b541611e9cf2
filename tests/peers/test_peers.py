"""The same data through other libraries: the same number, or the number that their other definition gives."""

from __future__ import annotations

import importlib.util
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np
import pytest

from affectcheck.metrics import METRICS
from affectcheck.tallies import Confusion, Units
from peers import of_categories, of_dimensions, of_raters, of_torchmetrics, of_units
from peers.comparison import RELATIONS, Comparison, Outcome, gaps, outcomes, relation, required
from peers.kernels import cases_of
from peers.stored import fixtures, stored, stored_cases

PAGE = Path(__file__).resolve().parents[2] / "docs" / "peers.md"
COMPARISONS = [
    *of_categories.COMPARISONS,
    *of_units.COMPARISONS,
    *of_dimensions.COMPARISONS,
    *of_raters.COMPARISONS,
    *of_torchmetrics.COMPARISONS,
    *gaps(),
]
SEEDS = (0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("comparison", COMPARISONS, ids=lambda comparison: comparison.name)
def test_each_side_gives_what_its_definition_does(comparison: Comparison, seed: int) -> None:
    required(comparison)
    found = outcomes(comparison, seed)
    assert found
    for one in found:
        told, near = f"{comparison.name}, {one.case}, seed {seed}", {"rtol": one.near, "atol": one.near}
        np.testing.assert_allclose(one.ours, one.definition, **near, err_msg=f"ours: {told}")
        np.testing.assert_allclose(one.theirs, one.expected, **near, err_msg=f"theirs: {told}")


def rows() -> list[tuple[str, str, str, str]]:
    """The table of the page: ours, the peer, how they are related, the definition that differs."""
    lines = [line.strip().strip("|") for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.split(" | ")] for line in lines]
    return [(row[0], row[1], row[2], row[3]) for row in cells if len(row) == 4 and row[0].startswith("`")]


def of_row(ours: str, peer: str) -> list[Comparison]:
    """The comparisons that a row tells of; a row of its own goes before one of a pattern."""
    named = {row[:2] for row in rows()}
    return [
        comparison
        for comparison in COMPARISONS
        if comparison.peer == peer
        and fnmatchcase(comparison.ours, ours)
        and ("*" not in ours or (comparison.ours, peer) not in named)
    ]


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row[0]} against {row[1]}")
def test_the_page_tells_how_they_are_related(row: tuple[str, str, str, str]) -> None:
    told_of = of_row(row[0], row[1])
    assert told_of, "no comparison is called so"
    for comparison in told_of:
        required(comparison)
    assert relation(one for comparison in told_of for one in outcomes(comparison, 0)) == row[2]
    assert bool(row[3]) == (row[2] != "same"), "a difference is told, and nothing else"


def test_every_comparison_stands_on_the_page_once() -> None:
    told = [comparison for row in rows() for comparison in of_row(row[0], row[1])]
    assert sorted(comparison.name for comparison in told) == sorted(comparison.name for comparison in COMPARISONS)


def test_every_metric_has_a_peer() -> None:
    assert {comparison.metric for comparison in COMPARISONS} == set(METRICS.names())


def test_the_page_names_the_versions_that_were_met() -> None:
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    for name in ("torchmetrics", "agreement"):
        for package, version in fixtures(name)["versions"].items():
            assert package == "numpy" or f"{package} {version}" in text


def test_counts_are_those_of_scikit_learn() -> None:
    sklearn = pytest.importorskip("sklearn.metrics")
    for case in cases_of("accuracy", 0):
        if case.answered:
            expected = sklearn.confusion_matrix(case.truth, case.prediction, labels=range(case.labels))
            assert Confusion.count(case.truth, case.prediction, labels=case.labels).counts.tolist() == expected.tolist()
    for case in cases_of("unit_f1", 0):
        if (case.truth >= 0).all():
            expected = sklearn.multilabel_confusion_matrix(case.truth, case.prediction)
            assert Units.count(case.truth, case.prediction).counts.tolist() == expected.tolist()


def test_counts_are_those_of_torchmetrics() -> None:
    for case in stored_cases("torchmetrics", "categories"):
        if case.answered:
            expected = stored("torchmetrics", "categories", "multiclass_confusion_matrix")(case)
            assert Confusion.count(case.truth, case.prediction, labels=case.labels).counts.tolist() == expected.tolist()
    for case in stored_cases("torchmetrics", "units"):
        expected = stored("torchmetrics", "units", "multilabel_confusion_matrix")(case)
        assert Units.count(case.truth, case.prediction).counts.tolist() == expected.tolist()


def test_fairlearn_takes_a_single_item_for_no_array() -> None:
    fairlearn = pytest.importorskip("fairlearn.metrics")
    with pytest.raises(ValueError, match=r"."):
        fairlearn.selection_rate_difference(np.ones(1), np.ones(1), sensitive_features=np.zeros(1))


@pytest.mark.parametrize("package", ["audmetric", "sklearn"])
def test_others_stay_in_float32(package: str) -> None:
    """Ours accumulates in float64 whatever the type."""
    library = pytest.importorskip("audmetric" if package == "audmetric" else "sklearn.metrics")
    (case,) = (case for case in cases_of("mae", 0) if case.name == "float32")
    rows = ~np.isnan(case.truth[:, 0])
    sides = case.truth[rows, 0], case.prediction[rows, 0]
    exact = np.abs(sides[0].astype(float) - sides[1].astype(float)).mean()
    assert 0 < abs(float(library.mean_absolute_error(*sides)) - exact) < 1e-6


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ([0.5, np.nan], [0.5, np.nan], "same"),
        ([0.5, np.nan], [0.5, 0.0], "same where ours is defined"),
        ([0.5, np.nan], [0.5, np.inf], "same where ours is defined"),
        ([0.5, 0.25], [0.5, np.nan], "differs"),
        ([0.5, 0.25], [0.5, 0.26], "differs"),
    ],
)
def test_relations_are_told_apart(ours: list[float], theirs: list[float], expected: str) -> None:
    sides = np.array(ours), np.array(theirs)
    assert relation([Outcome("", sides[0], sides[0], sides[1], sides[1], 1e-12)]) == expected
    assert expected in RELATIONS


def test_the_scripts_that_write_fixtures_need_what_the_tests_do_not() -> None:
    scripts = sorted(
        path.stem.removeprefix("make_") for path in (PAGE.parents[1] / "tests/peers/fixtures").glob("make_*")
    )
    assert scripts == ["agreement", "torchmetrics"]
    assert all(fixtures(name)["made by"].endswith(f"make_{name}.py") for name in scripts)
    assert importlib.util.find_spec("peers.fixtures.writing") is not None
