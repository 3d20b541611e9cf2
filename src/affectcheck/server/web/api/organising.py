"""What organisers do with submissions, and what has been done."""

import shutil
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import Query
from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from affectcheck.server.boards.whole import export_all
from affectcheck.server.contests.tracks import contest_of
from affectcheck.server.ledger import entries, organising
from affectcheck.server.storage import audit
from affectcheck.server.storage.tables import audit as audit_table
from affectcheck.server.web.api.files import GIVEN
from affectcheck.server.web.api.forms import Asked, Id, Line, Slug, Told
from affectcheck.server.web.api.receiving import BINARY
from affectcheck.server.web.api.routing import router
from affectcheck.server.web.api.submissions import State, SubmissionTold
from affectcheck.server.web.api.who import Organiser, ThePortal

ROUTES = router("organisers")
After = Annotated[int, Query(ge=0, le=2**31 - 1, description="Number of the last row that is known.")]
Most = Annotated[int, Query(ge=1, le=1000)]


class Disqualification(Asked):
    """Why a submission does not count, and whether the team gets its slot back."""

    reason: Line
    free_slot: bool = False


class AuditRow(Told):
    """Who did what, with the hash that chains the rows."""

    number: int
    at: datetime
    actor: str
    action: str
    subject: str
    detail: dict[str, Any]
    before_hash: str
    hash: str


class AuditState(Told):
    """Whether the chain is whole."""

    rows: int
    hash: str
    faults: list[str]


@ROUTES.get("/tracks/{track}/all-submissions")
def list_all_submissions(
    track: Slug, actor: Organiser, portal: ThePortal, state: State | None = None
) -> list[SubmissionTold]:
    """Submissions of all teams, the newest first."""
    with portal.database.read() as connection:
        board = contest_of(connection, track, actor)
        found = entries.all_submissions(connection, board, actor, state=state or "", now=portal.now())
    return [SubmissionTold.of(one) for one in found]


@ROUTES.post("/submissions/{submission}/disqualify", status_code=204)
def disqualify_submission(submission: Id, asked: Disqualification, actor: Organiser, portal: ThePortal) -> None:
    """Take a submission off the board, with a reason that its team is told."""
    organising.disqualify(portal, actor, submission, asked.reason, free_slot=asked.free_slot)


@ROUTES.post("/submissions/{submission}/reinstate", status_code=204)
def reinstate_submission(submission: Id, actor: Organiser, portal: ThePortal) -> None:
    """Undo a disqualification."""
    organising.reinstate(portal, actor, submission)


@ROUTES.post("/submissions/{submission}/accept-late", status_code=204)
def accept_late_submission(submission: Id, actor: Organiser, portal: ThePortal) -> None:
    """Take an upload that ended behind its phase."""
    organising.accept_late(portal, actor, submission)


@ROUTES.post("/submissions/{submission}/rerun", status_code=204)
def rerun_submission(submission: Id, actor: Organiser, portal: ThePortal) -> None:
    """Check one anew that failed by a fault of the portal."""
    organising.rerun(portal, actor, submission)


@ROUTES.get("/audit")
def list_audit(_actor: Organiser, portal: ThePortal, after: After = 0, most: Most = 200) -> list[AuditRow]:
    """Who did what, the oldest first."""
    asked = sa.select(audit_table).where(audit_table.c.number > after).order_by(audit_table.c.number).limit(most)
    with portal.database.read() as connection:
        return [AuditRow.model_validate(dict(row)) for row in connection.execute(asked).mappings()]


@ROUTES.get("/audit/state")
def verify_audit(_actor: Organiser, portal: ThePortal) -> AuditState:
    """Whether no row of the audit log was changed or left out."""
    with portal.database.read() as connection:
        last = audit.head(connection)
        return AuditState(rows=last.number, hash=last.hash, faults=audit.verify(connection))


@ROUTES.get("/tracks/{track}/export", responses=GIVEN, response_class=FileResponse)
def export_track(track: Slug, actor: Organiser, portal: ThePortal) -> FileResponse:
    """Everything of a track as one zip: submissions, scores, board, audit log; no label and no letter."""
    folder = Path(tempfile.mkdtemp(dir=portal.settings.data, prefix="export-"))
    try:
        export_all(portal, actor, track, folder / "export.zip")
    except BaseException:
        shutil.rmtree(folder)
        raise
    gone = BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
    return FileResponse(
        folder / "export.zip",
        background=gone,
        headers={"cache-control": "no-store"},
        filename=f"{track}-export.zip",
        media_type=BINARY,
    )
