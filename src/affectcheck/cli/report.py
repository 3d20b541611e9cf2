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
        run: Annotated[Path, typer.Argument(help="Run folder, or its run.json.")],
        output: Annotated[
            Path | None,
            typer.Option("--output", "-o", help="File to write: .html, .md or .json (default: beside the run)."),
        ] = None,
        json: Json = False,
    ) -> None:
        """Write the report of a finished run as HTML, Markdown or JSON."""
        from affectcheck.records import load_run, run_path  # noqa: PLC0415
        from affectcheck.reports import write_report  # noqa: PLC0415

        if output:
            _require_format(output)
        record = load_run(run)
        path, *_ = write_report(record, output or run_path(run).with_name("report.html"))
        emit({"report": str(path)}, str(path), as_json=json)


def _require_format(output: Path) -> None:
    """A name with a suffix is a file; the formats are known. A folder takes them all.

    Raises:
        UnknownNameError: a suffix of no format.
    """
    from affectcheck.errors import UnknownNameError  # noqa: PLC0415
    from affectcheck.reports import FORMATS  # noqa: PLC0415

    suffix = output.suffix.removeprefix(".")
    if suffix and suffix not in (*FORMATS, "xml") and not output.is_dir():
        raise UnknownNameError.of("report format", suffix, FORMATS, where=str(output))
