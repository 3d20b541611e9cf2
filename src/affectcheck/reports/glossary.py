"""Titles of metrics and how to read them: a sentence each, for people who did not write the code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Better = Literal["higher", "lower", "nearer to 0", ""]
_DIFFERENCE: Final = "_difference"
_GAP: Final = "_gap"
_DERIVED: Final = (_DIFFERENCE, "_change", _GAP)


@dataclass(frozen=True)
class Entry:
    """A metric for readers.

    Attributes:
        title: short name in tables.
        text: what it says, in a sentence or two.
        better: which way is better.
    """

    title: str
    text: str
    better: Better = "higher"


METRICS: Final[dict[str, Entry]] = {
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
    "ccc": Entry(
        "CCC",
        "Concordance correlation: 1 where predictions equal the truth, 0 where they carry no information. Unlike "
        "PCC, it falls when predictions are shifted or squeezed.",
    ),
    "pcc": Entry("PCC", "Pearson correlation: whether predictions rise and fall with the truth, whatever their scale."),
    "mae": Entry("MAE", "Mean absolute error, in the unit of the scale.", "lower"),
    "mde": Entry("MDE", "Mean of prediction minus truth: positive where the model predicts too high.", "nearer to 0"),
    "rmse": Entry("RMSE", "Root of the mean squared error: large errors weigh more than in MAE.", "lower"),
    "mse": Entry("MSE", "Mean squared error.", "lower"),
    "jsd": Entry(
        "JSD",
        "Jensen–Shannon distance between the distributions of truth and prediction: 0 where they are alike, 1 "
        "where they do not overlap.",
        "lower",
    ),
    "local_f1": Entry(
        "Local F1", "Macro F1 of each group, averaged so that every group counts the same (paper 1, Eq. 2)."
    ),
    "local_ccc": Entry(
        "Local CCC", "CCC of each group, averaged so that every group counts the same (paper 1, Eq. 8)."
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
    "cohen_kappa": Entry("Cohen's kappa", "Agreement beyond what the class frequencies alone would give."),
    "share": Entry("Share predicted", "Share of the predictions that fall into a class or a range of the scale.", ""),
    "mean": Entry("Mean prediction", "Mean of the predictions.", ""),
    "in_range": Entry("In expected range", "Share of predictions within the range that is expected for the class."),
    "unchanged": Entry("Unchanged", "Share of predictions that stay as they were when the input is changed."),
    "spearman": Entry("Rank correlation", "Whether speakers are ranked as in the truth, from −1 to 1."),
    "precision_top": Entry("Top quarter", "Of the speakers predicted to be in the top quarter, the share that is."),
    "precision_bottom": Entry(
        "Bottom quarter", "Of the speakers predicted to be in the bottom quarter, the share that is."
    ),
    "top_bottom_confusions": Entry(
        "Top–bottom confusions",
        "Share of speakers of the top or bottom quarter that were predicted in the other.",
        "lower",
    ),
}

TERMS: Final[tuple[tuple[str, str], ...]] = (
    (
        "Interval",
        "The range in brackets. Over many data sets drawn as this one was, ranges made this way hold the true value "
        "as often as their level says. Whole speakers (or recordings) are redrawn, since items of one speaker are alike.",
    ),
    (
        "Random model",
        "A model that does not look at the data. It stands beside every number, since some tests are passed by "
        "chance: a pass that the random model also gets says little.",
    ),
    (
        "Noise floor",
        "What a disparity would be for a model that treats all groups alike, at these group sizes. A value below "
        "the floor's 95 % mark is no evidence of a difference.",
    ),
    (
        "Signed difference",
        "The score of one group minus that of another, with an interval. Where the interval holds 0, no difference "
        "was detected at this support; that is not evidence that there is none.",
    ),
    (
        "p-value",
        "How often models that are exchangeable would differ at least as much as these two: their answers are "
        "exchanged on whole clusters, at random or in every way. After Holm's correction it holds for all pairs of "
        "models at once. It says nothing of how large a difference is; its interval does.",
    ),
    (
        "Rank",
        "1 plus the number of models that score better; equal scores share the best rank of theirs. Its interval says "
        "how far the rank moves when items are drawn anew.",
    ),
    (
        "Passed",
        "The value is on the passing side of the limit. For fairness this means that no unfairness was detected at "
        "this support.",
    ),
    (
        "Change",
        "The value on changed sound minus the value on the sound as recorded: how much a perturbation matters.",
    ),
    ("Failed", "The value is on the failing side of the limit."),
    ("Inconclusive", "The data cannot decide: counted on its own, never as a pass."),
    ("Not applicable", "The comparison could not be made, for the reason given."),
    ("Detectable difference", "The smallest difference that this support could have shown, for comparisons of groups."),
    ("Undefined", "No value exists, for the reason given. It is never replaced by 0."),
    (
        "n",
        "Items that entered the value. Values of fewer than 30 items are greyed: they are shown, but say little.",
    ),
    (
        "Signature",
        "How a number was made: metric, labels, data, partition, resampling, seed and version. Two numbers may be "
        "compared only where nothing but the model differs.",
    ),
)


def title_of(metric: str) -> str:
    """Short title of a metric; an unknown one keeps its name, with spaces."""
    if metric in METRICS:
        return METRICS[metric].title
    for suffix in _DERIVED:
        if metric.endswith(suffix):
            return f"{title_of(metric.removesuffix(suffix))} {suffix[1:]}"
    words = metric.replace("_", " ")
    return words[:1].upper() + words[1:]


def entry_of(metric: str) -> Entry | None:
    """The glossary entry of a metric; of a difference or change, that of its metric; a gap is made from its metric's."""
    if metric in METRICS:
        return METRICS[metric]
    if metric.endswith(_GAP) and entry_of(metric.removesuffix(_GAP)) is not None:
        title = title_of(metric)
        text = f"Largest minus smallest {title.removesuffix(' gap')} over the groups. Noise alone makes it positive."
        return Entry(title, text, "lower")
    for suffix in _DERIVED:
        if metric.endswith(suffix):
            return entry_of(metric.removesuffix(suffix))
    return None


def better_of(metric: str) -> Better:
    """Which way is better; empty where it is not known."""
    if metric in METRICS:
        return METRICS[metric].better
    if metric.endswith(_GAP):
        return "lower"
    return "nearer to 0" if metric.endswith(_DERIVED) else ""


def is_difference(metric: str) -> bool:
    """Whether a metric is the signed difference of two groups."""
    return metric.endswith(_DIFFERENCE)


def anchor_of(term: str) -> str:
    """Fragment of a glossary entry."""
    return "term-" + "".join(c if c.isalnum() and c.isascii() else "-" for c in term.casefold())
