"""``affectcheck report``: write a run's report again, from its record alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from affectcheck.cli.output import Json, emit


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command()
    def report(
        runs: Annotated[list[Path], typer.Argument(help="Run folder, or its run.json; several for one .tex table.")],
        output: Annotated[
            Path | None,
            typer.Option(
                "--output", "-o", help="File to write: .html, .md, .json, .xml (JUnit) or .tex (default: report.html)."
            ),
        ] = None,
        json: Json = False,
    ) -> None:
        """Write the report of a finished run as HTML, Markdown, JSON or JUnit, or the scores of several as LaTeX."""
        from affectcheck.records import load_run, run_path  # noqa: PLC0415
        from affectcheck.reports import write_report  # noqa: PLC0415

        if output:
            _require_format(output)
        if len(runs) > 1:
            path = _table(runs, output)
        else:
            record, folder = load_run(runs[0]), run_path(runs[0]).parent
            path, *_ = write_report(record, output or folder / "report.html", run=folder)
        emit({"report": str(path)}, str(path), as_json=json)


def _table(runs: list[Path], output: Path | None) -> Path:
    """One LaTeX table of several runs.

    Raises:
        InputError: another format, which holds one run.
    """
    from affectcheck.errors import InputError  # noqa: PLC0415
    from affectcheck.records import load_run  # noqa: PLC0415
    from affectcheck.reports import write_table_of_runs  # noqa: PLC0415

    if output is None or output.suffix != ".tex":
        raise InputError(
            f"{len(runs)} runs for one report" + (f" {output}" if output else ""),
            expected="one run, or --output TABLE.tex for a table of several",
            cause="`affectcheck compare` tests the difference of several runs",
        )
    return write_table_of_runs([load_run(run) for run in runs], output)


def _require_format(output: Path) -> None:
    """A name with a suffix is a file; the formats are known. A folder takes them all.

    Raises:
        UnknownNameError: a suffix of no format.
    """
    from affectcheck.errors import UnknownNameError  # noqa: PLC0415
    from affectcheck.reports import FORMATS  # noqa: PLC0415

    suffix = output.suffix.removeprefix(".")
    known = (*FORMATS, "xml", "tex")
    if suffix and suffix not in known and not output.is_dir():
        raise UnknownNameError.of("report format", suffix, known, where=str(output))
