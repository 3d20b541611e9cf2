"""Items that stand alone, divided as joint cells."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from affectcheck.annotations import make_table
from affectcheck.partitions.cells import divide
from affectcheck.partitions.options import Budget, PartitionOptions
from affectcheck.partitions.strata import Column, Strata, strata_of
from affectcheck.schemes import CategoryScheme, Target, UnitScheme
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

FAIR: Final = np.array([0.55, 0.15, 0.30])
PLAIN: Final = PartitionOptions(subjects="none")


def strata(*columns: list[int], groups: int = 0) -> Strata:
    """Columns of codes, the last of which are groups."""
    made = []
    for place, codes in enumerate(columns):
        texts = tuple(f"{value}" for value in range(max(codes) + 1))
        made.append(Column(f"column {place}", texts, np.array(codes), group=place >= len(columns) - groups))
    return Strata(tuple(made), len(columns[0]))


@pytest.mark.parametrize(
    ("count", "amounts"),
    [(3, [1, 1, 1]), (4, [2, 1, 1]), (20, [11, 3, 6]), (100, [55, 15, 30])],
)
def test_one_cell(count: int, amounts: list[int]) -> None:
    found = divide(strata([0] * count), PLAIN)
    assert np.bincount(found.sets).tolist() == amounts
    assert found.proven
    assert found.reproducible


def test_no_columns_at_all() -> None:
    found = divide(Strata((), 100), PLAIN)
    assert np.bincount(found.sets).tolist() == [55, 15, 30]


def test_a_cell_of_as_many_items_as_sets_is_in_every_set_whatever_the_ratios() -> None:
    options = PartitionOptions("94-2-2-2", names=("a", "b", "c", "d"), subjects="none")
    found = divide(strata([0] * 4 + [1] * 500), options)
    assert np.bincount(found.sets[:4]).tolist() == [1, 1, 1, 1]


def test_the_seed_draws_which_items_go_where_not_how_well() -> None:
    given_strata = strata([0] * 40 + [1] * 60)
    one, other = (divide(given_strata, PartitionOptions(subjects="none", seed=seed)) for seed in (1, 2))
    assert (one.sets != other.sets).any()
    assert one.cost == other.cost == one.bound


def test_labels_of_several_columns_are_balanced_within_groups() -> None:
    draw = rng(0, "test cells")
    labels = [np.where(draw.random(900) < 0.3, 0, -1).tolist() for _ in range(5)]
    group = draw.integers(3, size=900)
    found = divide(strata(*labels, group.tolist(), groups=1), PLAIN)
    for label in labels:
        for value in range(3):
            held = (np.array(label) == 0) & (group == value)
            assert np.abs(np.bincount(found.sets[held], minlength=3) - held.sum() * FAIR).max() < 2.5


def test_what_is_fixed_stays_and_the_rest_make_up_for_it() -> None:
    draw = rng(1, "test cells")
    values = draw.integers(4, size=800)
    fixed = np.where(draw.random(800) < 0.4, 0, -1)
    found = divide(strata(values.tolist()), PLAIN, fixed)
    assert (found.sets[fixed >= 0] == 0).all()
    counts = np.array([np.bincount(found.sets[values == value], minlength=3) for value in range(4)])
    assert np.abs(counts - counts.sum(axis=1)[:, None] * FAIR).max() < 1


def test_what_is_fixed_unfairly_shows_in_the_bound() -> None:
    fixed = np.where(np.arange(100) < 41, 1, -1)
    found = divide(strata([0] * 100), PLAIN, fixed)
    assert np.bincount(found.sets).tolist() == [42, 41, 17]
    assert found.bound == pytest.approx((0.13 + 0.26 + 0.13) / 3)
    assert found.proven


def test_all_fixed_is_given_back() -> None:
    fixed = np.arange(30) % 3
    assert np.array_equal(divide(strata([0] * 30), PLAIN, fixed).sets, fixed)


def test_a_clock_makes_it_irreproducible(monkeypatch: pytest.MonkeyPatch) -> None:
    hours = iter(range(0, 100_000, 3600))
    monkeypatch.setattr("affectcheck.partitions.polishing.time.monotonic", lambda: float(next(hours)))
    options = PartitionOptions(subjects="none", budget=Budget(seconds=1))
    found = divide(strata(list(range(5)) * 9), options)
    assert not found.reproducible
    assert "clock" in found.notes[-1]


UNITS: Final = ("AU1", "AU4", "AU20")
LABELS: Final = ("anger", "fear", "joy")


def picture(number: int, draw: np.random.Generator) -> dict[str, Any]:
    cells = {unit: [None, 0, 1][int(draw.choice(3, p=[0.1, 0.6, 0.3]))] for unit in UNITS}
    return {
        "item": f"{number:04d}",
        "label": LABELS[int(draw.integers(3))],
        "sex": ["female", "male", None][int(draw.integers(3))],
        "age": f"{draw.integers(4)}0s",
        **cells,
    }


def table(
    rows: list[dict[str, Any]], units: tuple[str, ...] = UNITS, labels: tuple[str, ...] = LABELS
) -> AnnotationTable:
    targets = [Target("units", UnitScheme("some", units)), Target("label", CategoryScheme("few", labels))]
    frame = pl.DataFrame(rows, infer_schema_length=None)
    return make_table(frame.with_columns(pl.col(units).cast(pl.Int8)), targets=targets, groups=("sex", "age"))


def sets_of(given_table: AnnotationTable, options: PartitionOptions) -> dict[str, int]:
    ordered = given_table.select(given_table.items.sort())
    frame = given_table.frame.sort("item")
    found = divide(strata_of(type(ordered)(frame, ordered.targets, ordered.groups), options), options)
    return dict(zip(frame.get_column("item"), found.sets.tolist(), strict=True))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(3, 90), st.sampled_from(["55-15-30", "80-20", "70-10-10-10"]))
def test_neither_rows_nor_names_have_a_say(seed: int, rows: int, protocol: str) -> None:
    """Shuffled rows, renamed and reordered labels, units and groups: every item is where it was, and is there once."""
    draw = rng(seed, "test names")
    given_rows = [picture(number, draw) for number in range(rows)]
    options = PartitionOptions(protocol, subjects="none", seed=seed, targets=("units", "label"))
    before = sets_of(table(given_rows), options)
    new = dict(zip(LABELS, draw.permutation(["zorn", "angst", "freude"]).tolist(), strict=True))
    sexes = dict(zip(["female", "male"], draw.permutation(["w", "m"]).tolist(), strict=True))
    ages = dict(zip([f"{decade}0s" for decade in range(4)], draw.permutation(list("abcd")).tolist(), strict=True))
    units = dict(zip(UNITS, draw.permutation(["AU2", "AU9", "AU30"]).tolist(), strict=True))
    renamed = [
        {
            "item": row["item"],
            "label": new[row["label"]],
            "sex": sexes.get(row["sex"]),
            "age": ages[row["age"]],
            **{units[unit]: row[unit] for unit in UNITS},
        }
        for row in given_rows
    ]
    order = draw.permutation(rows).tolist()
    other = table([renamed[place] for place in order], tuple(sorted(units.values())), tuple(sorted(new.values())))
    assert sets_of(other, options) == before
    assert sorted(before) == [row["item"] for row in given_rows]


@settings(max_examples=25, deadline=None)
@example(10, 3, 2)  # an item that two values want in two sets
@given(st.integers(0, 10_000), st.integers(3, 60), st.integers(2, 5))
def test_any_number_of_sets_any_ratios_what_is_fixed_stays(seed: int, rows: int, sets: int) -> None:
    draw = rng(seed, "test fixed")
    parts = draw.integers(1, 20, size=sets)
    percents = [*(100 * parts[:-1] // parts.sum()).tolist()]
    options = PartitionOptions("-".join(map(str, [*percents, 100 - sum(percents)])), subjects="none", seed=seed)
    fixed = np.where(draw.random(rows) < draw.random(), draw.integers(sets, size=rows), -1)
    found = divide(strata(draw.integers(3, size=rows).tolist(), draw.integers(2, size=rows).tolist()), options, fixed)
    assert (found.sets[fixed >= 0] == fixed[fixed >= 0]).all()
    assert found.sets.min() >= 0
    assert found.sets.max() < sets
    assert found.bound is not None
    assert found.bound <= found.cost + 1e-12


def synthetic(
    shared_data: Path, name: str, seed: int
) -> tuple[AnnotationTable, Callable[[np.ndarray], dict[str, Any]]]:
    """A database of the published counts, and what judges its sets."""
    folder = str(shared_data / "reference" / "synthetic_databases")
    sys.path.insert(0, folder)
    try:
        from part_common import image_db, onehot
        from quality import quality
    finally:
        sys.path.remove(folder)
    data, names, rows = image_db(name, seed)
    columns: dict[str, Any] = {"item": [f"{row:06d}" for row in range(rows)]}
    for kind, values in data.items():
        if kind == "au":
            columns |= {unit: values[:, place].astype(np.int8) for place, unit in enumerate(names["au"])}
        else:
            columns[kind] = [names[kind][code] if code >= 0 else None for code in values]
    scheme = UnitScheme("some", tuple(names["au"])) if "au" in names else CategoryScheme("few", tuple(names["label"]))
    groups = tuple(kind for kind in data if kind not in ("au", "label"))
    given_table = make_table(pl.DataFrame(columns), targets=[Target("label", scheme)], groups=groups)
    strata_counts = onehot(data, names)[0]

    def judge(sets: np.ndarray) -> dict[str, Any]:
        inside = np.array([strata_counts[sets == place].sum(axis=0) for place in range(3)])
        return dict(quality(inside, np.bincount(sets)))

    return given_table, judge


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seed", "limit_pp"),
    [("RAF-DB", 9, 0.03), ("AffectNet-8", 9, 0.005), ("RAF-AU", 10, 0.11), ("EmotioNet", 11, 0.01)],
)
def test_databases_of_the_published_counts(shared_data: Path, name: str, seed: int, limit_pp: float) -> None:
    given_table, judge = synthetic(shared_data, name, seed)
    columns = strata_of(given_table, PLAIN)
    found = divide(columns, PLAIN)
    assert judge(found.sets)["prop_max"] <= limit_pp
    in_set = np.bincount(columns.cells * 3 + found.sets, minlength=3 * len(columns.first)).reshape(-1, 3)
    assert (in_set[in_set.sum(axis=1) >= 3] > 0).all()
