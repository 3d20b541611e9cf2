"""Files of organisers: labels, lists of items and packs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.errors import InputError
from affectcheck.server.contests.labels import receive_labels
from affectcheck.server.contests.tracks import receive_items, receive_pack
from affectcheck.server.web.forms import CODE, Form, stale_form
from affectcheck.server.web.pages.organising.tracks import page_of
from affectcheck.server.web.pages.routing import uploaded
from affectcheck.server.web.sessions import form_code_fits
from affectcheck.server.web.uploads import Upload

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.responses import Response
    from starlette.routing import Route

    from affectcheck.server.web.visits import Visit


def routes() -> list[Route]:
    """Routes of this module."""
    return [
        uploaded(
            "/organise/tracks/{track}/items",
            lambda visit: _received(visit, "items", lambda file, name: _items(visit, file, name)),
        ),
        uploaded(
            "/organise/tracks/{track}/pack",
            lambda visit: _received(visit, "pack", lambda file, name: _pack(visit, file, name)),
        ),
        uploaded(
            "/organise/tracks/{track}/labels",
            lambda visit: _received(visit, "labels", lambda file, name: _labels(visit, file, name)),
        ),
    ]


def _items(visit: Visit, upload: Upload, slug: str) -> None:
    receive_items(visit.portal, visit.actor, slug, upload.file_name, upload.blocks())


def _pack(visit: Visit, upload: Upload, slug: str) -> None:
    receive_pack(visit.portal, visit.actor, slug, upload.file_name, upload.blocks())


def _labels(visit: Visit, upload: Upload, slug: str) -> None:
    note = upload.fields.get("note", "")
    receive_labels(visit.portal, visit.actor, slug, upload.file_name, upload.blocks(), note)


def _received(visit: Visit, what: str, keep: Callable[[Upload, str], None]) -> Response:
    visit.needs("organise")
    upload = Upload(visit.request)
    upload.read_fields()
    form = Form(upload.fields)
    if not form_code_fits(visit.request, visit.portal, form.raw(CODE)):
        raise stale_form()
    slug = visit.request.path_params["track"]
    if not upload.file_name:
        form.faults[f"{what}_file"] = "Choose a file."
        return page_of(visit, form)
    try:
        keep(upload, slug)
        return visit.go(f"/organise/tracks/{slug}", "labels" if what == "labels" else "uploaded")
    except InputError as error:
        form.refuse(error, otherwise=f"{what}_file")
    return page_of(visit, form)
