"""What the columns of a table of ratings are called and mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from affectcheck.annotations.faulty_rows import RULES
from affectcheck.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from affectcheck.schemes import Scheme, StatedMapping

#: Dimension to its column, or columns that are called after their dimensions.
Columns: TypeAlias = "Mapping[str, str] | Sequence[str]"


@dataclass(frozen=True)
class RatingColumns:
    """What the columns of a table of ratings are called and mean.

    Attributes:
        item: column of item keys; empty takes ``item`` or ``file``.
        rater: of the long form, column of the rater; empty takes ``rater``, and without one raters have no names.
        label: of the long form, column of the label.
        dimensions: dimension to its column, or dimensions whose columns are called after them. With ``raters``, the one
            dimension that their columns hold.
        raters: of the wide form, the columns, one a rater.
        counts: of the form of counts, class to its column, or classes whose columns are called after them.
        labels: the declared labels, or a scheme; without, what occurs in the data is taken, and said.
        mapping: label in the table to label of the scheme; an empty right side leaves such ratings out, counted.
        subject: column that says who is heard or seen; empty takes ``subject``, if there is one.
        target: name of what is rated.
        name: name of the data.
        faulty: what becomes of rows without the key of an item, and of several rows for one: ``error``, or ``leave out``,
            where what is said twice is taken once and contradictions are left out; counted and told.
    """

    item: str = ""
    rater: str = ""
    label: str = "label"
    dimensions: Columns = ()
    raters: tuple[str, ...] = ()
    counts: Columns = ()
    labels: Scheme | Sequence[str] | None = None
    mapping: str | StatedMapping = field(default="")
    subject: str = ""
    target: str = ""
    name: str = ""
    faulty: str = "error"

    def __post_init__(self) -> None:
        """The rule is of its list."""
        if self.faulty not in RULES:
            raise UnknownNameError.of("rule for faulty rows", self.faulty, RULES)
