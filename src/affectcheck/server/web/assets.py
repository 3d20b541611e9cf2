"""Style sheet, script and icon, under names that hold their content's hash, so that browsers keep them for good."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from starlette.responses import Response

from affectcheck.reports.page import STYLE
from affectcheck.server.faults import NotThereError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

_TYPES: Final = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
_FOR_GOOD: Final = "public, max-age=31536000, immutable"


@dataclass(frozen=True)
class Asset:
    """A file that pages load.

    Attributes:
        name: under which it is served.
        body, packed: its bytes, and these as gzip.
        media: its type.
    """

    name: str
    body: bytes
    packed: bytes
    media: str


@cache
def assets() -> Mapping[str, Asset]:
    """All files by plain name, such as ``portal.css``; the style sheet begins with that of reports."""
    folder = files("affectcheck.server.web").joinpath("static")
    found = {}
    for entry in folder.iterdir():
        stem, _, ending = entry.name.rpartition(".")
        if ending not in _TYPES:
            continue
        body = entry.read_bytes()
        if entry.name == "portal.css":
            body = files("affectcheck.reports").joinpath("templates", STYLE).read_bytes() + b"\n" + body
        digest = hashlib.sha256(body).hexdigest()[:12]
        found[entry.name] = Asset(f"{stem}.{digest}.{ending}", body, gzip.compress(body, 9, mtime=0), _TYPES[ending])
    return found


def asset_path(name: str) -> str:
    """Where a page finds a file."""
    return f"/static/{assets()[name].name}"


async def serve_asset(request: Request) -> Response:
    """One of the files."""
    asset = _by_served_name().get(request.path_params["name"])
    if asset is None:
        raise NotThereError("no such file", code="E_NOT_THERE")
    headers = {"cache-control": _FOR_GOOD, "vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        return Response(asset.packed, headers=headers, media_type=asset.media)
    return Response(asset.body, headers=headers, media_type=asset.media)


@cache
def _by_served_name() -> Mapping[str, Asset]:
    return {asset.name: asset for asset in assets().values()}
