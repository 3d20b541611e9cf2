"""A partition as the terminal shows it, and as plain values."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import polars as pl

from affectcheck.cli.output import columns

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.partitions import Partition

_MOST_VALUES = 12  # a column of more values, such as regions of valence and arousal, is summed up
_WORST = 3


def plain(made: Partition, path: Path) -> dict[str, Any]:
    """Everything, for ``--json``."""
    report = made.report
    return {
        "manifest": str(path),
        "protocol": made.options.protocol,
        "seed": made.options.seed,
        "sizes": {name: len(made.items(name)) for name in made.names},
        "left_out": dict(made.left_out),
        "kept": None if made.kept is None else {"items": made.kept.count, "gone": made.kept.gone},
        "cost_pp": report.cost_pp,
        "max_deviation": report.max_deviation,
        "size_deviation": report.size_deviation,
        "search": {
            "cost": made.cost,
            "bound": made.bound,
            "gap": made.gap,
            "proven": made.proven,
            "reproducible": made.reproducible,
        },
        "unsplittable": [asdict(rare) for rare in report.unsplittable],
        "uncovered": [asdict(rare) for rare in report.uncovered],
        "balance": report.rows(),
        "notes": [*made.data_notes, *made.notes],
    }


def text(made: Partition, path: Path) -> str:
    """The balance as a table, how good it is known to be, and the path of the manifest."""
    rows = []
    for (column,), group in made.report.frame.group_by("column", maintain_order=True):
        values = [_value(value, rows_of) for (value,), rows_of in group.group_by("value", maintain_order=True)]
        if len(values) > _MOST_VALUES:
            rows.append((column, f"{len(values)} values, mean deviation in points", *_means(group, made.names)))
            values = [("worst: " + name, cells, worst) for name, cells, worst in values]
            values = sorted(values, key=lambda entry: -entry[2])[:_WORST]
        rows += [(column, name, *(cells[part] for part in made.names)) for name, cells, _ in values]
    targets = [f"{100 * ratio:.4g}%" for ratio in made.options.ratios]
    head = ("column", "value", *(f"{name}, target {share}" for name, share in zip(made.names, targets, strict=True)))
    return f"{columns(rows, head=head)}\n\n{_summary(made)}\n{path}"


def _value(value: object, rows: pl.DataFrame) -> tuple[str, dict[str, str], float]:
    """A value, its cell for each set, and its largest deviation."""
    cells = {row["set"]: f"{row['count']} ({row['allocation']:.1%})" for row in rows.to_dicts()}
    return str(value), cells, float(rows.select(pl.col("deviation").abs().max()).item())


def _means(rows: pl.DataFrame, names: tuple[str, ...]) -> list[str]:
    means = dict(rows.group_by("set").agg(pl.col("deviation").abs().mean()).iter_rows())
    return [f"{100 * means[name]:.2f}" for name in names]


def _summary(made: Partition) -> str:
    counts = [f"{made.frame.height} items"]
    counts += [f"{sum(made.left_out.values())} left out"] if made.left_out else []
    counts += [f"{made.kept.count} kept where they were"] if made.kept is not None else []
    lines = [
        f"{', '.join(counts)}; in percentage points: mean deviation from the targets {made.report.cost_pp:.2f}, "
        f"largest of a share that every set could hold {100 * made.report.max_deviation:.2f}"
    ]
    those = "covers as much" if made.kept is None else "keeps these items where they are and covers as much"
    if made.proven:
        lines.append(f"no partition that {those} has a smaller mean deviation: proven")
    elif made.bound is not None and made.cost is not None:
        lines.append(
            f"the search ended at {100 * made.cost:.3f}; none that {those} is below {100 * made.bound:.3f}: at "
            f"most {100 * max(0.0, made.cost - made.bound):.3f} to gain"
        )
    if not made.reproducible:
        lines.append("a clock ended the search: the same command may give another partition")
    return "\n".join(lines)
