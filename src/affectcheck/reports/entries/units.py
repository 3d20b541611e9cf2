"""Metrics of action units."""

from __future__ import annotations

from typing import Final

from affectcheck.reports.entries.entry import Entry

UNITS: Final[dict[str, Entry]] = {
    "unit_f1": Entry(
        "AU F1",
        "F1 of each action unit, averaged over the declared units; a unit that is neither present nor predicted "
        "counts as 0 and is counted beside the score. What is unknown is left out, unit by unit.",
    ),
    "unit_accuracy": Entry(
        "AU accuracy",
        "Share of items in which an action unit is rightly called present or absent, averaged over units. Units are "
        "mostly absent, so that a model that never predicts one scores high: read it beside the F1.",
    ),
    "unit_matthews": Entry(
        "AU Matthews",
        "Matthews correlation of truth and prediction of each action unit, averaged over units: 1 where all is right, "
        "0 at chance however rare a unit is.",
    ),
    "emotionet": Entry("EmotioNet score", "Mean of the AU accuracy and the AU F1."),
    "unit_recall": Entry(
        "AU recall", "Of the items in which an action unit is present, the share in which it was found."
    ),
    "unit_precision": Entry(
        "AU precision", "Of the items in which an action unit was predicted, the share in which it is present."
    ),
    "unit_local_f1": Entry(
        "Local AU F1", "AU F1 of each group, averaged so that every group counts the same (paper 1, after Eq. 2)."
    ),
    "eod": Entry(
        "EOD",
        "Equal opportunity difference: largest minus smallest recall of an action unit over the groups, averaged over "
        "units (paper 1, Eq. 5). Groups without the unit are left out and counted. Sampling noise alone makes it "
        "positive, so read it over its noise floor.",
        "lower",
    ),
    "dpd": Entry(
        "DPD",
        "Demographic parity difference: largest minus smallest share of items in which an action unit is predicted, "
        "averaged over units, whatever the truth (paper 1, Eq. 6). Groups whose faces differ will differ here too.",
        "lower",
    ),
    "unit_auc": Entry(
        "AU AUC",
        "Area under the ROC curve of each action unit, averaged over units: how often an item with the unit scores "
        "higher than one without it. No threshold enters; 0.5 is chance.",
    ),
    "unit_ap": Entry(
        "AU average precision",
        "Average precision of each action unit, averaged over units: precision at every threshold, weighed by the "
        "recall that it gains. No threshold enters; chance is how often the unit is present.",
    ),
    "unit_calibration": Entry(
        "AU calibration error",
        "How far the probability of each action unit is from how often it is present: mean distance over bins, "
        "averaged over units.",
        "lower",
    ),
    "unit_share": Entry("AU share predicted", "Share of the items in which an action unit is predicted.", ""),
}
