"""What stands in a cell of a table for papers: percent with one decimal, and a mark for what must be read with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.records import Place, Score

if TYPE_CHECKING:
    from affectcheck.records import RunRecord, Scored
    from affectcheck.reports.latex.layout import Heading

ABSENT: Final = "--"
#: Mark of a disparity by its decision. None of them says that a model is fair.
MARKS: Final = {"exceeds": "$^{*}$", "inconclusive": "$^{?}$", "within": ""}
_ESCAPES: Final = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}


def escape(text: str) -> str:
    r"""Text as LaTeX shows it, on one line.

    Example:
        >>> escape("F1 & 50 % of a_b")
        'F1 \\& 50 \\% of a\\_b'
    """
    return "".join(_ESCAPES.get(character, character) for character in " ".join(text.split()))


def find(record: RunRecord, heading: Heading, attribute: str = "") -> Scored | None:
    """The score of a column: in the heading's convention where the run has it, else in the run's own."""
    found = [
        score
        for score in record.scores
        if score.metric == heading.metric
        and score.place == Place(attribute, "", score.place.part)
        and _is_part(score.place.part, heading.part)
    ]
    wanted = [score for score in found if score.signature.convention == heading.convention]
    return next(iter(wanted or found), None)


def _is_part(part: str, wanted: str) -> bool:
    """Whether a score is of the wanted dimension: ``valence`` also where a file calls it ``Valence``."""
    return part.casefold().startswith(wanted) if wanted else not part


def value(score: Scored | None) -> str:
    """Percent with one decimal and the mark of its decision; a dash where there is no value."""
    if not isinstance(score, Score):
        return ABSENT
    text = f"{100.0 * score.value:.1f}"
    text = "0.0" if text == "-0.0" else text.replace("-", "$-$")
    return text + (MARKS[score.decision.outcome] if score.decision else "")
