"""Verdicts as rows."""

from __future__ import annotations

from affectcheck.behaviour import verdicts_frame
from affectcheck.records import Place, Threshold, Verdict


def test_every_verdict_is_one_row() -> None:
    bare = Verdict("t", "fairness", "all", "not applicable", "no column")
    full = Verdict(
        "t",
        "robustness",
        "unchanged",
        "failed",
        "0.5 does not meet x > 0.9",
        Place("sex", "female", "anger"),
        0.5,
        Threshold(0.9, "gt", "Table IV"),
        reruns=(0.4, 0.6),
        notes=("a", "b"),
    )
    frame = verdicts_frame([bare, full])
    assert frame.height == 2
    assert frame.row(0, named=True)["limit"] is None
    row = frame.row(1, named=True)
    assert (row["verdict"], row["limit"], row["rerun_low"], row["rerun_high"], row["notes"]) == (
        "failed", 0.9, 0.4, 0.6, "a; b",
    )  # fmt: skip
    assert (row["attribute"], row["group"], row["part"]) == ("sex", "female", "anger")
