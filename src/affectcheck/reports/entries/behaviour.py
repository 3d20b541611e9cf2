"""What behaviour tests measure."""

from __future__ import annotations

from typing import Final

from affectcheck.reports.entries.entry import Entry

_LOCAL: Final = (
    "Mean over the groups of the {0} of each, minus the {0} of all of them together (paper 1's local and global scores), "
    "on groups of equal truth."
)

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
    "unit_uar": Entry(
        "AU UAR",
        "Mean over action units of the recall of presence and that of absence: 0.5 for a model that says the same of all.",
    ),
    "reactivity": Entry(
        "Reactivity", "How far predictions change from moment to moment where the annotation changes most: 1 as far."
    ),
    "stability": Entry("Stability", "How far predictions stay where the annotation changes least: 1 as still."),
    "local_f1_difference": Entry("Local F1 minus macro F1", _LOCAL.format("macro F1"), "nearer to 0"),
    "local_ccc_difference": Entry("Local CCC minus CCC", _LOCAL.format("CCC"), "nearer to 0"),
    "unit_local_f1_difference": Entry("Local AU F1 minus AU F1", _LOCAL.format("AU F1"), "nearer to 0"),
}
