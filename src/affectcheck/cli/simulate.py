"""``affectcheck simulate``: how far groups differ for models that answer at random, at any sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from affectcheck.cli.choices import Seed, choice, names
from affectcheck.cli.output import Json, columns, emit, progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.behaviour.definition import Definition
    from affectcheck.behaviour.simulating import SimulatedLimit
    from affectcheck.behaviour.simulating_table import TableRow

Tests = Annotated[str, typer.Option("--test", "-t", help="Fairness tests, by commas; default: all that ship.")]
Task = Annotated[str, typer.Option("--task", help="categories or dimensions; default: both.")]
Metric = Annotated[str, typer.Option("--metric", help="One metric, such as uar or share; default: all.")]
Groups = Annotated[
    int | None, typer.Option("--groups", "-g", min=2, help="Number of groups; default: the test's published number.")
]
Samples = Annotated[
    int | None,
    typer.Option("--samples", "-n", min=2, help="Items a group (and sentiment); default: the published number."),
]
Repetitions = Annotated[int, typer.Option("--repetitions", min=1, help="Random models of a round.")]
Rounds = Annotated[
    int, typer.Option("--rounds", min=1, help="Rounds, each with its own maximum; the quantile is that of all.")
]
Quantile = Annotated[float, typer.Option("--quantile", help="Of the limit beside the maximum.")]
Table = Annotated[bool, typer.Option("--table", help="All 27 limits of Table III of paper 2 beside ours.")]
Seeds = Annotated[
    int | None, typer.Option("--seeds", min=1, help="With --table: number of seeds, from --seed on; default: 3.")
]


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command()
    def simulate(
        test: Tests = "",
        task: Task = "",
        metric: Metric = "",
        groups: Groups = None,
        samples: Samples = None,
        repetitions: Repetitions = 1000,
        rounds: Rounds = 4,
        quantile: Quantile = 0.99,
        seed: Seed = 0,
        table: Table = False,
        seeds: Seeds = None,
        json: Json = False,
    ) -> None:
        """Simulate limits of fairness tests: what random models, which treat all groups alike, show at given sizes."""
        from affectcheck.behaviour.simulating import Simulating, simulate_limits  # noqa: PLC0415
        from affectcheck.behaviour.simulating_table import table_three  # noqa: PLC0415
        from affectcheck.errors import InputError  # noqa: PLC0415

        chosen = Simulating(groups, samples, repetitions, rounds, quantile, seed)
        if table:
            if any((test, task, metric, groups, samples)):
                raise InputError(
                    "--table with tests or sizes", expected="--table alone: it has tests and sizes of its own"
                )
            with progress("random models") as update:
                rows = table_three(chosen, seeds=seeds or 3, progress=update)
            emit([_row_plain(one) for one in rows], _table_text(rows), as_json=json)
            return
        if seeds:
            raise InputError("--seeds without --table", expected="--rounds for more random models, --seed for others")
        if task:
            choice("task", task, ("categories", "dimensions"))
        definitions = _definitions(test, task, metric)
        with progress("random models") as update:
            found = simulate_limits(definitions, chosen, task=task, metric=metric, progress=update)
        emit([_plain(one) for one in found], _text(found), as_json=json)


def _definitions(test: str, task: str, metric: str) -> Sequence[Definition]:
    """The tests; each compares groups, and one of them the metric."""
    from affectcheck.behaviour import load_suite, load_suites  # noqa: PLC0415
    from affectcheck.errors import InputError, UnknownNameError  # noqa: PLC0415

    shipped = load_suite("fairness")
    tests = load_suites(names(test)) if test else shipped
    others = [one.name for one in tests if one.family != "fairness"]
    if others:
        raise InputError(
            f"{others[0]!r} is no fairness test", expected=f"one of {', '.join(one.name for one in shipped)}, or a file"
        )
    known = {one.metric for test in tests for part in test.task if task in ("", part.kind) for one in part.comparison}
    if not known:
        raise InputError(f"none of these tests has a task for {task}", expected="another --task, or other tests")
    if metric and metric not in known:
        raise UnknownNameError.of("metric of these tests", metric, known)
    return tests


def _text(found: Sequence[SimulatedLimit]) -> str:
    chosen = found[0].simulating
    head = (
        "test",
        "task",
        "metric",
        "groups",
        "items",
        "published",
        "maximum",
        f"{chosen.quantile:.4g} of one",
        "fails any",
        f"{chosen.quantile:.4g} of all",
        "published fails any",
        "detectable",
        "least of a bin",
    )
    rows = [
        (
            *_named(one),
            one.groups,
            one.samples,
            f"{one.comparison.limit:g}",
            _range(one.maxima),
            f"{one.value:.4f}",
            _share(one.error),
            f"{one.family:.4f}",
            _share(one.published_error),
            "none" if one.detectable is None else f"{one.detectable:.4f}",
            one.minimum_of_bin or "-",
        )
        for one in found
    ]
    return f"{columns(rows, head=head)}\n\n{_legend(found[0])}"


def _legend(one: SimulatedLimit) -> str:
    from affectcheck.annotations.listing import plural  # noqa: PLC0415

    chosen = one.simulating
    return (
        f"{plural(chosen.rounds, 'round')} of {plural(chosen.repetitions, 'random model')}, seed {chosen.seed}. maximum: of one group over a "
        f"round, as paper 2 takes it (least and largest of the rounds). {chosen.quantile:.4g} of one: quantile of one "
        "group's difference; fails any: share of random models that it fails in any group, its family-wise error. "
        f"{chosen.quantile:.4g} of all: the limit that random models keep in all groups at once with this probability. "
        "published fails any: the same share under the published limit. detectable: the smallest true difference of "
        "one group that exceeds the limit for all groups with a power of 0.8; none where it would have to be larger than 1."
    )


def _table_text(rows: Sequence[TableRow]) -> str:
    from affectcheck.annotations.listing import plural  # noqa: PLC0415

    chosen = rows[0].first.simulating
    head = (
        "test",
        "task",
        "metric",
        "groups",
        "items",
        "Table III",
        "authors' maximum",
        "our maxima",
        f"{chosen.quantile:.4g} of one",
        "seeds differ by",
        f"{chosen.quantile:.4g} of all",
        "Table III fails any",
        "authors' maximum lies",
    )
    cells = [
        (
            *_named(one.first),
            one.first.groups,
            one.first.samples,
            f"{one.first.comparison.limit:g}",
            f"{one.authors_maximum:.4f}",
            _range(one.maxima),
            f"{one.quantile:.4f}",
            f"{one.disagreement:.1%}",
            f"{one.family:.4f}",
            _share(one.published_error),
            one.explained,
        )
        for one in rows
    ]
    seeds, maxima = len(rows[0].seeds), len(rows[0].maxima)
    told = (
        f"{plural(seeds, 'seed')} from {chosen.seed} on, each of {plural(chosen.rounds, 'round')} of "
        f"{plural(chosen.repetitions, 'random model')}, that "
        f"is {maxima} maxima. The authors' maximum is one more of the same kind, so it lies outside of ours with a "
        f"probability of 2/{maxima + 1}: of {len(rows)}, {2 * len(rows) / (maxima + 1):.1f} are expected to. Limits of "
        "Table III are maxima rounded up, those of language a step higher. Table III fails any: share of random models "
        "that the limit fails in any group, its family-wise error at these sizes."
    )
    return f"{columns(cells, head=head)}\n\n{told}"


def _named(one: SimulatedLimit) -> tuple[str, str, str]:
    per = "" if one.comparison.per == "set" else f" per {one.comparison.per}"
    return one.test, one.task, f"{one.comparison.metric}{per}"


def _range(values: Sequence[float]) -> str:
    low, high = min(values), max(values)
    return f"{low:.4f}" if len(values) == 1 else f"{low:.4f}-{high:.4f}"


def _share(share: float) -> str:
    return f"{share:.2%}"


def _plain(one: SimulatedLimit) -> dict[str, Any]:
    return {
        "test": one.test,
        "task": one.task,
        "metric": one.comparison.metric,
        "per": one.comparison.per,
        "groups": one.groups,
        "samples": one.samples,
        "repetitions": one.simulating.repetitions,
        "rounds": one.simulating.rounds,
        "seed": one.simulating.seed,
        "published_limit": one.comparison.limit,
        "maxima": list(one.maxima),
        "quantile": one.simulating.quantile,
        "limit_one_group": one.value,
        "family_wise_error": one.error,
        "limit_all_groups": one.family,
        "family_wise_error_published": one.published_error,
        "detectable": one.detectable,
        "minimum_per_bin": one.minimum_of_bin or None,
    }


def _row_plain(row: TableRow) -> dict[str, Any]:
    return {
        "test": row.first.test,
        "task": row.first.task,
        "metric": row.first.comparison.metric,
        "per": row.first.comparison.per,
        "published_limit": row.first.comparison.limit,
        "authors_maximum": row.authors_maximum,
        "authors_maximum_lies": row.explained,
        "maxima": list(row.maxima),
        "limit_one_group": row.quantile,
        "seeds_differ_by": row.disagreement,
        "limit_all_groups": row.family,
        "family_wise_error": row.error,
        "family_wise_error_published": row.published_error,
        "seeds": [_plain(one) for one in row.seeds],
    }
