"""``affectcheck db``: the tables of a portal, its backups, and whether it holds together."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affectcheck.cli.output import Json, emit, say
from affectcheck.cli.portal_options import require_server
from affectcheck.errors import EXIT_DONE, EXIT_VERDICT_FAILED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.server.settings import Settings
    from affectcheck.server.storage.backup import Place
    from affectcheck.server.storage.blobs import Blobs
    from affectcheck.server.storage.engine import Database

Data = Annotated[Path, typer.Option("--data", help="Folder of the portal; its database unless AFFECTCHECK_DATABASE.")]
Labels = Annotated[
    Path | None, typer.Option("--labels", help="Folder of hidden labels; default: labels within --data.")
]
_HERE = Path("portal")

commands = typer.Typer(no_args_is_help=True, help="Tables, backups and checks of a portal's data.")


def register(app: typer.Typer) -> None:
    """Add the verb."""
    commands.callback()(require_server)
    app.add_typer(commands, name="db")


@commands.command()
def upgrade(data: Data = _HERE, labels: Labels = None, json: Json = False) -> None:
    """Bring the tables to this version; `serve` does it by itself."""
    from affectcheck.server.opening import open_portal  # noqa: PLC0415
    from affectcheck.server.storage.upgrade import revision  # noqa: PLC0415

    portal = open_portal(_settings(data, labels))
    found = revision(portal.database)
    portal.close()
    emit({"revision": found}, f"tables of revision {found}", as_json=json)


@commands.command()
def backup(
    target: Annotated[Path, typer.Argument(help="A new folder; it will hold hidden labels and the secret.")],
    data: Data = _HERE,
    labels: Labels = None,
    dump: Annotated[
        Path | None, typer.Option("--dump", help="With PostgreSQL: the rows, as pg_dump wrote them.")
    ] = None,
    json: Json = False,
) -> None:
    """Back up rows and files, while the portal runs."""
    from affectcheck.server.storage.backup import backup as make  # noqa: PLC0415

    settings = _there(data, labels)
    made = make(_place(settings), target, now=datetime.now(UTC), dump=dump)
    count = sum(len(digests) for digests in made.files.values())
    emit(
        {
            "target": str(target),
            "rows": made.rows,
            "files": count,
            "revision": made.revision,
            "chain": dict(made.chain),
        },
        f"{target}: {made.rows} and {count} files",
        as_json=json,
    )
    say("it holds hidden labels and the secret: keep it where nobody else reads it")


@commands.command()
def restore(
    source: Annotated[Path, typer.Argument(help="A backup.")],
    data: Data = _HERE,
    labels: Labels = None,
    json: Json = False,
) -> None:
    """Bring a backup back to a place without a portal, checking its audit log and every file."""
    from affectcheck.server.opening import open_portal  # noqa: PLC0415
    from affectcheck.server.storage.restoring import restore as bring  # noqa: PLC0415

    settings = _settings(data, labels)
    found = bring(source, _place(settings))
    open_portal(settings).close()
    count = sum(len(digests) for digests in found.files.values())
    emit(
        {"data": str(data), "files": count, "made": found.made},
        f"{data}: as of {found.made}, {count} files",
        as_json=json,
    )


@commands.command()
def verify(data: Data = _HERE, labels: Labels = None, json: Json = False) -> int:
    """Check the audit log, every file, slots, scores and work that waits; exit 1 where something is broken."""
    from affectcheck.server.storage.verifying import verify as look  # noqa: PLC0415

    settings = _there(data, labels)
    database = _open(settings)
    faults = look(database, _stores(settings))
    database.close()
    emit({"faults": faults}, "\n".join(faults) if faults else "nothing is broken", as_json=json)
    return EXIT_VERDICT_FAILED if faults else EXIT_DONE


@commands.command()
def sweep(
    data: Data = _HERE,
    labels: Labels = None,
    hours: Annotated[float, typer.Option("--hours", min=0, help="Files younger than that stay.")] = 24,
    json: Json = False,
) -> None:
    """Remove what uploads that were broken off left behind: files that no row refers to."""
    from affectcheck.server.storage.references import sweep as clean  # noqa: PLC0415

    settings = _there(data, labels)
    database = _open(settings)
    gone = clean(database, _stores(settings), young_s=hours * 3600)
    database.close()
    text = f"{gone.unfinished} unfinished files and {gone.orphans} that nothing refers to were removed"
    emit(gone._asdict(), text, as_json=json)


@commands.command()
def archive(
    track: Annotated[str, typer.Argument(help="Short name of a track that is over.")],
    folder: Annotated[Path, typer.Argument(help="A new folder for the site.")],
    data: Data = _HERE,
    labels: Labels = None,
    json: Json = False,
) -> None:
    """Write a track that is over as a static site: board, rules, declarations and files, as everyone sees them."""
    from affectcheck.server.opening import open_portal  # noqa: PLC0415
    from affectcheck.server.web.archive import write_archive  # noqa: PLC0415

    portal = open_portal(_there(data, labels), upgrade=False)
    try:
        files = write_archive(portal, track, folder)
    finally:
        portal.close()
    emit({"folder": str(folder), "files": list(files)}, f"{folder}: {len(files)} files", as_json=json)


def _settings(data: Path, labels: Path | None) -> Settings:
    from affectcheck.server.settings import Settings, with_environment  # noqa: PLC0415

    return with_environment(Settings(data, labels or Path()))


def _there(data: Path, labels: Path | None) -> Settings:
    """Settings of a portal that is there; nothing is made here by a folder that is mistyped."""
    from affectcheck.errors import InputError  # noqa: PLC0415
    from affectcheck.server.storage.engine import Database  # noqa: PLC0415

    settings = _settings(data, labels)
    url = Database(settings.database).url
    missing = not settings.data.is_dir() or (
        url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file()
    )
    if missing:
        raise InputError(
            f"no portal in {settings.data}", expected="the folder that `affectcheck serve --data` was given"
        )
    return settings


def _open(settings: Settings) -> Database:
    """The database of a portal, whose tables must be those of this version."""
    from affectcheck.server.opening import open_portal  # noqa: PLC0415

    return open_portal(settings, upgrade=False).database


def _stores(settings: Settings) -> Mapping[str, Blobs]:
    from affectcheck.server.storage.blobs import Blobs  # noqa: PLC0415
    from affectcheck.server.storage.references import UPLOADS, VAULT  # noqa: PLC0415

    return {UPLOADS: Blobs(settings.data / UPLOADS), VAULT: Blobs(settings.labels)}


def _place(settings: Settings) -> Place:
    from affectcheck.server.opening import SECRET_FILE  # noqa: PLC0415
    from affectcheck.server.storage.backup import Place  # noqa: PLC0415

    return Place(settings.database, _stores(settings), settings.data / SECRET_FILE)
