"""The portal of ``server_load.py``: a track of Aff-Wild2's size and a small one, teams with tokens, and files to send."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import tarfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

VIDEOS = 142
PASSWORD = "nine lives of 7 cats"
LARGE, SMALL = "large", "small"
DECLARED = {"method": "Trees", "pretraining": "none", "uni_task": True}
ITEMS = 2000


def opened(data: Path, url: str):
    from affectcheck.server.opening import open_portal
    from affectcheck.server.settings import Settings

    return open_portal(Settings(data, database=url))


def blocks(data: bytes):
    stream = io.BytesIO(data)
    return iter(lambda: stream.read(1 << 20), b"")


def make(data: Path, url: str, folder: Path, told) -> dict:
    """Make it; the plan of what is sent."""
    from affectcheck.challenges import Track, load_track
    from affectcheck.challenges.track_parts import OwnLabels, SubmissionFile
    from affectcheck.server.accounts.first_run import first_run_token, make_organiser
    from affectcheck.server.contests.events import create_event, publish_event

    portal = opened(data, url)
    organiser = make_organiser(portal, first_run_token(portal), "olga@example.org", "Olga", PASSWORD)
    create_event(portal, organiser, "event", "Event")
    publish_event(portal, organiser, "event")
    large = load_track("abaw6-au").model_copy(update={"phases": ()})
    small = Track(
        format=1, name=SMALL, title="Small", scheme="moods", own=OwnLabels(labels=("calm", "glad", "grim")),
        metric="f1_macro", file=SubmissionFile(unit="item", item="item", coding="label", columns=("mood",)),
    )  # fmt: skip
    frames = told.frames // VIDEOS
    _track((portal, organiser), LARGE, large, "labels.tar.gz", tar_of(frames, seed=0, annotated=True))
    _track((portal, organiser), SMALL, small, "labels.csv", table(seed=0))
    _work(portal)
    teams = [_team(portal, number) for number in range(told.teams)]
    rest = gzip.compress(_members(frames, range(1, VIDEOS), seed=1, annotated=False), 1)
    for number, team in enumerate(teams):
        if number < told.full:
            first = gzip.compress(_members(frames, range(1), seed=100 + number, annotated=False, end=False), 1)
            _add(team, folder, LARGE, "predictions.tar.gz", first + rest)
        for place in range(told.small if number < told.eager else 1):
            _add(team, folder, SMALL, "predictions.csv", table(seed=1000 + number * 100 + place))
    portal.close()
    boards = [f"/tracks/{LARGE}/board", f"/api/v1/tracks/{SMALL}/board", f"/tracks/{SMALL}/board"]
    return {"teams": teams, "boards": boards}


def _track(by, slug: str, track, name: str, labels: bytes) -> None:
    from affectcheck.server.contests.labels import receive_labels
    from affectcheck.server.contests.tracks import create_contest, publish_contest

    create_contest(*by, "event", track, slug=slug)
    publish_contest(*by, slug)
    receive_labels(*by, slug, name, blocks(labels))


def _work(portal) -> None:
    from affectcheck.server.work.worker import Worker

    worker = Worker(portal)
    while worker.step():
        pass


def _team(portal, number: int) -> dict:
    from affectcheck.server.accounts.people import register
    from affectcheck.server.accounts.teams import create_team
    from affectcheck.server.accounts.tokens import make_token

    captain = register(portal, f"captain-{number}@example.org", f"Captain {number}", PASSWORD)
    team = create_team(portal, captain, "event", f"Team {number:02}").team
    return {"id": team.id, "token": make_token(portal, captain, "load", "submit"), "uploads": []}


def _add(team: dict, folder: Path, slug: str, name: str, data: bytes) -> None:
    digest = hashlib.sha256(data).hexdigest()
    path = folder / digest
    path.write_bytes(data)
    declaration = json.dumps(DECLARED if slug == LARGE else {**DECLARED, "uni_task": None})
    team["uploads"].append(
        {"file": os.fspath(path), "track": slug, "name": name, "digest": digest, "declaration": declaration}
    )


def table(seed: int) -> bytes:
    """Predictions, or labels, of the small track."""
    from affectcheck.seeds import rng

    moods = rng(seed, "load").choice(["calm", "glad", "grim"], ITEMS)
    return "".join(["item,mood\n", *(f"item-{n:04},{mood}\n" for n, mood in enumerate(moods))]).encode()


def tar_of(frames: int, *, seed: int, annotated: bool) -> bytes:
    return gzip.compress(_members(frames, range(VIDEOS), seed=seed, annotated=annotated), 1)


def _members(frames: int, videos: range, *, seed: int, annotated: bool, end: bool = True) -> bytes:
    """Files of a tar, one a video; without its end, others can follow."""
    import numpy as np
    import polars as pl

    from affectcheck.challenges import load_track
    from affectcheck.seeds import rng

    names = list(load_track("abaw6-au").columns)
    kept = io.BytesIO()
    with tarfile.open(fileobj=kept, mode="w") as archive:
        for video in videos:
            cells = (rng(video, "load", "truth").random((frames, len(names))) < 0.2).astype(np.int8)
            if not annotated:
                cells ^= (rng(seed, "load", str(video)).random(cells.shape) < 0.1).astype(np.int8)
            data = pl.DataFrame(cells, schema=names, orient="row").write_csv().encode()
            info = tarfile.TarInfo(f"v{video:03}.txt")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        length = archive.offset
    return kept.getvalue() if end else kept.getvalue()[:length]
