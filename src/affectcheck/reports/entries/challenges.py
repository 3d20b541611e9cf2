"""Scores of challenges."""

from __future__ import annotations

from typing import Final

from affectcheck.reports.entries.entry import Entry

CHALLENGES: Final[dict[str, Entry]] = {
    "p_va": Entry(
        "P_VA", "Score of the valence-arousal challenge: mean of the two CCC over all frames (paper 3, Eq. 1)."
    ),
    "p_expr": Entry(
        "P_EXPR", "Score of the expression challenge: F1 of the 8 classes, summed and divided by 8 (paper 3, Eq. 3)."
    ),
    "p_au": Entry(
        "P_AU", "Score of the action unit challenge: F1 of the 12 units, summed and divided by 12 (paper 3, Eq. 5)."
    ),
    "p_ce": Entry(
        "P_CE",
        "Score of the compound expression challenge: F1 of the 7 classes, summed and divided by 7 (paper 3, Eq. 6).",
    ),
    "p_emi": Entry(
        "P_EMI", "Score of the emotional mimicry challenge: mean of the PCC of the 6 dimensions (paper 3, Eq. 7)."
    ),
}
