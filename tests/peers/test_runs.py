"""Whole runs of ``score`` again: every value, interval and floor, from the table by plain definitions, row by row."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

from affectcheck.cli.app import run
from affectcheck.metrics import METRICS
from peers import draws
from peers.rerun import DIFFERENCE, SHIFT, Rerun, Table

if TYPE_CHECKING:
    from pathlib import Path

    from peers.draws import Case

ITEMS, RESAMPLES = 120, 24
NAMES = {
    "categories": tuple(f"c{k}" for k in range(draws.CLASSES)),
    "units": ("AU1", "AU2", "AU4", "AU6", "AU12"),
    "dimensions": ("valence", "arousal"),
}
UNKNOWN = ("unsure", "Other")
#: Means of groups, which are resampled; other disparities are biased upwards and have a floor.
MEANS = ("local_f1", "local_ccc", "unit_local_f1")


def awkward(kind: str) -> Case:
    """A class that is never true, a unit unknown throughout and one never present, and other cells unknown."""
    case = draws.FAMILIES[kind](0, len(NAMES[kind]), items=ITEMS)[kind != "categories"]
    case = replace(case, group=np.zeros(case.items, int), groups=1)
    if kind == "categories":
        return replace(case, truth=np.where(case.truth == 4, 0, case.truth))
    if kind == "units":
        truth = case.truth.copy()
        truth[:, 4], truth[:, 3] = -1, np.minimum(truth[:, 3], 0)
        return replace(case, truth=truth)
    return case.take(np.flatnonzero(~np.isnan(case.truth).all(axis=1)))


def people(items: int) -> dict[str, list[str | None]]:
    """Subjects with a gender and a race, ages item by item: groups unknown, missing, of one subject and of one item."""
    random = np.random.default_rng(9)
    subjects = 20
    subject = random.integers(0, subjects, items)
    gender = random.choice(["female", "male"], subjects).astype(object)
    race = random.choice(["asian", "black", "white"], subjects, p=[0.3, 0.2, 0.5]).astype(object)
    gender[3], race[0], race[4] = "unsure", "indian", "Other"
    age = random.choice(["20-29", "30-39", "70+", ""], items, p=[0.6, 0.3, 0.05, 0.05])
    age[0] = "03-09"
    names: list[str | None] = [f"s{number:02d}" for number in subject]
    names[5] = None
    columns = {"gender": gender[subject], "race": race[subject], "age": age}
    return {"subject": names, **{name: [str(v) or None for v in values] for name, values in columns.items()}}


def columns_of(kind: str, case: Case) -> dict[str, list[Any]]:
    """Truth and prediction as a file has them."""
    names = NAMES[kind]
    if kind == "categories":
        scores = {f"p_{name}": case.score[:, k].tolist() for k, name in enumerate(names)}
        return {"truth": [names[c] for c in case.truth], "prediction": [names[c] for c in case.prediction], **scores}
    gone = case.truth == -1 if kind == "units" else np.isnan(case.truth)
    truth = [
        [None if out else value for value, out in zip(column, cells, strict=True)]
        for column, cells in zip(case.truth.T.tolist(), gone.T.tolist(), strict=True)
    ]
    return {f"t_{n}": column for n, column in zip(names, truth, strict=True)} | {
        f"p_{n}": column.tolist() for n, column in zip(names, case.score.T, strict=True)
    }


def scored(
    kind: str, path: Path, capsys: pytest.CaptureFixture[str], *options: str
) -> tuple[Table, list[dict[str, Any]]]:
    """The table, and what the program says of it."""
    case = awkward(kind)
    who, keys = people(case.items), [f"i{n:03d}" for n in range(case.items)]
    pl.DataFrame({"item": keys, **columns_of(kind, case), **who}).write_csv(path / "table.csv")
    names = NAMES[kind]
    sides = [f"--{side}=" + ",".join(f"{n}={side[0]}_{n}" for n in names) for side in ("truth", "prediction")]
    told = {
        "categories": [f"--labels={','.join(names)}", "--scores=p_", "--output-kind=probability"],
        "units": [f"--units={','.join(names)}", "--output-kind=probability", *sides],
        "dimensions": [f"--labels={','.join(names)}", "--range=-1,1", *sides],
    }[kind]
    shared = ["--by=gender,race,age", "--metrics=all", "--shifts=all", "--parts", "--json"]
    assert run(["score", str(path / "table.csv"), *told, *shared, f"--resamples={RESAMPLES}", *options]) == 0
    groups = {
        name: np.array(["" if v is None or v in UNKNOWN else v for v in who[name]], object)
        for name in ("gender", "race", "age")
    }
    unit = "item" if "--clusters=item" in options else "subject"
    cluster = [key if unit == "item" else s or "\0" + key for s, key in zip(who["subject"], keys, strict=True)]
    return Table(case, names, groups, np.array(cluster, object), unit), json.loads(capsys.readouterr().out)["scores"]


def same(found: tuple[float, ...] | None, expected: tuple[float, ...] | None) -> bool:
    if found is None or expected is None:
        return found is expected
    return bool(np.allclose(found, expected, rtol=1e-9, atol=1e-9, equal_nan=True))


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--clusters=item",), ("--interval=bca",), ("--convention=upstream",)])
@pytest.mark.parametrize("kind", sorted(NAMES))
def test_every_number_of_a_run_is_found_again(kind, options, tmp_path, capsys) -> None:
    table, scores = scored(kind, tmp_path, capsys, *options)
    again = Rerun(table, RESAMPLES, method="bca" if "--interval=bca" in options else "percentile-t")
    wrong, kinds = [], set()
    for one in scores:
        if "convention" in one.get("reason", ""):
            continue
        for what, found, expected in numbers(again, one):
            kinds.add(what)
            if not same(found, expected):
                wrong.append((what, one["metric"], one["place"], found, expected))
    assert not wrong
    assert kinds == {"value", "interval", "clusters", "floor"}


def numbers(again: Rerun, one: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """What a score says, and the same again."""
    value = one["value"] if one.get("value") is not None else float("nan")
    found: list[tuple[str, Any, Any]] = [("value", (value,), (again.value(one),))]
    if np.isnan(value):
        return found
    given, floor = one.get("interval"), one.get("floor")
    bounds = None if given is None else (given["low"], given["high"])
    base = one["metric"].removesuffix(SHIFT).removesuffix(DIFFERENCE)
    if one["metric"].endswith(DIFFERENCE):
        found.append(("interval", bounds, again.jackknifed(one)))
    elif METRICS.get(base).level != "disparity" or base in MEANS:
        found.append(("interval", bounds, again.interval(one)))
        if given is not None:
            found.append(("clusters", (given["clusters"],), (again.clusters_of(one),)))
    else:
        found.append(("interval", bounds, None))
    # Tables with both margins held, by which items of classes are permuted, are drawn at once and not row by row.
    if floor is not None and not floor["method"].startswith("predictions permuted"):
        found.append(("floor", (floor["mean"], floor["quantile"]), again.floor(one)))
    return found
