"""``affectcheck audit``: the main job. Data, model and suites in; a run folder and a report out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from affectcheck.cli.choices import (
    CONVENTIONS,
    ENGINES,
    MODES,
    By,
    Cache,
    Convention,
    Data,
    Engine,
    Fresh,
    MaxFaultShare,
    Mode,
    Model,
    Overwrite,
    PartitionChoice,
    Resamples,
    Seed,
    Strict,
    Subjects,
    Target,
    Tested,
    Workers,
    choice,
    names,
    names_or_none,
)
from affectcheck.cli.nothing_tested import nothing_tested
from affectcheck.cli.output import Json, emit, progress, say
from affectcheck.cli.stated import stated
from affectcheck.cli.suite_choices import (
    Baseline,
    DryRun,
    Gated,
    Margin,
    Only,
    Reruns,
    Sounds,
    Suites,
    Tests,
    baseline_verdicts,
    suites_named,
)

if TYPE_CHECKING:
    from affectcheck.audits import AuditOptions

Output = Annotated[Path | None, typer.Option("--output", "-o", help="Run folder; default: a new one in runs/.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command()
    def audit(
        context: typer.Context,
        data: Data,
        model: Model = "baseline",
        by: By = None,
        target: Target = None,
        suite: Suites = None,
        output: Output = None,
        partition: PartitionChoice = "make",
        tested: Tested = "test",
        subjects: Subjects = "column",
        cv: Annotated[
            str, typer.Option("--cv", help="subject: also predict everybody by models never trained on them.")
        ] = "",
        seeds: Annotated[
            str, typer.Option("--seeds", help="Further partition seeds, such as 0-9, scored by the headline.")
        ] = "",
        tests: Tests = "",
        only: Only = "",
        sounds: Sounds = None,
        reruns: Reruns = 1,
        mode: Mode = "corrected",
        convention: Convention = "paper",
        seed: Seed = 0,
        resamples: Resamples = 1000,
        shuffle_labels: Annotated[
            bool, typer.Option("--shuffle-labels", help="Control: train on permuted labels.")
        ] = False,
        workers: Workers = 0,
        engine: Engine = "local",
        cache: Cache = None,
        fresh: Fresh = False,
        strict: Strict = False,
        max_fault_share: MaxFaultShare = 0.05,
        overwrite: Overwrite = False,
        baseline: Baseline = None,
        margin: Margin = 0.0,
        dry_run: DryRun = False,
        json: Json = False,
    ) -> None:
        """Audit a model: partition, predict, score overall and per group, test behaviour, report.

        Exits with 1 if a verdict failed.
        """
        from affectcheck.audits import AuditOptions  # noqa: PLC0415

        options = AuditOptions(
            data=data,
            model=model,
            by=names_or_none(by) if by and by.strip() else None,
            target=target,
            suites=suites_named(suite),
            tests=names(tests),
            only=names(only),
            sounds=tuple(sounds or ()),
            reruns=reruns,
            mode=choice("mode", mode, MODES),
            partition=partition,
            tested=tested,
            subjects=subjects,
            cross_validation=cv,
            repeats=seed_list(seeds),
            shuffle_labels=shuffle_labels,
            convention=choice("convention", convention, CONVENTIONS),
            seed=seed,
            resamples=resamples,
            workers=workers,
            engine=choice("engine", engine, ENGINES),
            cache=cache,
            fresh=fresh,
            strict=strict,
            max_fault_share=max_fault_share,
        )
        if dry_run:
            show_costs(options, json=json)
            return
        failed = run_audit(
            options, output, passed=stated(context), overwrite=overwrite, json=json, gate=(baseline, margin)
        )
        if failed:
            raise typer.Exit(1)


def show_costs(*several: AuditOptions, json: bool = False) -> None:
    """Print what audits would run, and what they cost; nothing is written. Several are a list in JSON."""
    from affectcheck.audits import estimate  # noqa: PLC0415

    costs = [estimate(one, progress=progress) for one in several]
    if len(costs) == 1:
        emit(costs[0].plain(), str(costs[0]), as_json=json)
        return
    text = "\n\n".join(f"{one.data}\n{cost}" for one, cost in zip(several, costs, strict=True))
    emit([{"data": o.data} | c.plain() for o, c in zip(several, costs, strict=True)], text, as_json=json)


def run_audit(
    options: AuditOptions,
    output: Path | None,
    *,
    passed: dict[str, Any],
    overwrite: bool = False,
    json: bool = False,
    gate: tuple[Path | None, float] = (None, 0.0),
) -> bool:
    """Audit, write the folder, print the summary and, alone on the last line, the report's path.

    Returns:
        Whether a verdict failed; beside an earlier run, whether one is broken that passed there.
    """
    from affectcheck.audits import audit as run  # noqa: PLC0415
    from affectcheck.audits import faults_text, require_free, run_name, save_audit  # noqa: PLC0415
    from affectcheck.digest import digest_mapping  # noqa: PLC0415
    from affectcheck.records import encode_run  # noqa: PLC0415
    from affectcheck.reports import summary_lines  # noqa: PLC0415

    baseline, margin = gate
    before = baseline_verdicts(baseline, options.mode, margin)
    folder = output or Path("runs") / run_name("audit", options.model, digest_mapping(options.plain()))
    require_free(folder, overwrite=overwrite, reads=(options.data, options.model, options.partition))
    done = run(options, progress=progress, passed=passed)
    report = save_audit(done, folder, overwrite=overwrite, progress=progress)
    if done.record.faults:
        say(faults_text(done.record.faults))
    if said := nothing_tested(done.record.verdicts):
        say(said)
    summary = {"folder": str(folder), "report": str(report), "failed": done.failed}
    gated = Gated(done.record, baseline, before, margin) if baseline else None
    summary |= {"gate": gated.values} if gated else {}
    told = ("", gated.text) if gated else ()
    text = "\n".join((*summary_lines(done.record), *told, "", str(report)))
    emit(summary | {"record": encode_run(done.record)} if json else summary, text, as_json=json)
    return not gated.passed if gated else done.failed


#: A range above it is a mistyped one; even the fastest training takes a second.
MOST_SEEDS: Final = 10_000


def seed_list(text: str) -> tuple[int, ...]:
    """Seeds from ``0-9``, ``1,5,7`` or both.

    Raises:
        InputError: something else.
    """
    from affectcheck.errors import InputError  # noqa: PLC0415

    found: list[int] = []
    for word in names(text):
        first, dash, last = word.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise InputError(
                f"not a list of seeds: {text!r}", expected="whole numbers and ranges, such as 0-9 or 1,5,7"
            )
        low, high = int(first), int(last) if dash else int(first)
        if not low <= high < low + MOST_SEEDS:
            raise InputError(
                f"{word!r} is no range of seeds",
                expected=f"the lower seed first, and at most {MOST_SEEDS} of them: each is a partition and a training",
            )
        found += range(low, high + 1)
    return tuple(dict.fromkeys(found))
