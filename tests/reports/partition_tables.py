"""A table with expressions, units, valence and arousal and three groups, its own partition, and another beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from affectcheck.annotations import make_table
from affectcheck.partitions import AuditOptions, Chance, PartitionOptions, audit, own_partition
from affectcheck.partitions.balance import Balance
from affectcheck.partitions.partition import Partition
from affectcheck.reports.partitions import PartitionShown
from affectcheck.schemes import Target, UnitScheme, scheme
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from affectcheck.annotations import AnnotationTable
    from affectcheck.partitions import Audit

SETS = ("train", "validation", "test")


def faces(items: int = 240, mark: str = "") -> AnnotationTable:
    """Items of forty subjects; ``mark`` is put into every name that a stranger may choose."""
    draw = rng(0, "partition report")
    labels = scheme("expressions-7").labels
    who = draw.integers(0, 40, items)
    ages = ("03-09", "10-19", "20-29", "30-39", "70+", "missing")
    units = UnitScheme("two units", (f"AU1{mark}", "AU2"))
    frame = {
        "item": [f"{row:04d}{mark}" for row in range(items)],
        "subject": [f"s{code}{mark}" for code in who],
        "gender": [("female", f"male{mark}")[code % 2] for code in who],
        "race": [("asian", "black", "white")[code % 3] for code in who],
        "age": [ages[code % 6] for code in who],
        "expression": [labels[code] for code in draw.choice(7, items, p=(0.1, 0.05, 0.05, 0.4, 0.2, 0.1, 0.1))],
        "valence": draw.uniform(-1, 1, items).round(2),
        "arousal": draw.uniform(-0.5, 1, items).round(2),
        units.units[0]: [row % 3 == 0 for row in range(items)],
        units.units[1]: [None if row % 5 == 0 else row % 4 == 0 for row in range(items)],
        "partition": [f"train{mark}" if row % 4 else "test" for row in range(items)],
    }
    targets = [
        Target("expression", scheme("expressions-7")),
        Target("affect", scheme("valence-arousal")),
        Target(f"units{mark}", units),
    ]
    return make_table(
        pl.DataFrame(frame, strict=False), targets=targets, groups=("gender", "race", "age"), name=f"faces{mark}"
    )


def made(table: AnnotationTable, mark: str = "") -> Partition:
    """A partition by hand: every subject in one set."""
    sets = (*SETS[:2], f"test{mark}")
    code = {name: place for place, name in enumerate(sorted(table.frame.get_column("subject").unique()))}
    part = [
        sets[0 if code[name] % 20 < 11 else 1 if code[name] % 20 < 14 else 2]
        for name in table.frame.get_column("subject")
    ]
    frame = pl.DataFrame({"item": table.items, "part": part}).sort("item")
    options = PartitionOptions(names=sets, seed=7)
    return Partition(
        frame,
        options,
        Balance(pl.DataFrame()),
        table.name,
        table.digest,
        notes=(f"by hand{mark}",),
        cost=0.02,
        bound=0.015,
        proven=False,
        left_out={f"labels made by a model{mark}": 3},
    )


def judged(table: AnnotationTable, given: Partition | None = None) -> Audit:
    """An audit with few random divisions."""
    wanted = given.options if given else PartitionOptions()
    return audit(table, given, options=AuditOptions(wanted, chance=Chance(50)))


def own(table: AnnotationTable) -> PartitionShown:
    """The table's own partition, judged, beside a published one."""
    return PartitionShown(None, ("raf-db",), judged(table), "affectcheck partition audit")


def both(table: AnnotationTable, mark: str = "") -> PartitionShown:
    """The own partition and one by hand, which is judged."""
    given = made(table, mark)
    return PartitionShown({"original": own_partition(table), f"fair{mark}": given}, audit=judged(table, given))


def unnamed(table: AnnotationTable) -> AnnotationTable:
    """The same without subjects and groups."""
    return replace(table, frame=table.frame.drop("subject", "gender", "race", "age"), groups=())
