"""Audit of any given partition against the points of the fair protocol (paper 1, section II-B)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import polars as pl

from affectcheck.partitions import alike, rules
from affectcheck.partitions.audit_options import AuditOptions
from affectcheck.partitions.case import Case, case_of
from affectcheck.partitions.contents import Contents
from affectcheck.partitions.copies import copies_of
from affectcheck.partitions.findings import POINTS, Finding, Judgement, offending_of
from affectcheck.partitions.leaks import content, leaks_of, near_content
from affectcheck.partitions.options import NONE
from affectcheck.partitions.partition import Partition
from affectcheck.partitions.recordings import frames, paths_of, persons, views
from affectcheck.partitions.scrutiny import doubts_of
from affectcheck.partitions.units import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.partitions.balance import Balance
    from affectcheck.records.verdict import Status


@dataclass(frozen=True, eq=False)
class Audit:
    """What an audit found. Shares, distances and widths are fractions.

    Attributes:
        findings: one a rule, and one a label or group column for the distributions; by point of the protocol.
        balance: every set by every value.
        distances: how far the distribution of each column in each set is from that of all items and of the other
            sets, and how far it would be by chance (see ``distances_of``). Label shift is what stands beside
            ``set`` train and ``against`` test.
        shifts: mean and standard deviation of each dimension by set (see ``shifts_of``); empty without dimensions.
        joint: every joint cell of labels and groups by set (see ``joint_of``).
        adequacy: how wide an interval each value's support allows in each set (see ``adequacy_of``).
        offending: every item that breaks a rule: ``rule``, ``value``, ``item``, ``set``.
        names: of the sets.
        data: name of the data set.
        units: what chance deals out as one: ``subjects``, ``recordings`` or ``items``, and how many there are; also
            the ``items without one`` where subjects are not known everywhere, which are dealt out together.
    """

    findings: tuple[Finding, ...]
    balance: Balance
    distances: pl.DataFrame
    shifts: pl.DataFrame
    joint: pl.DataFrame
    adequacy: pl.DataFrame
    offending: pl.DataFrame
    names: tuple[str, ...] = ()
    data: str = ""
    units: Mapping[str, int] = field(default_factory=dict)

    @property
    def failed(self) -> tuple[Finding, ...]:
        """The findings that failed."""
        return tuple(finding for finding in self.findings if finding.status == "failed")

    @property
    def points(self) -> dict[str, Status]:
        """Each point of the protocol with the worst verdict of its rules.

        Failed if one failed, else inconclusive if one is, else passed if one passed, else not applicable.
        """
        order: tuple[Status, ...] = ("failed", "inconclusive", "passed", "not applicable")
        found = {point: {f.status for f in self.findings if f.point == point} for point in POINTS}
        return {point: next(status for status in order if status in seen) for point, seen in found.items() if seen}

    def __getitem__(self, rule: str) -> Finding:
        """The finding of a rule."""
        return next(finding for finding in self.findings if finding.rule == rule)

    def plain(self) -> dict[str, Any]:
        """All of it as plain values, for JSON."""
        tables = ("distances", "shifts", "joint", "adequacy", "offending")
        return {
            "data": self.data,
            "sets": list(self.names),
            "units": dict(self.units),
            "points": {point: {"asks": POINTS[point], "status": status} for point, status in self.points.items()},
            "findings": [
                {"rule": f.rule, "point": f.point, "status": f.status, "reason": f.reason, "items": list(f.items)}
                for f in self.findings
            ],
            "balance": self.balance.rows(),
            **{name: getattr(self, name).to_dicts() for name in tables},
        }


def audit(
    table: AnnotationTable,
    given: Partition | pl.DataFrame | None = None,
    *,
    contents: Contents | None = None,
    digests: Mapping[str, str] | None = None,
    options: AuditOptions | None = None,
) -> Audit:
    """Judge a partition, whoever made it, of any number of sets of any names.

    Args:
        table: the items with their labels, groups and subjects.
        given: the partition, or a frame with the columns ``item`` and ``part``; None for the table's own column
            ``partition``.
        contents: what the media hold (``content_of``), to find copies under other names.
        digests: in their place, item to digest of its decoded content: finds exact copies only.
        options: against what it is judged; by default with the options that a partition of ours was made with.

    Returns:
        A verdict on every rule, with the offending items, and the tables behind the verdicts.

    Raises:
        InputError: the table has no partition of its own and none is given, it names none of the table's items, or
            puts one in two sets.
        UnknownNameError: a frame without these columns; targets or groups that the table does not have.
    """
    if options is None:
        options = AuditOptions(given.options) if isinstance(given, Partition) else AuditOptions()
    case = case_of(table, given, options)
    judgements = [
        rules.complete(case),
        rules.strangers(case),
        Judgement(rules.three_sets(case)),
        *map(Judgement, (rules.adequate(case), rules.support(case), rules.sizes(case))),
        *map(Judgement, (*alike.distributions(case), *alike.shifts(case), alike.joint(case))),
        *_leaks(case, contents, digests),
        rules.manual(case),
        *map(Judgement, rules.stated(case)),
    ]
    return Audit(
        findings=tuple(entry.finding for entry in judgements),
        balance=case.balance,
        distances=case.distances,
        shifts=case.shifts,
        joint=case.joint,
        adequacy=case.adequacy,
        offending=offending_of(judgements),
        names=case.names,
        data=table.name,
        units=_units(case),
    )


def _units(case: Case) -> dict[str, int]:
    number = case.table.height if case.fragments.alone else int(case.fragments.unit.max()) + 1
    if case.subjects is not None:
        unknown = case.subjects.subjects.count(UNKNOWN)
        return {"subjects": number - 1, "items without one": unknown} if unknown else {"subjects": number}
    return {"items" if case.fragments.alone else "recordings": number}


def _leaks(case: Case, contents: Contents | None, digests: Mapping[str, str] | None) -> list[Judgement]:
    """Point iv."""
    frame, paths, named = case.placed, paths_of(case.table), _names_media(case)
    if contents is None and digests is not None:
        contents = Contents(digests)
        copies = None
    else:
        copies = None if contents is None else copies_of(contents, dict(frame.iter_rows()))
    return [
        _independence(case),
        Judgement(_persons_named(case)),
        _recordings(case),
        views(paths, frame, case.options.views),
        persons(case.table, paths, frame),
        frames(case.table, paths, frame, case.options.videos),
        content(frame, contents, named=named),
        near_content(frame, contents, copies, named=named),
    ]


def _independence(case: Case) -> Judgement:
    rule, point = "subject independence", "iv"
    if case.subjects is None:
        stated = case.options.partition.subjects == NONE
        told = "stated: no two items show the same person" if stated else "the table does not say whose items these are"
        return Judgement(Finding(rule, "not applicable" if stated else "inconclusive", told, point=point))
    subjects = pl.Series(case.subjects.subjects, dtype=pl.String)
    known = pl.select(pl.when(subjects != UNKNOWN).then(subjects)).to_series()
    found = leaks_of(rule, case.placed, known, "subjects")
    unknown = known.null_count()
    spread = case.placed.filter(known.is_null()).get_column("part").n_unique() > 1
    if found.finding.status == "failed" or not (unknown and spread):
        return found
    told = f"{found.finding.reason}, but {unknown} items name no subject and are in more than one set"
    return Judgement(Finding(rule, "inconclusive", told, point=point))


def _persons_named(case: Case) -> Finding:
    """Whether what stands for subjects can be believed to be people."""
    rule, point = "subjects are people", "iv"
    if case.subjects is None:
        return Finding(rule, "not applicable", "there are no subjects", point=point)
    doubts = doubts_of(case.table, case.subjects, replace(case.options.partition, allow_contradictions=True))
    if doubts:
        return Finding(rule, "inconclusive", "; ".join(doubts), point=point)
    return Finding(rule, "passed", "nothing speaks against it", point=point)


def _names_media(case: Case) -> bool:
    frame = case.table.frame
    return "media" in frame.columns and frame.get_column("media").null_count() < frame.height


def _recordings(case: Case) -> Judgement:
    rule = "no recording in two sets"
    if not _names_media(case):
        return Judgement(Finding(rule, "not applicable", "the table names no recordings", point="iv"))
    return leaks_of(rule, case.placed, case.table.frame.get_column("media"), "recordings")
