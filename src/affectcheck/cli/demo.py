"""``affectcheck demo``: an audit of the baseline on synthetic speech, with nothing but this package."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from affectcheck.cli.choices import Cache, Seed, Workers
from affectcheck.cli.output import Json, say


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command()
    def demo(
        output: Annotated[Path, typer.Option("--output", "-o", help="Run folder; an earlier demo is replaced.")] = Path(
            "runs/demo"
        ),
        seed: Seed = 0,
        workers: Workers = 0,
        cache: Cache = None,
        json: Json = False,
    ) -> None:
        """Synthesise speech, train the baseline, audit it and write a report. Exits 0 whatever the verdicts."""
        from affectcheck.audits import AuditOptions  # noqa: PLC0415
        from affectcheck.cli.audit import run_audit  # noqa: PLC0415

        say("synthetic speech, the baseline model, the behaviour suite; about three minutes on two cores")
        options = AuditOptions(
            data="synthetic-speech",
            by=("sex", "language"),
            cross_validation="subject",
            reruns=0,  # twice as many predictions, which a first look does not need
            seed=seed,
            workers=workers,
            cache=cache,
        )
        run_audit(options, output, passed={}, overwrite=True, json=json)
