"""Definitions that tests make: a fairness test of what is predicted by sex, changed key by key."""

from __future__ import annotations

from typing import Any

from affectcheck.behaviour import parse_definition

#: A task for each kind of prediction.
TASKS = [
    {
        "kind": "categories",
        "classes": ["anger", "sadness"],
        "comparison": [{"metric": "share", "per": "class", "rule": "abs_lt", "limit": 0.1}],
    },
    {
        "kind": "dimensions",
        "dimensions": ["arousal", "valence"],
        "comparison": [{"metric": "mean", "rule": "abs_lt", "limit": 0.1}],
    },
]
#: What other kinds of test have instead.
CONSISTENCY = {
    "family": "correctness",
    "kind": "consistency",
    "groups": None,
    "data": {},
    "reference": {"kind": "truth"},
}
PERTURBATION = {
    "family": "robustness", "kind": "perturbation", "groups": None, "data": {"media": ["audio"]},
    "reference": {"kind": "clean"},
}  # fmt: skip


def made_definition(**changes: Any) -> Any:
    values = {
        "name": "some-test",
        "family": "fairness",
        "kind": "group prediction",
        "title": "T",
        "question": "Q?",
        "source": "paper 2",
        "data": {"labels": False},
        "groups": {"columns": ["sex"]},
        "reference": {"kind": "combined"},
        "task": TASKS,
    }
    return parse_definition(values | changes)
