"""Metrics of classes."""

from __future__ import annotations

from typing import Final

from affectcheck.reports.entries.entry import Entry

CATEGORIES: Final[dict[str, Entry]] = {
    "accuracy": Entry(
        "Accuracy", "Share of items whose class was predicted. Common classes weigh most, so read it beside UAR."
    ),
    "uar": Entry(
        "UAR",
        "Unweighted average recall: the share of each class that was found, averaged so that every class counts "
        "the same. Guessing gives 1 divided by the number of classes.",
    ),
    "uap": Entry(
        "UAP",
        "Unweighted average precision: of the items predicted as a class, the share that is right, averaged over classes.",
    ),
    "f1_macro": Entry(
        "Macro F1",
        "Harmonic mean of recall and precision of each class, averaged over the declared classes; a class that is "
        "neither in the truth nor predicted counts as 0 and is counted beside the score.",
    ),
    "f1_weighted": Entry("Weighted F1", "F1 of each class, averaged by how often the class occurs."),
    "recall": Entry("Recall", "Of the items that truly are of a class, the share that was found."),
    "precision": Entry("Precision", "Of the items that were predicted as a class, the share that truly is."),
    "f1": Entry("F1", "Harmonic mean of recall and precision of one class."),
    "cohen_kappa": Entry("Cohen's kappa", "Agreement beyond what the class frequencies alone would give."),
    "local_f1": Entry(
        "Local F1", "Macro F1 of each group, averaged so that every group counts the same (paper 1, Eq. 2)."
    ),
    "eop": Entry(
        "EOP",
        "Equality of opportunity: how far the groups' row-normalised confusion matrices differ, averaged over pairs "
        "of groups (paper 1, Eq. 3). Sampling noise alone makes it positive, so read it over its noise floor.",
        "lower",
    ),
    "sp": Entry(
        "SP",
        "Statistical parity: how far the shares of the predicted classes differ between groups, whatever the truth "
        "(paper 1, Eq. 4). Groups whose true classes differ will differ here too.",
        "lower",
    ),
    "share": Entry("Share predicted", "Share of the predictions that fall into a class or a range of the scale.", ""),
    "matthews": Entry(
        "Matthews",
        "Matthews correlation of true and predicted classes: 1 where all is right, 0 at chance however rare a class is.",
    ),
    "top_2": Entry("Top-2 accuracy", "Share of items whose true class is among the 2 of highest score."),
    "top_3": Entry("Top-3 accuracy", "Share of items whose true class is among the 3 of highest score."),
    "top_5": Entry("Top-5 accuracy", "Share of items whose true class is among the 5 of highest score."),
    "calibration": Entry(
        "Calibration error",
        "How far the model's confidence is from how often it is right: mean distance over bins of confidence, each "
        "weighed by its items.",
        "lower",
    ),
    "cross_entropy": Entry(
        "Cross-entropy",
        "Surprise at the truth (or at each vote on it) under the model's probabilities, in bits: 0 where all certainty "
        "lies on what is true. One probability of 0 for what is true makes it infinite, so it is undefined then.",
        "lower",
    ),
    "soft_jsd": Entry(
        "JSD of probabilities",
        "Jensen–Shannon distance between the model's probabilities and the shares of the votes, averaged over items: "
        "0 where they are alike, 1 where they do not overlap.",
        "lower",
    ),
}
