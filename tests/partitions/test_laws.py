"""Laws of every partition, whatever the table: complete, by subjects, the same again, and nothing kept ever moves."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affectcheck.annotations import AnnotationTable, make_table
from affectcheck.partitions import Partition, PartitionOptions, load_manifest, partition, save_manifest, verify
from affectcheck.partitions.left_out import left_out_of
from affectcheck.schemes import Target, scheme

pytestmark = pytest.mark.slow

LABELS = scheme("expressions-4").labels
PROTOCOLS = ("55-15-30", "80-20", "40-30-20-10")
quick = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@dataclass(frozen=True)
class Case:
    """A table, how to divide it, and whose items these are."""

    table: AnnotationTable
    options: PartitionOptions
    person: dict[str, str]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    persons = draw(st.integers(6, 24))
    alone = draw(st.booleans())
    number = np.random.default_rng(draw(st.integers(0, 2**16)))
    sizes = number.integers(1, 9, persons) if not alone else np.ones(persons * 10, dtype=int)
    rows = [
        {
            "item": f"{number.integers(10**6):06d}-{s}-{n}",
            "media": f"{s}-{n // 3}.mp4",
            "subject": f"person {s}",
            "sex": ("female", "male", None)[s % 3],
            "race": ("asian", "white")[int(s < 3)],
            "mood": LABELS[int(number.integers(4))] if number.random() < 0.9 else None,
            "mood_provenance": ("manual", "automatic", None)[int(number.choice(3, p=[0.4, 0.1, 0.5]))],
        }
        for s, size in enumerate(sizes)
        for n in range(size)
    ]
    # every person keeps at least one item
    for s in range(len(sizes)):
        next(row for row in rows if row["subject"] == f"person {s}")["mood_provenance"] = "manual"
    frame = pl.DataFrame(rows, infer_schema_length=None)
    table = make_table(frame, targets=[Target("mood", scheme("expressions-4"))], groups=("sex", "race"), name="laws")
    options = PartitionOptions(
        protocol=draw(st.sampled_from(PROTOCOLS)),
        seed=draw(st.integers(0, 3)),
        subjects="none" if alone else "column",
        targets=draw(st.sampled_from([None, ()])),
        provenance=draw(st.sampled_from([("manual",), ("manual", "automatic")])),
    )
    person = {row["item"]: row["media"] if alone else row["subject"] for row in rows}
    return Case(table, options, person)


def places(found: Partition) -> dict[str, str]:
    return dict(found.frame.iter_rows())


def whole(case: Case, found: Partition, table: AnnotationTable | None = None) -> None:
    """Every item is in one set or left out for a reason; nobody is in two; no set is empty."""
    table = table or case.table
    out = left_out_of(table, case.options)
    assert sorted([*found.frame["item"], *out.items]) == sorted(table.items)
    assert sum(found.left_out.values()) == len(out.items)
    owners: dict[str, set[str]] = {}
    for item, part in places(found).items():
        owners.setdefault(case.person[item], set()).add(part)
    assert all(len(parts) == 1 for parts in owners.values())
    assert set(places(found).values()) == set(found.names)


@quick
@given(cases())
def test_complete_by_subjects_and_the_same_again_in_any_order_of_rows(case: Case) -> None:
    found = partition(case.table, options=case.options)
    whole(case, found)
    mixed = replace(case.table, frame=case.table.frame.sample(fraction=1.0, shuffle=True, seed=case.options.seed))
    again = partition(mixed, options=case.options)
    assert again.frame.equals(found.frame)
    assert again.notes == found.notes
    assert again.report.frame.equals(found.report.frame)
    assert {finding.status for finding in verify(found, mixed, again=True)} <= {"passed", "not applicable"}


@quick
@given(cases(), st.data())
def test_what_is_kept_never_moves(case: Case, data: st.DataObject) -> None:
    old = partition(case.table, options=case.options)
    sets = data.draw(st.lists(st.sampled_from(old.names), min_size=1, unique=True))
    keep = old.frame.filter(pl.col("part").is_in(sets))
    found = partition(case.table, options=replace(case.options, seed=case.options.seed + 1), keep=keep)
    whole(case, found)
    now = places(found)
    assert all(now[item] == part for item, part in keep.iter_rows())
    assert found.kept is not None
    assert found.kept.count == keep.height
    everything = partition(case.table, options=case.options, keep=old.frame)
    assert everything.frame.equals(old.frame)


@quick
@given(cases(), st.data())
def test_growth_keeps_all_that_was_there(case: Case, data: st.DataObject) -> None:
    persons = sorted(set(case.person.values()))
    first = data.draw(st.integers(len(case.options.names), len(persons)))
    known = {item for item, person in case.person.items() if person in persons[:first]}
    share = data.draw(st.sampled_from([1, 2]))
    then = case.table.filter(pl.col("item").is_in(sorted(known)) & (pl.int_range(pl.len()) % share == 0))
    if len({case.person[item] for item in then.items if item not in set(left_out_of(then, case.options).items)}) < len(
        case.options.names
    ):
        return
    old = partition(then, options=case.options)
    grown = partition(case.table, options=case.options, keep=old.frame)
    whole(case, grown)
    now = places(grown)
    assert all(now[item] == part for item, part in places(old).items())
    back = partition(then, options=case.options, keep=grown.frame)
    assert back.frame.equals(old.frame)
    assert back.kept is not None
    assert back.kept.gone == grown.frame.height - old.frame.height


@quick
@given(case=cases())
def test_a_partition_on_disk_is_the_same_and_makes_the_same_again(
    case: Case, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("law")
    old = partition(case.table, options=case.options)
    found = partition(case.table, options=case.options, keep=old.frame.head(5))
    save_manifest(found, folder)
    back = load_manifest(folder)
    assert back.frame.equals(found.frame)
    assert {finding.status for finding in verify(back, case.table, again=True)} == {"passed"} | (
        {"not applicable"} if case.options.subjects == "none" else set()
    )
