"""Submissions: sent, followed, chosen, withdrawn."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any, Final, Literal, Self

from fastapi import Header, Query
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from affectcheck.challenges.declaration import DeclarationError
from affectcheck.server.accounts.teams import team_of
from affectcheck.server.contests.tracks import contest_of
from affectcheck.server.faults import NotThereError
from affectcheck.server.ledger import choosing, entries, intake
from affectcheck.server.web.api.files import GIVEN, file_of
from affectcheck.server.web.api.forms import Asked, Id, Line, Slug, Told
from affectcheck.server.web.api.receiving import FILE, FileName, read_file
from affectcheck.server.web.api.routing import router
from affectcheck.server.web.api.who import Reader, Submitter, ThePortal

ROUTES = router("submissions", 408, 507)
DECLARATION: Final = "Affectcheck-Declaration"
Declared = Annotated[
    str,
    Header(
        alias=DECLARATION,
        max_length=30_000,
        description="A JSON object with the fields method, link, pretraining, uni_task, other_data, affiliation, text.",
    ),
]
Digest = Annotated[
    str,
    Query(
        pattern=r"^([0-9a-f]{64})?$",
        description="SHA-256 of the file: bytes that arrived before are told at once, and other bytes are refused.",
    ),
]
State = Literal[
    "received", "checking", "invalid", "queued", "scoring", "scored", "failed", "withdrawn", "disqualified", "late"
]


class Receipt(Told):
    """What the portal signs: that these bytes have arrived, and when. ``already``: they had before."""

    id: str
    digest: str
    size: int
    received: datetime
    state: State
    slot: int | None
    signature: str
    already: bool


class Progress(Told):
    """How far the check or the scorer is; ``position`` 1 is next, 0 runs."""

    position: int | None
    done: int
    total: int
    attempt: int


class Score(Told):
    """A score as one may see it; ``result`` holds its parts, where they may be seen."""

    text: str
    value: float | None
    reason: str
    result: dict[str, Any] | None


class SubmissionTold(Told):
    """A submission."""

    id: str
    track_title: str
    team: str
    team_name: str
    author_name: str
    phase: str
    state: State
    slot: int | None
    file_name: str
    digest: str
    size: int
    declaration: dict[str, Any]
    fault: dict[str, Any] | None
    facts: dict[str, Any]
    chosen: bool
    reason: str
    began: datetime
    received: datetime
    finished: datetime | None
    progress: Progress | None
    score: Score | None
    mine: bool

    @classmethod
    def of(cls, found: entries.Submission) -> Self:
        """From what the portal shows to whoever asks."""
        same = {name: getattr(found, name) for name in cls.model_fields if name not in ("progress", "score")}
        shown, score = found.score, None
        if shown is not None:
            result = shown.result.plain() if shown.result is not None else None
            score = Score(text=shown.text, value=shown.value, reason=shown.reason, result=result)
        progress = Progress.model_validate(found.progress) if found.progress is not None else None
        return cls(**same, progress=progress, score=score)


class Withdrawal(Asked):
    """Why a submission is withdrawn."""

    reason: Line = ""


@ROUTES.post(
    "/tracks/{track}/submissions",
    status_code=202,
    openapi_extra=FILE,
    responses={200: {"model": Receipt, "description": "These bytes had arrived before; nothing was counted."}},
)
async def submit(  # noqa: PLR0913, PLR0917  # what a request is made of
    track: Slug,
    request: Request,
    response: Response,
    file_name: FileName,
    actor: Submitter,
    portal: ThePortal,
    declaration: Declared = "{}",
    digest: Digest = "",
) -> Receipt:
    """Send a submission; the receipt comes once it is on the disk, the score later.

    Equal bytes of one team are one submission, so that an upload whose answer was lost can be sent again.
    """
    began, declared = portal.now(), _declaration(declaration)

    def work(blocks: Iterator[bytes]) -> Receipt:
        found = intake.receive(
            portal,
            actor,
            track,
            file_name=file_name,
            blocks=blocks,
            declaration=declared,
            began=began,
            digest=digest,
        )
        return Receipt.model_validate(found)

    receipt = await read_file(request, work)
    if receipt.already:
        response.status_code = 200
    return receipt


@ROUTES.get("/tracks/{track}/submissions")
def list_submissions(track: Slug, actor: Reader, portal: ThePortal) -> list[SubmissionTold]:
    """Submissions of one's own team, the newest first."""
    with portal.database.read() as connection:
        board = contest_of(connection, track, actor)
        team = team_of(connection, board.event_id, actor.id)
        if team is None:
            raise NotThereError("you are in no team of this event", code="E_NO_TEAM", expected="a team made or joined")
        found = entries.submissions_of(connection, board, team.id, actor, now=portal.now())
    return [SubmissionTold.of(one) for one in found]


@ROUTES.get("/submissions/{submission}")
def show_submission(submission: Id, actor: Reader, portal: ThePortal) -> SubmissionTold:
    """One submission of one's own team; for organisers any."""
    with portal.database.read() as connection:
        return SubmissionTold.of(entries.submission_of(connection, submission, actor, now=portal.now()))


@ROUTES.get("/submissions/{submission}/file", responses=GIVEN, response_class=FileResponse)
def download_submission(submission: Id, actor: Reader, portal: ThePortal) -> FileResponse:
    """The bytes that were sent, of one's own team; for organisers any."""
    with portal.database.read() as connection:
        found = entries.submission_of(connection, submission, actor, now=portal.now())
    return file_of(portal.uploads, found.digest, found.file_name)


@ROUTES.post("/submissions/{submission}/choose", status_code=204)
def choose_submission(submission: Id, actor: Submitter, portal: ThePortal) -> None:
    """Let a submission count for one's team, where the track counts the chosen one."""
    choosing.choose(portal, actor, submission)


@ROUTES.post("/submissions/{submission}/withdraw", status_code=204)
def withdraw_submission(submission: Id, asked: Withdrawal, actor: Submitter, portal: ThePortal) -> None:
    """Take a scored submission off the board; its slot stays used."""
    choosing.withdraw(portal, actor, submission, asked.reason)


def _declaration(text: str) -> Mapping[str, Any]:
    """A declaration from its header: JSON, in ASCII or in UTF-8 as `curl` sends it.

    Raises:
        DeclarationError: it is none.
    """
    with suppress(UnicodeError):  # else the characters of Latin-1 as they stand
        text = text.encode("latin-1").decode("utf-8")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DeclarationError.of({DECLARATION: f"is not JSON: {str(error)[:100]}"}) from error
    if not isinstance(found, dict):
        raise DeclarationError.of({DECLARATION: "is not an object of JSON"})
    return {str(name): value.replace("\0", "") if isinstance(value, str) else value for name, value in found.items()}
