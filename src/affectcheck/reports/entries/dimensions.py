"""Metrics of dimensions."""

from __future__ import annotations

from typing import Final

from affectcheck.reports.entries.entry import Entry

DIMENSIONS: Final[dict[str, Entry]] = {
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
    "spearman": Entry("Rank correlation", "Whether subjects are ranked as in the truth, from −1 to 1."),
    "mean": Entry("Mean prediction", "Mean of the predictions.", ""),
    "local_ccc": Entry(
        "Local CCC", "CCC of each group, averaged so that every group counts the same (paper 1, Eq. 8)."
    ),
    "sign_agreement": Entry(
        "Sign agreement", "Share of items whose prediction lies on the truth's side of neutral, or is neutral with it."
    ),
    "bin_recall": Entry(
        "Recall of a range", "Of the items whose truth lies in a range of the scale, the share predicted in it."
    ),
    "bin_precision": Entry(
        "Precision of a range", "Of the items predicted in a range of the scale, the share whose truth lies in it."
    ),
    "bin_share": Entry("Share in a range", "Share of the predictions that fall into a range of the scale.", ""),
}
