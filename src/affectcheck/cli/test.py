"""``affectcheck test``: behaviour tests alone, on a model that was trained elsewhere or is trained here."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from affectcheck.cli.audit import show_costs
from affectcheck.cli.choices import (
    ENGINES,
    MODES,
    Cache,
    Corpora,
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
)
from affectcheck.cli.nothing_tested import nothing_tested
from affectcheck.cli.output import Json, emit, progress, say
from affectcheck.cli.stated import stated
from affectcheck.cli.suite_choices import (
    Baseline,
    Columns,
    DryRun,
    Gated,
    Margin,
    Only,
    Reruns,
    Sounds,
    Suites,
    Tests,
    baseline_verdicts,
    chosen_suites,
    group_columns,
)
from affectcheck.cli.verdict_lines import verdict_text


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command()
    def test(
        context: typer.Context,
        data: Corpora,
        model: Model,
        by: Columns = "",
        suite: Suites = None,
        target: Target = None,
        output: Annotated[
            Path | None, typer.Option("--output", "-o", help="Run folder to write; default: none.")
        ] = None,
        partition: PartitionChoice = "make",
        tested: Tested = "test",
        subjects: Subjects = "column",
        tests: Tests = "",
        only: Only = "",
        sounds: Sounds = None,
        reruns: Reruns = 1,
        mode: Mode = "corrected",
        seed: Seed = 0,
        resamples: Resamples = 1000,
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
        """Run behaviour tests of a model and print every comparison. Exits with 1 if one failed."""
        from dataclasses import replace  # noqa: PLC0415

        from affectcheck.audits import (  # noqa: PLC0415
            AuditOptions,
            faults_text,
            joined,
            require_free,
            save_corpora,
            try_corpora,
        )  # fmt: skip
        from affectcheck.records import encode_run  # noqa: PLC0415

        options = AuditOptions(
            data=data[0], model=model, by=group_columns(by), tests_columns=True, target=target,
            suites=chosen_suites(suite, by),
            partition=partition, tested=tested, subjects=subjects, tests=names(tests), only=names(only), sounds=tuple(sounds or ()),
            reruns=reruns, engine=choice("engine", engine, ENGINES),
            mode=choice("mode", mode, MODES), seed=seed, resamples=resamples,
            workers=workers, cache=cache, fresh=fresh, strict=strict, max_fault_share=max_fault_share,
        )  # fmt: skip
        several = [replace(options, data=one) for one in data]
        if dry_run:
            show_costs(*several, json=json)
            return
        if output:
            require_free(output, overwrite=overwrite, reads=(*data, model, partition))
        before = baseline_verdicts(baseline, options.mode, margin)
        runs = try_corpora(several, progress=progress, passed=stated(context))
        record = joined(runs)
        if record.faults:
            say(faults_text(record.faults, listed="all listed in the report of -o and by --json"))
        if said := nothing_tested(record.verdicts):
            say(said)
        text = verdict_text(record.verdicts, record.header.counts["verdicts"])
        if output:
            text += f"\n\n{save_corpora(runs, output, overwrite=overwrite, progress=progress)}"
        gated = Gated(record, baseline, before, margin) if baseline else None
        values = encode_run(record)
        if gated is not None:
            values, text = values | {"gate": gated.values}, f"{text}\n\n{gated.text}"
        emit(values, text, as_json=json)
        if not gated.passed if gated is not None else any(run.failed for run in runs):
            raise typer.Exit(1)
