"""What behaviour tests measure."""

from __future__ import annotations

from typing import Final

from affectcheck.reports.entries.entry import Entry

BEHAVIOUR: Final[dict[str, Entry]] = {
    "in_range": Entry("In expected range", "Share of predictions within the range that is expected for the class."),
    "unchanged": Entry("Unchanged", "Share of predictions that stay as they were when the input is changed."),
    "precision_top": Entry("Top quarter", "Of the subjects predicted to be in the top quarter, the share that is."),
    "precision_bottom": Entry(
        "Bottom quarter", "Of the subjects predicted to be in the bottom quarter, the share that is."
    ),
    "top_bottom_confusions": Entry(
        "Top–bottom confusions",
        "Share of subjects of the top or bottom quarter that were predicted in the other.",
        "lower",
    ),
}
