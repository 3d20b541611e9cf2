"""A submission as an evaluation server takes it: labels kept once, the upload checked and scored in one process, places drawn.

Each step runs in a process of its own and prints its CPU seconds and the peak of its resident memory; ``check and score`` is
one process, which the bars are about: 15 s and 1 GiB for 2.7 million frames of 12 units, 5 s for 0.7 million.

python benchmarks/challenge_size.py [--frames N] [--track abaw6-au] [--groups] [--shuffled] [--by-video]
"""

from __future__ import annotations

import argparse
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

VIDEOS = 142
BOARD = 50


def drawn(track, frames: int, random):
    """Labels and predictions of one video, and which frames are not annotated."""
    import numpy as np

    parts = len(track.columns)
    gone = random.random(frames) < 0.05
    if track.kind == "units":
        truth = (random.random((frames, parts)) < 0.2).astype(np.int8)
        return truth, np.where(random.random((frames, parts)) < 0.1, 1 - truth, truth), gone
    if track.kind == "categories":
        codes = random.integers(0, parts, frames)
        guessed = np.where(random.random(frames) < 0.3, random.integers(0, parts, frames), codes)
        return np.eye(parts, dtype=np.int8)[codes], np.eye(parts, dtype=np.int8)[guessed], gone
    truth = random.uniform(-1, 1, (frames, parts)).round(3)
    return truth, (0.5 * truth + random.uniform(-0.5, 0.5, (frames, parts))).round(4), gone


def write(folder: Path, told: argparse.Namespace) -> None:
    """A folder of annotation files (or a table, where there are groups), and an upload."""
    import polars as pl

    from affectcheck.challenges import load_track
    from affectcheck.seeds import rng

    track, random, frames = load_track(told.track), rng(1, "benchmark", "challenge"), told.frames // VIDEOS
    tables, answers, names, marker = [], [], list(track.columns), int(track.labels.marker)
    (folder / "labels").mkdir()
    for video in range(VIDEOS):
        truth, sent, gone = drawn(track, frames, random)
        classes = pl.DataFrame({"class": truth.argmax(axis=1)}).with_columns(pl.Series("gone", gone))
        truth[gone] = marker
        keys = pl.Series(track.file.item, [f"v{video:03}/{number + 1:05}.jpg" for number in range(frames)])
        cells = pl.DataFrame(truth, schema=names, orient="row")
        who = {"subject": f"s{video // 2}", "gender": "fm"[video % 2], "age": f"a{video % 7}", "race": f"r{video % 4}"}
        if told.groups:
            tables.append(cells.with_columns(pl.lit(v).alias(k) for k, v in who.items()).insert_column(0, keys))
        if track.kind == "categories":  # a class a line below the header that names them
            cells = classes.select(pl.when("gone").then(marker).otherwise("class"))
        text = f"{','.join(names)}\n{cells.write_csv(include_header=False)}"
        (folder / "labels" / f"v{video:03}.txt").write_text(text)
        answers.append(pl.DataFrame(sent, schema=names, orient="row").insert_column(0, keys))
    if tables:
        pl.concat(tables).write_parquet(folder / "labels.parquet")
    if told.by_video:
        with zipfile.ZipFile(folder / "sent.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for video, rows in enumerate(answers):
                cells = rows.drop(track.file.item)
                if track.kind == "categories":
                    cells = pl.DataFrame({"class": cells.to_numpy().argmax(axis=1)})
                text = f"{','.join(names)}\n{cells.write_csv(include_header=False)}"
                archive.writestr(f"mine/v{video:03}.txt", text)
        return
    found = pl.concat(answers)
    found = found.sample(fraction=1.0, shuffle=True, seed=1) if told.shuffled else found
    found.write_csv(folder / "sent.txt")


def keep(folder: Path, told: argparse.Namespace) -> str:
    """What is done once, when labels are uploaded."""
    from affectcheck.challenges import keep_labels, load_track, wanted_of_kept, write_wanted

    track = load_track(told.track)
    kept = keep_labels(folder / ("labels.parquet" if told.groups else "labels"), track, folder / "kept.parquet")
    write_wanted(wanted_of_kept(kept, track), folder / "wanted.parquet")
    return f"{kept.height} items, {kept.path.stat().st_size >> 20} MiB"


def check(folder: Path, told: argparse.Namespace):
    from affectcheck.challenges import check_submission, load_track, read_wanted

    track = load_track(told.track)
    sent = folder / ("sent.zip" if told.by_video else "sent.txt")
    return check_submission(sent, track, wanted=read_wanted(folder / "wanted.parquet", track))


def check_alone(folder: Path, told: argparse.Namespace) -> str:
    return f"{len(check(folder, told).items)} rows, {next(folder.glob('sent.*')).stat().st_size >> 20} MiB as sent"


def check_and_score(folder: Path, told: argparse.Namespace) -> str:
    """The process of a server that takes a submission."""
    from affectcheck.challenges import load_kept, load_track, score_for_board

    track = load_track(told.track)
    board = score_for_board(check(folder, told), load_kept(folder / "kept.parquet", track), track)
    (folder / "shares").write_bytes(board.shares)
    (folder / "sketch").write_bytes(board.sketch)
    head = board.headline
    return f"{head.metric} {head.value:.4f} [{head.low:.4f}, {head.high:.4f}], {len(board.disparities)} disparities"


def places(folder: Path, told: argparse.Namespace) -> str:
    """Intervals of the places of 50 submissions, from their shares alone."""
    from affectcheck.challenges import load_track, rank_intervals

    track, stored = load_track(told.track), (folder / "shares").read_bytes()
    found = rank_intervals([stored] * BOARD, track)
    return f"{len(found)} submissions, {len(stored) >> 10} KiB of shares each"


def neighbours(folder: Path, told: argparse.Namespace) -> str:
    from affectcheck.challenges import differences, load_track

    found = differences([(folder / "shares").read_bytes()] * BOARD, load_track(told.track))
    return f"{len(found)} pairs"


def likenesses(folder: Path, told: argparse.Namespace) -> str:
    from affectcheck.challenges import duplicate_flags, load_track

    stored = (folder / "sketch").read_bytes()
    found = duplicate_flags(stored, {str(n): stored for n in range(BOARD)}, load_track(told.track))
    return f"{len(found)} flags, {len(stored) >> 10} KiB a sketch"


STEPS = {
    "keep labels, once": keep,
    "check": check_alone,
    "check and score": check_and_score,
    f"places of {BOARD}": places,
    f"neighbours of {BOARD}": neighbours,
    f"likeness to {BOARD}": likenesses,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=2_700_000)
    parser.add_argument("--track", default="abaw6-au", help="a track of frames")
    parser.add_argument("--groups", action="store_true", help="labels in a table with subjects and three group columns")
    parser.add_argument("--shuffled", action="store_true", help="rows of the upload in any order")
    parser.add_argument("--by-video", action="store_true", help="a zip with a text file a video")
    parser.add_argument("--step", default="", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, default=None, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.step:
        start = time.process_time()
        found = (write if told.step == "write" else STEPS[told.step])(told.folder, told)
        used, peak = time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{told.step:20} {used:7.2f} CPU s {peak:7.0f} MiB   {found or ''}")
        return
    with tempfile.TemporaryDirectory(prefix="affectcheck-") as folder:
        print(f"{told.track}, {told.frames:,} frames: CPU seconds with imports, peak of resident memory")
        for step in ("write", *STEPS):
            # In a process of its own, since a child starts with the peak of whoever made it.
            words = [sys.executable, *sys.argv, "--step", step, "--folder", folder]
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL if step == "write" else None)


if __name__ == "__main__":
    main()
