"""``affectcheck runs``: the runs below a folder, read by their headers alone."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affectcheck.cli.output import Json, columns, emit

if TYPE_CHECKING:
    from affectcheck.records import StoredRun


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command()
    def runs(
        folder: Annotated[Path, typer.Argument(help="Folder that is searched for runs.")] = Path("runs"),
        json: Json = False,
    ) -> None:
        """List runs with their verb, model, data and verdicts."""
        from affectcheck.records import find_runs  # noqa: PLC0415

        found = list(find_runs(folder))
        emit([_plain(run) for run in found], _text(found), as_json=json)


def _plain(run: StoredRun) -> dict[str, Any]:
    return {"folder": str(run.folder), "header": asdict(run.header) if run.header else None, "fault": run.fault}


def _text(found: list[StoredRun]) -> str:
    rows = []
    for run in found:
        if run.header is None:
            rows.append((run.folder, "unreadable", "", "", run.fault.splitlines()[0]))
            continue
        header = run.header
        verdicts = header.counts.get("verdicts", {})
        shown = ", ".join(f"{n} {status}" for status, n in verdicts.items() if n)
        data = ", ".join(str(entry.get("name", "?")) for entry in header.data)
        unfinished = "" if header.status == "done" else f"{header.status}: {header.message}"
        rows.append((run.folder, header.command, header.model.get("name", ""), data, shown or unfinished or "none"))
    return columns(rows, head=("folder", "verb", "model", "data", "verdicts"))
