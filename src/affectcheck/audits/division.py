"""Which items a model may learn from and which test it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affectcheck.errors import InputError, MissingPathError
from affectcheck.partitions import AuditOptions as JudgeOptions
from affectcheck.partitions import PartitionOptions, load_manifest, partition, save_manifest, verify
from affectcheck.partitions import audit as judge
from affectcheck.partitions.manifest import partition_digest

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.audits.options import AuditOptions
    from affectcheck.partitions import Partition

OWN, NONE, MAKE = "own", "none", "make"


@dataclass(frozen=True)
class Division:
    """The items of each set.

    Attributes:
        sets: set name to item keys.
        tested: name of the set that is tested; ``all`` without a partition.
        made: the partition, where one was made or read from a manifest.
        values: what a header says of it.
    """

    sets: dict[str, tuple[str, ...]]
    tested: str
    made: Partition | None = None
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def test_items(self) -> tuple[str, ...]:
        """Keys of the items that are tested."""
        return self.sets[self.tested]

    def save(self, folder: Path) -> None:
        """Write the manifest, if there is a partition of ours."""
        if self.made is not None:
            save_manifest(self.made, folder)


def divide(table: AnnotationTable, options: AuditOptions, *, tolerance_pp: float = 0.0) -> Division:
    """Make, read or skip the partition.

    Args:
        table: what to divide.
        options: which partition, and its seed.
        tolerance_pp: how much worse than the best, in percentage points, one may be that the seed picks.

    Raises:
        InputError: the partition cannot be made, does not fit the data, or has no set to test on.
        MissingPathError: no manifest in the folder.
    """
    if options.partition == NONE or (options.partition == MAKE and not table.targets):
        return Division({"all": tuple(table.items)}, "all", values={"protocol": "none: every item is tested"})
    if options.partition == OWN:
        return _tested(_own(table, options.subjects), options)
    if options.partition == MAKE:
        wanted = PartitionOptions(
            seed=options.seed,
            targets=(options.target,) if options.target else None,
            subjects=options.subjects,
            tolerance_pp=tolerance_pp,
        )
        return _tested(of_partition(partition(table, options=wanted)), options)
    return _tested(of_partition(_read(table, Path(options.partition))), options)


def of_partition(made: Partition) -> Division:
    """The sets of a partition."""
    sets = {name: tuple(made.items(name)) for name in made.names}
    values = {
        "protocol": made.options.protocol,
        "seed": made.options.seed,
        "digest": partition_digest(made),
        "subjects": made.options.subjects,
        "sizes": {name: len(items) for name, items in sets.items()},
        "deviations": {"cost_pp": made.report.cost_pp, "share": made.report.max_deviation},
        "notes": list(made.notes),
    }
    return Division(sets, "", made, values)


def _own(table: AnnotationTable, subjects: str) -> Division:
    if "partition" not in table.frame.columns:
        raise InputError(
            f"the data set {table.name!r} has no partition of its own",
            expected="--partition make, or a manifest's folder",
        )
    groups = table.frame.drop_nulls("partition").group_by("partition", maintain_order=True)
    sets = {str(name): tuple(rows.get_column("item")) for (name,), rows in groups}
    for alias in ("dev", "valid", "val"):
        if alias in sets and "validation" not in sets:
            sets["validation"] = sets.pop(alias)
    values = {
        "protocol": "the data set's own",
        "sizes": {name: len(items) for name, items in sets.items()},
        "independence": _independence(table, subjects),
    }
    return Division(sets, "", None, values)


def _independence(table: AnnotationTable, subjects: str) -> str:
    """Whether a subject is in two sets of the data set's own partition, which nobody has made sure of."""
    judged = judge(table, options=JudgeOptions(PartitionOptions(subjects=subjects)))
    return judged["subject independence"].reason


def _read(table: AnnotationTable, folder: Path) -> Partition:
    if not folder.exists():
        raise MissingPathError.of("partition", folder, expected="make, own, none, or the folder of a manifest")
    made = load_manifest(folder)
    failed = [finding for finding in verify(made, table) if finding.status == "failed"]
    if failed:
        raise InputError(
            f"the partition does not fit the data: {'; '.join(f'{f.rule}: {f.reason}' for f in failed)}",
            where=str(folder),
            expected="the data set that the partition was made for",
            cause="another version of the data, or other options of the reader",
        )
    return made


def _tested(found: Division, options: AuditOptions) -> Division:
    if options.tested not in found.sets or not found.sets[options.tested]:
        raise InputError(
            f"the partition has no set {options.tested!r} to test on", expected=f"one of {', '.join(found.sets)}"
        )
    return Division(found.sets, options.tested, found.made, found.values)
