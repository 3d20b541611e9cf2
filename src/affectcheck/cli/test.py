"""``affectcheck test``: behaviour tests alone, on a model that was trained elsewhere or is trained here."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from affectcheck.cli.audit import MaxFaultShare, Mode, PartitionChoice, Subjects, choice, stated
from affectcheck.cli.choices import (
    Cache,
    Data,
    Fresh,
    Model,
    Overwrite,
    Resamples,
    Seed,
    Strict,
    Target,
    Workers,
    names,
)
from affectcheck.cli.output import Json, columns, emit, progress, say


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command()
    def test(
        context: typer.Context,
        data: Data,
        model: Model,
        suite: Annotated[
            str, typer.Option("--suite", "-s", help="Suites or tests, separated by commas (see `suites list`).")
        ] = "correctness,fairness,robustness",
        target: Target = None,
        output: Annotated[
            Path | None, typer.Option("--output", "-o", help="Run folder to write; default: none.")
        ] = None,
        partition: PartitionChoice = "make",
        tested: Annotated[str, typer.Option("--tested", help="The set that is tested.")] = "test",
        subjects: Subjects = "column",
        mode: Mode = "corrected",
        seed: Seed = 0,
        resamples: Resamples = 1000,
        workers: Workers = 0,
        cache: Cache = None,
        fresh: Fresh = False,
        strict: Strict = False,
        max_fault_share: MaxFaultShare = 0.05,
        overwrite: Overwrite = False,
        json: Json = False,
    ) -> None:
        """Run behaviour tests of a model and print every comparison. Exits with 1 if one failed."""
        from affectcheck.audits import AuditOptions, audit, faults_text, require_free, save_audit  # noqa: PLC0415
        from affectcheck.records import encode_run  # noqa: PLC0415

        options = AuditOptions(
            data=data, model=model, target=target, suites=names(suite), partition=partition, tested=tested,
            subjects=subjects, mode=choice("mode", mode, ("corrected", "published")), seed=seed, resamples=resamples,
            workers=workers, cache=cache, fresh=fresh, strict=strict, max_fault_share=max_fault_share,
        )  # fmt: skip
        if output:
            require_free(output, overwrite=overwrite, reads=(data, model, partition))
        done = audit(options, progress=progress, command="test", passed=stated(context), scored=False)
        if done.record.faults:
            say(faults_text(done.record.faults))
        text = verdict_text(done.record.verdicts, done.record.header.counts["verdicts"])
        if output:
            text += f"\n\n{save_audit(done, output, overwrite=overwrite)}"
        emit(encode_run(done.record), text, as_json=json)
        if done.failed:
            raise typer.Exit(1)


def verdict_text(verdicts: tuple, counts: dict[str, int]) -> str:  # type: ignore[type-arg]  # of Verdict; typer reads types
    """One line a comparison, then the counts."""
    rows = []
    for v in verdicts:
        place = " ".join(filter(None, (v.place.attribute, v.place.group, v.place.part)))
        value = "" if v.value is None else f"{v.value:.3f}"
        random = "" if v.baseline is None else f"{v.baseline:.3f}"
        rows.append((v.status, v.test, v.metric, place, value, v.threshold or "", random, v.support, v.reason))
    head = ("verdict", "test", "metric", "of", "value", "passes if", "random", "n", "reason")
    return f"{columns(rows, head=head)}\n\n" + ", ".join(f"{n} {status}" for status, n in counts.items())
