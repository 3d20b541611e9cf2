"""Audits of data sets without labels: behaviour tests, and no scores."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from affectcheck.audits import AuditOptions, audit
from affectcheck.audits.pipeline import UNLABELLED
from affectcheck.errors import InputError
from affectcheck.reports import summary_lines


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> AuditOptions:
    folder = tmp_path_factory.mktemp("unlabelled")
    rows = {"item": [f"i{n:03d}" for n in range(240)], "site": ["here", "there"] * 120}
    pl.DataFrame(rows).write_csv(folder / "people.csv")
    (folder / "people.toml").write_text('file = "people.csv"\nitem = "item"\ngroups = ["site"]\n')
    return AuditOptions(
        data=f"table:{folder / 'people.toml'}",
        model="random-categorical",
        by=("site",),
        partition="none",
        resamples=50,
        workers=1,
        cache=folder / "cache",
    )


def test_groups_are_compared_in_what_is_predicted_and_it_says_so(options: AuditOptions) -> None:
    done = audit(options)
    assert done.record.scores == ()
    made = {one.test for one in done.record.verdicts if one.status != "not applicable"}
    assert made == {"fairness-by-site"}
    assert done.record.header.message == UNLABELLED
    assert any("fairness" in line for line in summary_lines(done.record))
    assert audit(options, scored=False).record.header.message == "", "scores were not asked for"


@pytest.mark.parametrize("wanted", [{"target": "expression"}, {"suites": ()}], ids=["a target", "no tests"])
def test_what_takes_labels_is_refused(options: AuditOptions, wanted: dict[str, object]) -> None:
    with pytest.raises(InputError, match="no labels"):
        audit(replace(options, **wanted))  # type: ignore[arg-type]
