"""Options of the verbs that run behaviour tests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affectcheck.cli.choices import names, names_or_none

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.records import RunRecord, Verdict

Suites = Annotated[
    str | None,
    typer.Option(
        "--suite",
        "-s",
        help="Suites or tests, separated by commas; 'none' for none (see `suites list`). Without it, 'ser' for a model "
        "of sound and 'faces' for one of pictures.",
    ),
]
Tests = Annotated[
    str,
    typer.Option("--tests", help="Of the suites, the tests of these names or patterns, such as 'robustness-noise-*'."),
]
Only = Annotated[str, typer.Option("--only", help="Of the tests, the comparisons of these metrics, such as uar.")]
Sounds = Annotated[
    list[str] | None,
    typer.Option(
        "--sounds",
        help="Noises, voices or rooms that perturbations mix in: musan:FOLDER, cough-speech-sneeze:FOLDER, air:FOLDER, "
        "mardy:FOLDER, ROLE=FOLDER or a .toml file; may be given several times.",
    ),
]
Columns = Annotated[
    str,
    typer.Option(
        "--by",
        help="Group columns by commas, intersections such as sex*age among them: a fairness test of each, beside those that "
        "the suites have.",
    ),
]
Reruns = Annotated[
    int,
    typer.Option("--reruns", min=0, max=100, help="Further draws of random perturbations, shown beside each verdict."),
]
Baseline = Annotated[
    Path | None,
    typer.Option(
        "--baseline", help="Run folder of before: list what is fixed, broken and unchanged; exit 1 if broken."
    ),
]
Margin = Annotated[
    float, typer.Option("--margin", min=0, help="With --baseline: how far beyond its limit a value must be to count.")
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say which tests would be run, which not and why, and what it costs.")
]


def group_columns(text: str) -> tuple[str, ...]:
    """Columns whose groups are compared by tests, or intersections of columns.

    Raises:
        InputError: an intersection that lacks a column, or names one twice.
    """
    from affectcheck.errors import InputError  # noqa: PLC0415

    found = names(text)
    for name in found:
        columns = [word.strip() for word in name.split("*")]
        if not all(columns) or len(set(columns)) < len(columns):
            raise InputError(f"no intersection: {name!r}", expected="columns with a star between, such as race*age")
    return found


def suites_named(suites: str | None) -> tuple[str, ...] | None:
    """Suites and tests by commas, none for ``none``; None where the model's media choose."""
    return None if suites is None or not suites.strip() else names_or_none(suites)


def chosen_suites(suites: str | None, by: str) -> tuple[str, ...] | None:
    """Suites and tests of ``test``, which does nothing else.

    Args:
        suites: names, ``none``, or None for those of the model's media.
        by: columns that get a test of their own.

    Raises:
        InputError: there is no suite, no test and no column.
    """
    from affectcheck.errors import InputError  # noqa: PLC0415

    found = suites_named(suites)
    if found == () and not group_columns(by):
        raise InputError("no tests are chosen", expected="--suite with a suite or test, or --by with a column")
    return found


class Gated:
    """The verdicts of a run beside those of an earlier one.

    Args:
        record: the run.
        baseline: folder of the earlier run.
        before: its verdicts.
        margin: how far beyond its limit a value must be to count.
    """

    def __init__(self, record: RunRecord, baseline: Path, before: Sequence[Verdict], margin: float) -> None:
        from affectcheck.behaviour.gate import Margins, compare_verdicts, gate_text, gate_values  # noqa: PLC0415

        gate = compare_verdicts(before, record.verdicts, Margins(margin))
        self.passed: bool = gate.passed
        self.text: str = f"beside {baseline}:\n{gate_text(gate)}"
        self.values: dict[str, Any] = gate_values(gate)


def baseline_verdicts(baseline: Path | None, mode: str, margin: float = 0.0) -> tuple[Verdict, ...]:
    """The verdicts of the earlier run, read before any work is done, as the new run may take its place.

    Args:
        baseline: its folder; None where nothing is compared.
        mode: of the run that is to be compared with it.
        margin: how far beyond its limit a value must be to count.

    Returns:
        The verdicts; none where there is no baseline.

    Raises:
        MissingPathError: the folder holds no run.
        InputError: the run holds no verdicts, or was judged by other rules; or the margin is none, or serves nothing.
    """
    from affectcheck.behaviour.gate import Margins  # noqa: PLC0415
    from affectcheck.errors import InputError  # noqa: PLC0415
    from affectcheck.records import load_run  # noqa: PLC0415

    Margins(margin)
    if baseline is None:
        if margin:
            raise InputError("--margin without --baseline", expected="the run of before that it is about")
        return ()
    verdicts = load_run(baseline).verdicts
    modes = {verdict.mode for verdict in verdicts}
    if not modes:
        raise InputError(
            "the baseline holds no verdicts", where=str(baseline), expected="a run of `affectcheck test` or `audit`"
        )
    if modes != {mode}:
        told = " and ".join(sorted(modes))
        raise InputError(
            f"the baseline was judged in mode {told}",
            where=str(baseline),
            expected=f"--mode {told}, or another baseline",
        )
    return verdicts
