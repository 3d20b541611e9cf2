"""A definition compares what its kind can measure."""

from __future__ import annotations

from typing import Any

import pytest

from affectcheck.behaviour import load_suites, parse_definition
from affectcheck.behaviour.comparable import faults
from affectcheck.errors import InputError


def changed(test: str, **comparison: Any) -> dict[str, Any]:
    """The test as plain values, with another first comparison of its last task."""
    values = load_suites([test])[0].model_dump(mode="json", exclude_none=True)
    values["task"][-1]["comparison"][0] |= comparison
    return values


@pytest.mark.parametrize("test", load_suites(["ser"]), ids=lambda one: one.name)
def test_every_test_that_ships_compares_what_its_kind_measures(test: Any) -> None:
    assert not tuple(faults(test))


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (
            changed("correctness-classification", metric="ccc"),
            "'classification' does not compare ccc per class of categ",
        ),
        (changed("correctness-classification", metric="recall", per="set"), "but accuracy, f1_macro, uap, uar, precis"),
        (changed("correctness-regression", metric="jsd"), "does not compare jsd of dimensions, but ccc, mae, mde, pcc"),
        (
            changed("correctness-consistency", metric="share"),
            "does not compare share per range of dimensions, but in_r",
        ),
        (changed("correctness-regression", threshold="simulated"), "the threshold of 'ccc' can only be stated"),
        (changed("robustness-gain", threshold="simulated"), "only differences of groups are simulated"),
        (changed("robustness-gain") | {"family": "fairness"}, "of kind 'perturbation' is of the family 'robustness'"),
        (changed("fairness-sex") | {"family": "correctness"}, "of kind 'group difference' is of the family 'fairness'"),
        (changed("correctness-classification", limit=float("nan")), "limit: Input should be a finite number"),
        (changed("correctness-classification", limit=float("inf")), "limit: Input should be a finite number"),
    ],
)
def test_what_a_kind_cannot_compare_is_refused_when_it_is_read(values: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError) as raised:
        parse_definition(values, where="own.toml")
    assert told in str(raised.value)
    assert "own.toml" in str(raised.value)


def test_categories_are_not_asked_for_consistency() -> None:
    values = changed("correctness-consistency")
    values["task"][0] |= {"kind": "categories"}
    with pytest.raises(InputError, match="of categories, but nothing"):
        parse_definition(values)
