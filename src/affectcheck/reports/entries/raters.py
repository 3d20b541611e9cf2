"""Agreement of raters."""

from __future__ import annotations

from typing import Final

from affectcheck.reports.entries.entry import Entry

_ALPHA: Final = (
    "Agreement of any number of raters beyond chance: 1 where all agree, 0 where they agree no more than ratings dealt "
    "out at random. "
)

RATERS: Final[dict[str, Entry]] = {
    "alpha_nominal": Entry("Krippendorff's alpha", _ALPHA + "Any two classes are equally far apart."),
    "alpha_ordinal": Entry("Krippendorff's alpha, ordinal", _ALPHA + "Classes are apart by how many lie between them."),
    "alpha_interval": Entry("Krippendorff's alpha, interval", _ALPHA + "Values are apart by their difference."),
    "alpha_ratio": Entry("Krippendorff's alpha, ratio", _ALPHA + "Values are apart by their ratio."),
    "fleiss_kappa": Entry(
        "Fleiss' kappa", "Agreement of several interchangeable raters on classes beyond what class frequencies give."
    ),
}
