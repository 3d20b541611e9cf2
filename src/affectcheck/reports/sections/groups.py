"""Scores by group: verdicts on how the groups differ first, then who is in them and what each scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.reports.document import Section
from affectcheck.reports.remarks import without_cells
from affectcheck.reports.sections.cells import note_lines, score_table
from affectcheck.reports.sections.differences import differences
from affectcheck.reports.sections.fairness import of_parts, undefined, verdicts
from affectcheck.reports.sections.group_scores import parts_by_group, values
from affectcheck.reports.sections.sizes import sizes
from affectcheck.reports.sections.sorting import sort
from affectcheck.reports.sections.worst import shifts, worst_groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.records import Scored
    from affectcheck.reports.document import Block
    from affectcheck.reports.reading import Reading


def build(reading: Reading) -> Section | None:
    """The section, one part an attribute; none where no groups were scored."""
    parts = tuple(_attribute(reading, index, name) for index, name in enumerate(reading.attributes, start=1))
    lead = (
        "Groups are as perceived or annotated in the data. Few items or few subjects make wide intervals, and a "
        f"difference that was not detected may still be there.{_scaling(reading)}"
    )
    return Section(reading.anchored("groups"), reading.titled("Groups"), parts, lead) if parts else None


def _scaling(reading: Reading) -> str:
    """Why EOP and SP are judged in one of their scalings alone."""
    if not {"eop", "sp"} & {score.metric for score in reading.record.scores}:
        return ""
    classes = len(reading.header.model.get("parts") or ())
    bound = f" ({2 / classes:.3f} for {classes} classes)" if classes > 1 else ""
    return (
        " EOP and SP are given in two scalings. The limit of paper 1 is judged in that of its published tables alone: by "
        f"its printed formulae neither can exceed 2 divided by the number of classes{bound}, so that hardly any model "
        "could fail."
    )


def _attribute(reading: Reading, index: int, attribute: str) -> Section:
    mine = reading.select(lambda place: place.attribute == attribute)
    found = sort(mine)
    over_groups = [*found.disparities, *found.means]
    parts = [score for score in over_groups if score.place.part]
    # Undefined cells of disparities, and who is worst, are told in places of their own.
    told = {id(score) for score in (*over_groups, *found.worst)}
    cautioned = [without_cells(score) if id(score) in told else score for score in mine]
    blocks: list[Block] = [
        *verdicts(reading, attribute, found.disparities),
        *sizes(reading, attribute, mine),
        *undefined(reading, attribute, over_groups),
        *_means(reading, attribute, [s for s in found.means if not s.place.part or reading.kind == "dimensions"]),
        *values(reading, attribute, found.by_group),
        *worst_groups(reading, attribute, found.by_group, found.worst),
        *shifts(reading, attribute, found.shifts),
        *parts_by_group(reading, attribute, found.by_group),
        *of_parts(reading, attribute, parts),
        *differences(reading, attribute, found.differences),
        *note_lines(reading, cautioned),
    ]
    return Section(reading.anchored(f"group-{index}"), f"By {attribute}", tuple(blocks))


def _means(reading: Reading, attribute: str, scores: Sequence[Scored]) -> tuple[Block, ...]:
    def name(score: Scored) -> str:
        return ", ".join(filter(None, (reading.variant(score), score.place.part)))

    if not scores:
        return ()
    return (
        score_table(reading, scores, f"Means over the groups of {attribute}, each group counting the same", name=name),
    )
