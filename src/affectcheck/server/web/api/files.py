"""Files of tracks: the list of what is to be predicted, the participants' pack, and labels, which no route gives out."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import Query
from starlette.requests import Request
from starlette.responses import FileResponse

from affectcheck.server.contests import labels as contest_labels
from affectcheck.server.contests import tracks as contests
from affectcheck.server.faults import NotThereError
from affectcheck.server.storage.blobs import Blobs
from affectcheck.server.web.api.forms import Slug, Told
from affectcheck.server.web.api.receiving import BINARY, FILE, FileName, read_file
from affectcheck.server.web.api.routing import router
from affectcheck.server.web.api.tracks import TrackTold
from affectcheck.server.web.api.who import OPEN, Anyone, Organiser, ThePortal

ROUTES = router("files", 408, 507)
#: An answer that is a file.
GIVEN: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file.", "content": {BINARY: {"schema": {"type": "string", "format": "binary"}}}}
}
Note = Annotated[str, Query(max_length=2000, pattern=r"^[^\x00]*$", description="What is to be known of the labels.")]


class LabelSet(Told):
    """Labels of a track: when they came and whether they are of use, no value of them."""

    id: str
    number: int
    state: Literal["received", "ready", "refused"]
    note: str
    fault: str
    facts: dict[str, Any]
    author: str
    created: datetime
    active: bool


@ROUTES.get("/tracks/{track}/items", responses=GIVEN, response_class=FileResponse, openapi_extra=OPEN)
def download_items(track: Slug, actor: Anyone, portal: ThePortal) -> FileResponse:
    """The list of what is to be predicted, as Parquet, which `affectcheck challenge check --items` takes."""
    with portal.database.read() as connection:
        found = contests.contest_of(connection, track, actor)
    return file_of(portal.uploads, found.items, f"{track}-items.parquet")


@ROUTES.put("/tracks/{track}/items", openapi_extra=FILE)
async def upload_items(
    track: Slug, request: Request, file_name: FileName, actor: Organiser, portal: ThePortal
) -> TrackTold:
    """Send the list of what is to be predicted: CSV, text or Parquet with the column of keys."""

    def work(blocks: Iterator[bytes]) -> TrackTold:
        return TrackTold.of(contests.receive_items(portal, actor, track, file_name, blocks), portal)

    return await read_file(request, work)


@ROUTES.get("/tracks/{track}/pack", responses=GIVEN, response_class=FileResponse, openapi_extra=OPEN)
def download_pack(track: Slug, actor: Anyone, portal: ThePortal) -> FileResponse:
    """The participants' pack."""
    with portal.database.read() as connection:
        found = contests.contest_of(connection, track, actor)
    return file_of(portal.uploads, found.pack, f"{track}-pack{ending_of(portal.uploads, found.pack)}")


@ROUTES.put("/tracks/{track}/pack", openapi_extra=FILE)
async def upload_pack(
    track: Slug, request: Request, file_name: FileName, actor: Organiser, portal: ThePortal
) -> TrackTold:
    """Send the participants' pack, which everyone who sees the track may have."""

    def work(blocks: Iterator[bytes]) -> TrackTold:
        return TrackTold.of(contests.receive_pack(portal, actor, track, file_name, blocks), portal)

    return await read_file(request, work)


@ROUTES.get("/tracks/{track}/labels")
def list_labels(track: Slug, actor: Organiser, portal: ThePortal) -> list[LabelSet]:
    """Labels that were sent, the newest first; their values are given out by no route."""
    with portal.database.read() as connection:
        found = contests.contest_of(connection, track, actor)
        sets = contest_labels.label_sets(connection, found.id, actor)
    return [LabelSet.model_validate(one) for one in sets]


@ROUTES.post("/tracks/{track}/labels", status_code=202, openapi_extra=FILE)
async def upload_labels(  # noqa: PLR0913, PLR0917  # what a request is made of
    track: Slug, request: Request, file_name: FileName, actor: Organiser, portal: ThePortal, note: Note = ""
) -> LabelSet:
    """Send labels, which a worker reads; the first that are ready become the board's, later ones by a campaign."""

    def work(blocks: Iterator[bytes]) -> LabelSet:
        return LabelSet.model_validate(
            contest_labels.receive_labels(portal, actor, track, file_name, blocks, note), from_attributes=True
        )

    return await read_file(request, work)


def file_of(blobs: Blobs, digest: str, name: str) -> FileResponse:
    """A file to be kept under a name, never shown.

    Raises:
        NotThereError: there is none.
    """
    if not digest:
        raise NotThereError("no such file", code="E_NO_FILE", cause="the organiser has not sent it yet")
    return FileResponse(blobs.path(digest), media_type=BINARY, filename=name, headers={"cache-control": "no-store"})


def ending_of(blobs: Blobs, digest: str) -> str:
    """What kind of archive a pack is, by its first bytes."""
    if not digest:
        return ""
    first = _first(blobs.path(digest))
    return ".zip" if first.startswith(b"PK") else ".tar.gz" if first.startswith(b"\x1f\x8b") else ".tar"


def _first(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(4)
