"""Settings of a portal: options of the command line, and secrets from the environment alone."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from affectcheck.challenges import Limits
from affectcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Environment variables that hold secrets; none of them has an option, since command lines are seen by everyone.
DATABASE: Final = "AFFECTCHECK_DATABASE"
SECRET: Final = "AFFECTCHECK_SECRET"  # noqa: S105  # the name of a variable
SMTP: Final = "AFFECTCHECK_SMTP"
MIB: Final = 1024 * 1024


@dataclass(frozen=True)
class Settings:
    """What a portal is run with.

    Attributes:
        data: folder of the database, uploads and public files.
        labels: folder of hidden labels, which only workers read; by default ``labels`` within ``data``.
        database: URL; by default a SQLite file in ``data``.
        secret: key of receipts and cookies; by default made once and kept in ``data``.
        address: how browsers reach it, such as ``https://challenge.example.org``; cookies are ``Secure`` under https.
        smtp: ``smtp://user:password@host:port`` or ``smtps://…``; empty writes letters to the log.
        sender: address that letters come from.
        uploads_a_day: of a team and track, valid or not, within 24 hours.
        limits: of an upload.
        free_bytes: that stay free on the disk of ``data``.
        score_seconds, score_memory: limits of the process that checks or scores one upload.
        session_hours: how long a login lasts.
        proxies: addresses whose ``X-Forwarded-For`` is believed.
    """

    data: Path
    labels: Path = Path()
    database: str = ""
    secret: str = field(default="", repr=False)
    address: str = "http://127.0.0.1:8000"
    smtp: str = field(default="", repr=False)
    sender: str = "affectcheck@localhost"
    uploads_a_day: int = 30
    limits: Limits = field(default_factory=Limits)
    free_bytes: int = 512 * MIB
    score_seconds: int = 600
    score_memory: int = 4096 * MIB
    session_hours: int = 12
    proxies: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Folders that are not stated lie within ``data``."""
        data = self.data.absolute()
        object.__setattr__(self, "data", data)
        object.__setattr__(self, "labels", (data / "labels" if self.labels == Path() else self.labels).absolute())
        object.__setattr__(self, "database", self.database or f"sqlite:///{data / 'portal.db'}")
        object.__setattr__(self, "address", self.address.rstrip("/"))
        if not self.address.startswith(("http://", "https://")):
            raise InputError(f"address {self.address!r}", expected="http://… or https://…")
        if self.uploads_a_day < 1:
            raise InputError(f"{self.uploads_a_day} uploads a day", expected="1 or more")

    @property
    def https(self) -> bool:
        """Whether browsers come by https."""
        return self.address.startswith("https://")


def with_environment(settings: Settings, environment: Mapping[str, str] | None = None) -> Settings:
    """Settings with the secrets of the environment."""
    found = os.environ if environment is None else environment
    return replace(
        settings,
        database=found.get(DATABASE) or settings.database,
        secret=found.get(SECRET) or settings.secret,
        smtp=found.get(SMTP) or settings.smtp,
    )
