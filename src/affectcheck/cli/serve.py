"""``affectcheck serve``: the portal of challenges, with its workers."""

from __future__ import annotations

import signal
import socket
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affectcheck.cli.output import say
from affectcheck.cli.portal_options import (
    Address,
    Data,
    LabelsFolder,
    PortalOptions,
    ScoreMib,
    ScoreSeconds,
    Sender,
    UploadMib,
    log_to_stderr,
)
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import uvicorn

    from affectcheck.server.portal import Portal
    from affectcheck.server.settings import Settings
    from affectcheck.server.work.supervisor import Supervisor

_MIB = 1 << 20
_CLOSING_S = 10
_WORKER = (sys.executable, "-m", "affectcheck", "worker")


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(serve)


def serve(
    data: Data = Path("portal"),
    host: Annotated[str, typer.Option("--host", help="Address to listen at; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 for any that is free.")] = 8000,
    workers: Annotated[
        int, typer.Option("--workers", min=0, help="Worker processes; 0 where `affectcheck worker` runs by itself.")
    ] = 1,
    address: Address = "",
    labels: LabelsFolder = None,
    sender: Sender = "affectcheck@localhost",
    proxy: Annotated[
        list[str] | None, typer.Option("--proxy", help="Address of a reverse proxy whose X-Forwarded-For is believed.")
    ] = None,
    upload_mib: UploadMib = 256,
    uploads_a_day: Annotated[int, typer.Option("--uploads-a-day", min=1, help="Of a team and track.")] = 30,
    free_mib: Annotated[int, typer.Option("--free-mib", min=0, help="MiB that stay free on the disk.")] = 512,
    session_hours: Annotated[int, typer.Option("--session-hours", min=1, help="How long a login lasts.")] = 12,
    score_seconds: ScoreSeconds = 600,
    score_mib: ScoreMib = 4096,
) -> None:
    """Run the portal: teams upload, workers score, everyone sees the board.

    Secrets come from the environment: AFFECTCHECK_DATABASE (a URL of PostgreSQL; SQLite in --data otherwise),
    AFFECTCHECK_SMTP (letters go to the log otherwise), AFFECTCHECK_SECRET (made and kept in --data otherwise).
    """
    log_to_stderr()
    stop = _Stop()
    with _listening(host, port) as listener:
        here = f"http://{'[' + host + ']' if ':' in host else host}:{listener.getsockname()[1]}"
        options = PortalOptions(data, labels, address or here, sender, upload_mib, score_seconds, score_mib)
        settings = replace(
            options.settings(),
            proxies=tuple(proxy or ()),
            uploads_a_day=uploads_a_day,
            free_bytes=free_mib * _MIB,
            session_hours=session_hours,
        )
        with _alone(settings), _opened(settings) as portal:
            from affectcheck.server.work.supervisor import Supervisor  # noqa: PLC0415

            _greet(portal, here)
            _run(portal, listener, Supervisor([*_WORKER, *options.words()], workers), stop)


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    """A socket of the address, before anything else is begun.

    Raises:
        InputError: it is in use, or none of this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named, else asyncio leaves Nagle's delay on, which costs each answer 40 ms.
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen()  # from here on nobody else has it
        except OSError as error:
            raise InputError(
                f"cannot listen at {host} port {port}: {error.strerror or error}",
                expected="a free port at an address of this machine",
                cause="another server that runs there",
            ) from error
        yield listener


@contextmanager
def _alone(settings: Settings) -> Iterator[None]:
    """No other server has the folder; where the database is PostgreSQL, there may be several.

    Raises:
        InputError: another one has it.
    """
    import fcntl  # noqa: PLC0415  # of POSIX, as is the rest of the server

    if not settings.database.startswith("sqlite"):
        yield
        return
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (settings.data / "serve.lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise InputError(
                f"another server uses {settings.data}",
                expected="one server a folder, or PostgreSQL for several",
                cause="a server that was started before and still runs",
            ) from error
        yield


@contextmanager
def _opened(settings: Settings) -> Iterator[Portal]:
    from affectcheck.server.opening import open_portal  # noqa: PLC0415

    portal = open_portal(settings)
    try:
        yield portal
    finally:
        portal.close()


def _greet(portal: Portal, here: str) -> None:
    """Where it is, and once how the first organiser comes in."""
    from affectcheck.server.accounts.first_run import first_run_token  # noqa: PLC0415

    print(f"affectcheck serves {portal.settings.data} at {here}", flush=True)
    code = first_run_token(portal)
    if code is not None:
        print(f"first organiser: {portal.settings.address}/organiser?code={code}", flush=True)
        say("whoever opens this link becomes the organiser; it holds once, for seven days, until the next start")


class _Stop:
    """SIGTERM and Ctrl-C, whenever they come."""

    def __init__(self) -> None:
        self.wanted = False
        self.server: uvicorn.Server | None = None
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self)

    def __call__(self, *_: object) -> None:
        """Uvicorn, which takes both while it serves, raises them anew once it has stopped."""
        self.wanted = True
        if self.server is not None:
            self.server.should_exit = True


def _run(portal: Portal, listener: socket.socket, supervisor: Supervisor, stop: _Stop) -> None:
    """Serve until told to stop; requests that are under way are answered, and workers stop."""
    import uvicorn  # noqa: PLC0415

    from affectcheck.server.web.app import create_app  # noqa: PLC0415

    config = uvicorn.Config(
        create_app(portal),
        log_config=None,
        access_log=False,
        proxy_headers=False,  # the portal believes its own list of proxies
        server_header=False,
        timeout_graceful_shutdown=_CLOSING_S,
    )
    stop.server = uvicorn.Server(config)
    try:
        if not stop.wanted:
            supervisor.start()
            stop.server.run(sockets=[listener])
    finally:
        supervisor.stop()
    say("stopped")
