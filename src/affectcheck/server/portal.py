"""What every part of the portal is handed: its database, its files, its settings and the time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from affectcheck.server.clock import system_clock

if TYPE_CHECKING:
    from datetime import datetime

    from affectcheck.server.clock import Clock
    from affectcheck.server.settings import Settings
    from affectcheck.server.storage.blobs import Blobs
    from affectcheck.server.storage.engine import Database


@dataclass(frozen=True, eq=False)
class Portal:
    """A portal that is open.

    Attributes:
        settings: what it is run with.
        database: its rows.
        uploads: files of teams and public files, by digest.
        vault: labels and what is computed from them; only workers read it.
        clock: the time.
    """

    settings: Settings
    database: Database
    uploads: Blobs
    vault: Blobs
    clock: Clock = field(default=system_clock)

    def now(self) -> datetime:
        """Now, in UTC."""
        return self.clock()

    def close(self) -> None:
        """Close the database."""
        self.database.close()
