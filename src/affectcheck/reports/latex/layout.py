"""Which scores stand in which column: the layouts of paper 1, Tables IV and V, VI, and VII."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Heading:
    """One column under the whole set or under an attribute.

    Attributes:
        title: LaTeX of the column's head.
        words: what it stands for, for the caption.
        metric: registered name.
        part: dimension that it is of, by the start of its name; empty for all.
        convention: the one in which a score is taken, if the run has it; empty for any.
    """

    title: str
    words: str
    metric: str
    part: str = ""
    convention: str = ""


@dataclass(frozen=True)
class Layout:
    """Columns of a table: those over all items, then those that repeat for each attribute.

    Attributes:
        task: what is scored, in words.
        whole: columns over all items.
        grouped: columns of each attribute.
        source: the tables whose layout it is.
    """

    task: str
    whole: tuple[Heading, ...]
    grouped: tuple[Heading, ...]
    source: str


def _tables(title: str, words: str, metric: str, part: str = "") -> Heading:
    return Heading(title, words, metric, part, "tables")


LAYOUTS: Final[dict[str, Layout]] = {
    "categories": Layout(
        "expression recognition",
        (Heading("GF$_1$", "Global F$_1$ (macro)", "f1_macro"),),
        (
            _tables("SP", "statistical parity", "sp"),
            _tables("LF$_1$", "Local F$_1$", "local_f1"),
            _tables("EOP", "equality of opportunity", "eop"),
        ),
        "paper 1, Tables IV and V",
    ),
    "units": Layout(
        "action unit detection",
        (Heading("GF$_1$", "Global F$_1$ (mean over action units)", "unit_f1"),),
        (
            _tables("LF$_1$", "Local F$_1$", "unit_local_f1"),
            _tables("EOD", "equal opportunity difference", "eod"),
            _tables("DPD", "demographic parity difference", "dpd"),
        ),
        "paper 1, Table VI",
    ),
    "dimensions": Layout(
        "valence--arousal estimation",
        (
            Heading("GVA", "Global CCC, mean over dimensions", "ccc"),
            Heading("GV", "Global CCC of valence", "ccc", "valence"),
            Heading("GA", "Global CCC of arousal", "ccc", "arousal"),
        ),
        (
            _tables("LVA", "Local CCC, mean over dimensions", "local_ccc"),
            _tables("LV", "Local CCC of valence", "local_ccc", "valence"),
            _tables("LA", "Local CCC of arousal", "local_ccc", "arousal"),
        ),
        "paper 1, Table VII",
    ),
}
