"""``affectcheck demo``: audits of small models on made speech or drawn faces, with nothing but this package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from affectcheck.cli.choices import Cache, Seed, Workers
from affectcheck.cli.output import Json, say

if TYPE_CHECKING:
    from affectcheck.audits import AuditOptions

_FOLDER: Final = Path("runs/demo")
#: What is planted in the second run of faces, and in words.
BIAS: Final = "faint:tone:dark:0.8"
_PLANTED: Final = "expressions of faces with dark skin are drawn weaker by 0.8"
_FAIRNESS: Final = ("face-fairness-tone*", "face-fairness-gender", "face-fairness-age")
#: Everybody is drawn in every expression as often, so that people cannot be ranked by how often they are in one.
_CORRECTNESS: Final = (
    "face-correctness-classification",
    "face-correctness-consistency",
    "face-correctness-distribution",
)
_PERTURBED: Final = ("brightness", "gaussian-noise", "low-resolution", "mask")
#: Runs of the demo of faces: folder, what is planted, and tests.
_RUNS: Final = {
    "without-bias": ("", (*_FAIRNESS, *_CORRECTNESS, *(f"face-robustness-{name}" for name in _PERTURBED))),
    "with-bias": (BIAS, _FAIRNESS),
}

_REPLACED: Final = "Run folder; an earlier demo is replaced. Default: runs/demo or runs/demo-faces."
Output = Annotated[Path | None, typer.Option("--output", "-o", help=_REPLACED)]
Faces = Annotated[
    bool, typer.Option("--faces", help="Drawn faces instead: once as they are, once with a planted bias.")
]


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command()
    def demo(
        output: Output = None,
        faces: Faces = False,
        seed: Seed = 0,
        workers: Workers = 0,
        cache: Cache = None,
        json: Json = False,
    ) -> None:
        """Make speech, or draw faces, train a small model, audit it and write a report.

        Exits 0 whatever the verdicts.
        """
        from affectcheck.audits import AuditOptions  # noqa: PLC0415

        if faces:
            options = AuditOptions(data="drawn-faces", model="face-baseline", seed=seed, workers=workers, cache=cache)
            _of_faces(options, output or _FOLDER.with_name("demo-faces"), json=json)
            return
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
        run_audit(options, output or _FOLDER, passed={}, overwrite=True, json=json)


def _of_faces(options: AuditOptions, folder: Path, *, json: bool) -> None:
    """Audit the face baseline on drawn faces twice, and say which groups were found to differ in each run."""
    from dataclasses import replace  # noqa: PLC0415

    from affectcheck.annotations.listing import plural  # noqa: PLC0415
    from affectcheck.audits import audit, save_audit  # noqa: PLC0415
    from affectcheck.cli.output import emit, progress  # noqa: PLC0415

    say("drawn faces, a small model of faces, tests of its behaviour; about three minutes on two cores")
    told: dict[str, dict[str, object]] = {}
    lines = []
    for name, (bias, tests) in _RUNS.items():
        say(f"{name}: {_PLANTED if bias else 'faces as they are drawn'}")
        data = f"{options.data}?bias={bias}" if bias else options.data
        planned = replace(options, data=data, by=("tone", "gender", "age"), suites=("faces",), tests=tests, reruns=0)
        done = audit(planned, passed={"faces": True}, progress=progress)
        report = save_audit(done, folder / name, overwrite=True, progress=progress)
        unfair = [one for one in done.record.verdicts if one.family == "fairness" and one.status == "failed"]
        groups = sorted({f"{one.place.attribute} = {one.place.group}" for one in unfair if one.place.group})
        told[name] = {"bias": bias, "fairness_failed": len(unfair), "groups": groups, "report": str(report)}
        found = (
            f"{plural(len(unfair), 'comparison')} of groups failed"
            if unfair
            else "no unfairness detected at this support"
        )
        lines += [f"{name}: {found}{': ' if groups else ''}{', '.join(groups)}", f"  {report}"]
    emit(told, "\n".join(lines), as_json=json)
