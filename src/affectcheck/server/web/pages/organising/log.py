"""The audit log and the export of everything."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import sqlalchemy as sa
from starlette.responses import StreamingResponse

from affectcheck.server.boards.whole import export_all
from affectcheck.server.contests.tracks import contest_of
from affectcheck.server.storage.audit import verify
from affectcheck.server.storage.tables import account, audit
from affectcheck.server.web.pages.routing import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.responses import Response
    from starlette.routing import Route

    from affectcheck.server.web.visits import Visit

_ROWS: Final = 100
_BLOCK: Final = 1 << 20


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
    """Everything of a track as one zip; it has no name any more while it is sent, so that nothing of it stays."""
    actor, slug = visit.needs("organise"), visit.request.path_params["track"]
    with visit.portal.database.read() as connection:
        contest = contest_of(connection, slug, actor)
    with tempfile.TemporaryDirectory(dir=visit.portal.settings.data, prefix="export-") as folder:
        target = Path(folder) / "all.zip"
        export_all(visit.portal, actor, slug, target)
        size, file = target.stat().st_size, target.open("rb")
    headers = {
        "content-disposition": f'attachment; filename="{contest.slug}.zip"',
        "content-length": str(size),
        "cache-control": "no-store",
    }
    return StreamingResponse(_blocks(file), headers=headers, media_type="application/zip")


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while block := file.read(_BLOCK):
            yield block


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
