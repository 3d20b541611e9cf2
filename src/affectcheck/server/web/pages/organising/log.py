"""The audit log and the export of everything."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa
from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from affectcheck.server.contests.tracks import contest_of
from affectcheck.server.storage.audit import verify
from affectcheck.server.storage.tables import account, audit
from affectcheck.server.web.pages.routing import shown

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.routing import Route

    from affectcheck.server.web.visits import Visit

_ROWS: Final = 100


def routes() -> list[Route]:
    """Routes of this module."""
    return [shown("/organise/log", log_page), shown("/organise/tracks/{track}/export", export)]


def log_page(visit: Visit) -> Response:
    """The newest rows, or those before a number; on demand the whole chain is verified."""
    visit.needs("organise")
    asked = visit.request.query_params
    before, action = asked.get("before", ""), asked.get("action", "")[:64]
    query = sa.select(audit, account.c.name.label("who")).join(account, account.c.id == audit.c.actor, isouter=True)
    if before.isdigit() and len(before) < 12:
        query = query.where(audit.c.number < int(before))
    if action:
        query = query.where(audit.c.action == action)
    with visit.portal.database.read() as connection:
        rows = connection.execute(query.order_by(audit.c.number.desc()).limit(_ROWS)).mappings().all()
        actions = list(connection.scalars(sa.select(audit.c.action).distinct().order_by(audit.c.action)))
        faults = verify(connection) if asked.get("verify") else None
    return visit.page(
        "organising/log.html.j2",
        rows=[_row(row) for row in rows],
        more=rows[-1]["number"] if len(rows) == _ROWS else None,
        actions=actions,
        action=action,
        faults=faults,
    )


def export(visit: Visit) -> Response:
    """Everything of a track as one zip; it is written on the portal's disk, and gone when it was sent."""
    actor, slug = visit.needs("organise"), visit.request.path_params["track"]
    from affectcheck.server.boards.export import export_all  # type: ignore[attr-defined,unused-ignore]  # noqa: PLC0415

    with visit.portal.database.read() as connection:
        contest = contest_of(connection, slug, actor)
    folder = tempfile.TemporaryDirectory(dir=visit.portal.settings.data, prefix="export-")
    target = Path(folder.name) / f"{contest.slug}.zip"
    try:
        export_all(visit.portal, actor, slug, target)
    except BaseException:
        folder.cleanup()
        raise
    return FileResponse(
        target,
        media_type="application/zip",
        filename=target.name,
        headers={"cache-control": "no-store"},
        background=BackgroundTask(folder.cleanup),
    )


def _row(row: sa.RowMapping) -> dict[str, Any]:
    return {
        "number": row["number"],
        "at": row["at"],
        "who": row["who"] or row["actor"],
        "action": row["action"],
        "subject": row["subject"],
        "detail": json.dumps(row["detail"], ensure_ascii=False, sort_keys=True),
        "hash": row["hash"][:12],
    }
