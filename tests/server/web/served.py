"""A portal that is served for real, for browsers."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.server.portal import Portal


@dataclass(frozen=True)
class Site:
    """Where it is, and the portal behind it."""

    address: str
    portal: Portal


@contextmanager
def served(portal: Portal) -> Iterator[Site]:
    """Serve a portal on a port that is free."""
    import uvicorn

    from affectcheck.server.web.app import create_app

    with socket.socket(proto=socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        portal = replace(portal, settings=replace(portal.settings, address=address))
        config = uvicorn.Config(create_app(portal), log_config=None, access_log=False, ws="none", lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield Site(address, portal)
        server.should_exit = True
        thread.join(10)
