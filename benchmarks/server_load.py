"""A portal under load on one machine: ``affectcheck serve`` with two workers, on SQLite and on PostgreSQL.

Fifty teams send at once, twelve of them a submission of Aff-Wild2's size besides a small one, ten of them six small ones, of
which five may be valid; meanwhile two hundred leaderboard requests a second arrive for a minute, open loop. Told are the latencies of the
leaderboard, answers of the kind 5xx, and, once everything is scored, whether a receipt has no submission, a submission was
doubled or scored twice, or a team has a sixth valid one; then ``affectcheck db verify``. Bars: p50 50 ms, p95 300 ms, no 5xx.

With ``--kill N`` server and workers are killed (SIGKILL) N times during that minute and started anew; uploads are then sent
again until they are answered, and requests that found no server are told apart.

python benchmarks/server_load.py [--database sqlite|postgresql|both] [--kill N] [--seconds 60] [--rate 200]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from contextlib import ExitStack, closing
from pathlib import Path

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(_variable, "1")

from load_scene import LARGE, make, opened  # noqa: E402  # libraries read the variables above

HERE = Path(__file__).resolve().parent
LIMIT = 5
P50_S, P95_S = 0.05, 0.3


class Server:
    """``affectcheck serve``, which may be killed and started anew."""

    def __init__(self, data: Path, url: str, port: int, log: Path) -> None:
        self.port, self._log = port, log.open("ab")
        self._command = [sys.executable, "-m", "affectcheck", "serve", "--data", str(data), "--port", str(port)]
        self._command += ["--workers", "2", "--uploads-a-day", "100"]
        self._environment = {**os.environ, "AFFECTCHECK_DATABASE": url}
        self._process: subprocess.Popen | None = None

    def start(self) -> float:
        """Seconds until it answered."""
        begin = time.monotonic()
        self._process = subprocess.Popen(
            self._command, env=self._environment, stdout=self._log, stderr=self._log, start_new_session=True
        )
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5) as answer:
                    answer.read()
                return time.monotonic() - begin
            except OSError:
                if time.monotonic() - begin > 60 or self._process.poll() is not None:
                    raise
                time.sleep(0.02)

    def pids(self) -> list[int]:
        """Of the server, its workers and their children."""
        found = [self._process.pid]
        for pid in found:
            try:
                found += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
            except OSError:
                continue
        return found

    def cpu(self) -> float:
        """Seconds of CPU that the web has taken."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """All of it at once, without a word."""
        for pid in self.pids():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self._process.wait()

    def stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(60)
        self._log.close()


def generator(what: str, port: int, folder: Path, *words: str) -> subprocess.Popen:
    arguments = [what, "--port", str(port), "--plan", str(folder / "plan.json"), "--out", str(folder / f"{what}.json")]
    return subprocess.Popen([sys.executable, str(HERE / "load_generator.py"), *arguments, *words])


def run(kind: str, url: str, folder: Path, told: argparse.Namespace) -> bool:
    data, files = folder / "portal", folder / "files"
    files.mkdir(parents=True)
    plan = make(data, url or f"sqlite:///{data / 'portal.db'}", files, told)
    (folder / "plan.json").write_text(json.dumps(plan))
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    server = Server(data, url, port, folder / "log")
    started = [server.start()]
    begin = time.monotonic()
    boards = generator("board", port, folder, "--rate", str(told.rate), "--seconds", str(told.seconds))
    uploads = generator("uploads", port, folder, "--seconds", str(told.seconds + 600))
    draw = random.Random(told.seed)
    for moment in sorted(draw.uniform(1, told.seconds - 1) for _ in range(told.kill)):
        time.sleep(max(0.0, begin + moment - time.monotonic()))
        server.kill()
        started.append(server.start())
    boards.wait()
    within, cpu = scored(data, url), server.cpu()
    uploads.wait()
    finished = wait_for_work(data, url, told.patience)
    server.stop()
    print(
        f"\n{kind}: {told.teams} teams, {told.rate:g} requests a second for {told.seconds:g} s, killed {told.kill} times"
    )
    good = tell_boards(folder, told, cpu)
    print(
        f"  within that time {within[LARGE]} submissions of {told.frames:,} frames and {within['small']} small ones scored"
    )
    print(f"  all scored after {time.monotonic() - begin:.0f} s" if finished else "  FAILED: not all was scored")
    print(f"  started {len(started)} times, in {max(started):.1f} s at most")
    return tell_ledger(data, url, folder, told) and good and finished


def scored(data: Path, url: str) -> Counter:
    import sqlalchemy as sa

    from affectcheck.server.storage.tables import contest, submission

    portal = opened(data, url)
    asked = sa.select(contest.c.slug, sa.func.count()).join_from(
        submission, contest, contest.c.id == submission.c.contest
    )
    with portal.database.read() as connection:
        rows = connection.execute(asked.where(submission.c.state == "scored").group_by(contest.c.slug)).all()
    portal.close()
    return Counter({row[0]: row[1] for row in rows})


def wait_for_work(data: Path, url: str, patience: float) -> bool:
    import sqlalchemy as sa

    from affectcheck.server.storage.tables import job

    portal, until = opened(data, url), time.monotonic() + patience
    left = sa.select(sa.func.count()).where(job.c.state.in_(("waiting", "running")))
    try:
        while time.monotonic() < until:
            with portal.database.read() as connection:
                if not connection.execute(left).scalar_one():
                    return True
            time.sleep(0.5)
        return False
    finally:
        portal.close()


def tell_boards(folder: Path, told: argparse.Namespace, cpu: float) -> bool:
    found = json.loads((folder / "board.json").read_text())
    answers = found["answers"]
    reached = sorted(seconds for _, status, seconds in answers if status == 200)
    states = Counter(status for _, status, _ in answers)
    p50, p95, p99 = (statistics.quantiles(reached, n=100)[place] for place in (49, 94, 98))
    broken = sum(count for status, count in states.items() if status >= 500)
    print(
        f"  leaderboard: p50 {p50 * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms, max {reached[-1]:.2f} s"
    )
    print(f"  answers: {dict(states)} (0: none, as no server ran); 5xx: {broken}")
    print(f"  CPU: generator {found['cpu']:.1f} s; web {cpu:.1f} s since its last start")
    unreached = 0 if told.kill else states[0]
    return p50 <= P50_S and p95 <= P95_S and not broken and not unreached


def tell_ledger(data: Path, url: str, folder: Path, told: argparse.Namespace) -> bool:
    """Receipts against rows."""
    import sqlalchemy as sa

    from affectcheck.server.storage.tables import audit, evaluation, submission

    portal = opened(data, url)
    with portal.database.read() as connection:
        rows = connection.execute(sa.select(submission)).mappings().all()
        scores = Counter(connection.execute(sa.select(evaluation.c.submission)).scalars())
        finishes = Counter(
            connection.execute(sa.select(audit.c.subject).where(audit.c.action == "submission.finish")).scalars()
        )
    portal.close()
    answers = json.loads((folder / "uploads.json").read_text())
    taken = [one for one in answers if one["status"] in (200, 202)]
    kept = {row["id"]: row for row in rows}
    lost = [
        one for one in taken if one["answer"]["id"] not in kept or kept[one["answer"]["id"]]["digest"] != one["digest"]
    ]
    doubled = [
        key for key, count in Counter((row["team"], row["contest"], row["digest"]) for row in rows).items() if count > 1
    ]
    valid = Counter((row["team"], row["contest"]) for row in rows if row["state"] == "scored")
    faults = {
        "uploads without an answer": sum(one["status"] == 0 for one in answers),
        "5xx of uploads": sum(len(one["errors"]) for one in answers),
        "lost": len(lost),
        "doubled": len(doubled),
        "sixth valid ones": sum(count > LIMIT for count in valid.values()),
        "not scored": sum(row["state"] != "scored" for row in rows),
        "without exactly one score": sum(scores[row["id"]] != 1 for row in rows),
        "scored more than once": sum(count > 1 for count in finishes.values()),
    }
    refused = Counter(one["answer"].get("code") for one in answers if one["status"] >= 400)
    print(
        f"  uploads: {len(taken)} taken, refused {dict(refused)}, slowest {max(one['seconds'] for one in answers):.1f} s"
    )
    print(f"  {', '.join(f'{name}: {count}' for name, count in faults.items())}")
    done = subprocess.run(
        [sys.executable, "-m", "affectcheck", "db", "verify", "--data", str(data)],
        env={**os.environ, "AFFECTCHECK_DATABASE": url}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    print(f"  db verify: {done.stdout.strip() or done.stderr.strip()}")
    eager = min(told.eager, told.teams)
    expected = eager * min(told.small, LIMIT) + told.teams - eager + told.full
    if len(rows) != expected:
        print(f"  FAILED: {len(rows)} submissions, {expected} expected")
    return not any(faults.values()) and done.returncode == 0 and len(rows) == expected


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", choices=["sqlite", "postgresql", "both"], default="both")
    parser.add_argument("--teams", type=int, default=50)
    parser.add_argument("--full", type=int, default=12, help="teams that send a submission of full size")
    parser.add_argument("--small", type=int, default=6, help="small submissions of an eager team; others send one")
    parser.add_argument("--eager", type=int, default=10, help="teams that send more than they have slots")
    parser.add_argument("--frames", type=int, default=700_000)
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--kill", type=int, default=0, help="times that server and workers are killed")
    parser.add_argument("--patience", type=float, default=1800, help="seconds to wait for the rest of the work")
    parser.add_argument("--seed", type=int, default=1, help="of the moments of the kills")
    parser.add_argument("--keep", type=Path, default=None, help="folder that is kept, with the server's log")
    told = parser.parse_args()
    good = True
    with ExitStack() as stack:
        root = told.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="affectcheck-")))
        for kind in ("sqlite", "postgresql") if told.database == "both" else (told.database,):
            url = ""
            if kind == "postgresql":
                sys.path.insert(0, str(HERE.parent / "tests"))
                from portal_postgres import start

                postgres = start(fsync="on", synchronous_commit="on", full_page_writes="on")
                stack.callback(postgres.stop)
                url = postgres.url(postgres.make())
            good = run(kind, url, root / kind, told) and good
    print("\nwithin the bars" if good else "\nNOT within the bars")
    raise SystemExit(0 if good else 1)


if __name__ == "__main__":
    main()
