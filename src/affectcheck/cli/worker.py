"""``affectcheck worker``: a worker by itself, for portals whose web runs as another user or on another machine."""

from __future__ import annotations

import signal
import threading
from dataclasses import replace
from pathlib import Path
from typing import Annotated

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


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(worker)


def worker(
    data: Data = Path("portal"),
    labels: LabelsFolder = None,
    address: Address = "http://127.0.0.1:8000",
    sender: Sender = "affectcheck@localhost",
    upload_mib: UploadMib = 256,
    score_seconds: ScoreSeconds = 600,
    score_mib: ScoreMib = 4096,
    parent: Annotated[int, typer.Option("--parent", hidden=True, help="Process with which it ends.")] = 0,
) -> None:
    """Check and score what was uploaded to a portal, until told to stop (SIGTERM or Ctrl-C)."""
    import secrets  # noqa: PLC0415

    options = PortalOptions(data, labels, address, sender, upload_mib, score_seconds, score_mib)
    settings = options.settings()
    from affectcheck.server.opening import open_portal  # noqa: PLC0415
    from affectcheck.server.work.worker import Worker  # noqa: PLC0415

    log_to_stderr()
    # A worker signs nothing, and may run as a user who cannot read the secret of the web.
    portal = open_portal(replace(settings, secret=settings.secret or secrets.token_hex(32)), upgrade=False)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    if not parent:
        say(f"working for {settings.data}")
    try:
        Worker(portal, parent=parent).run(stop)
    finally:
        portal.close()
