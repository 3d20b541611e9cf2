"""A submission through a portal as it is: sent, checked and scored by a real worker and its children, on SQLite.

Every step of the worker runs in a process of its own. Told are the CPU seconds of the worker itself, which has been there
before, of the child that it begins, with all its imports, and the highest resident memory of the child. The bars are 5 s of CPU after the upload and
1 GiB for 0.7 million frames of 12 units, 15 s for 2.7 million.

python benchmarks/server_submission.py [--frames N] [--track abaw6-au] [--groups] [--shuffled] [--by-video]
"""

from __future__ import annotations

import argparse
import logging
import os
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(_variable, "1")

BAR_S, BAR_MIB = 5.0, 1024
SLUG = "benchmark"
PASSWORD = "nine lives of 7 cats"
KINDS = ("labels", "check", "score", "standing")


def opened(folder: Path):
    from affectcheck.server.opening import open_portal
    from affectcheck.server.settings import Settings

    return open_portal(Settings(folder / "portal"))


def blocks(path: Path):
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            yield block


def prepare(folder: Path, told: argparse.Namespace) -> None:
    """A portal with a track, its labels, a team, and an upload that is not yet sent."""
    from challenge_size import write

    from affectcheck.challenges import load_track
    from affectcheck.server.accounts.first_run import first_run_token, make_organiser
    from affectcheck.server.accounts.people import register
    from affectcheck.server.accounts.teams import create_team
    from affectcheck.server.contests.events import create_event, publish_event
    from affectcheck.server.contests.labels import receive_labels
    from affectcheck.server.contests.tracks import create_contest, publish_contest

    write(folder, told)
    source = folder / "labels.parquet"
    if not told.groups:
        source = folder / "labels.zip"
        with zipfile.ZipFile(source, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in (folder / "labels").iterdir():
                archive.write(path, f"labels/{path.name}")
    portal = opened(folder)
    organiser = make_organiser(portal, first_run_token(portal), "olga@example.org", "Olga", PASSWORD)
    create_event(portal, organiser, "event", "Event")
    publish_event(portal, organiser, "event")
    track = load_track(told.track).model_copy(update={"phases": ()})
    create_contest(portal, organiser, "event", track, slug=SLUG)
    publish_contest(portal, organiser, SLUG)
    receive_labels(portal, organiser, SLUG, source.name, blocks(source))
    crew = register(portal, "anna@example.org", "Anna", PASSWORD)
    create_team(portal, crew, "event", "Blue")
    portal.close()


def send(folder: Path, told: argparse.Namespace) -> str:
    from affectcheck.server.accounts.people import sign_in
    from affectcheck.server.ledger.intake import receive

    portal = opened(folder)
    crew = sign_in(portal, "anna@example.org", PASSWORD, address="127.0.0.1").actor
    path = folder / ("sent.zip" if told.by_video else "sent.txt")
    declared = {"method": "Trees", "pretraining": "none", "uni_task": True}
    start = time.process_time()
    found = receive(
        portal,
        crew,
        SLUG,
        file_name=path.name,
        blocks=blocks(path),
        declaration=declared,
        began=portal.now(),
    )
    (folder / "own.s").write_text(str(time.process_time() - start))
    portal.close()
    return f"{found.size >> 20} MiB"


def step(folder: Path, told: argparse.Namespace) -> str:
    """The next piece of work."""
    import sqlalchemy as sa

    from affectcheck.server.storage.tables import submission
    from affectcheck.server.work.worker import Worker

    logging.basicConfig(level=logging.WARNING)
    portal = opened(folder)
    worker, start = Worker(portal), time.process_time()
    if not worker.step():
        raise SystemExit("there is no work")
    (folder / "own.s").write_text(str(time.process_time() - start))
    with portal.database.read() as connection:
        row = connection.execute(sa.select(submission.c.state, submission.c.fault)).first()
    portal.close()
    return "" if row is None else f"the submission is {row.state}{f': {row.fault}' if row.fault else ''}"


STEPS = {"prepare": prepare, "labels": step, "send": send, "check": step, "score": step}


def measured(folder: Path, told: argparse.Namespace) -> None:
    said = STEPS[told.step](folder, told)
    own, child = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    if told.step != "prepare":
        times = (float((folder / "own.s").read_text()), child.ru_utime + child.ru_stime)
        peak = child.ru_maxrss / 1024 if told.step in KINDS else own.ru_maxrss / 1024
        print(f"{told.step:8} {times[0]:7.2f} {times[1]:7.2f} {peak:7.0f} MiB   {said}", flush=True)
        (folder / f"{told.step}.s").write_text(str(sum(times)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=700_000)
    parser.add_argument("--track", default="abaw6-au", help="a track of frames")
    parser.add_argument("--groups", action="store_true", help="labels in a table with subjects and three group columns")
    parser.add_argument("--shuffled", action="store_true", help="rows of the upload in any order")
    parser.add_argument("--by-video", action="store_true", help="a zip with a text file a video")
    parser.add_argument("--step", default="", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, default=None, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.step:
        measured(told.folder, told)
        return
    with tempfile.TemporaryDirectory(prefix="affectcheck-") as folder:
        print(
            f"{told.track}, {told.frames:,} frames: CPU seconds of the worker, of its child; peak memory of the child"
        )
        for name in STEPS:
            subprocess.run([sys.executable, *sys.argv, "--step", name, "--folder", folder], check=True)
        after = sum(float((Path(folder) / f"{name}.s").read_text()) for name in ("check", "score"))
        print(f"after the upload: {after:.2f} s of CPU, those of {BAR_S:.0f} s for 0.7 million rows")


if __name__ == "__main__":
    main()
