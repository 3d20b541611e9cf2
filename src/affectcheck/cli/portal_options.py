"""Options of a portal that ``serve`` and ``worker`` share; secrets come from the environment alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from affectcheck.server.settings import Settings

_MIB = 1 << 20

Data = Annotated[Path, typer.Option("--data", help="Folder of the portal; made at the first start.")]
LabelsFolder = Annotated[
    Path | None,
    typer.Option("--labels", help="Folder of hidden labels, which workers read; default: labels within --data."),
]
Address = Annotated[
    str, typer.Option("--address", help="How browsers reach it: https://challenge.example.org; default: this machine.")
]
Sender = Annotated[str, typer.Option("--sender", help="Address that letters come from.")]
UploadMib = Annotated[int, typer.Option("--upload-mib", min=1, help="Largest upload, in MiB.")]
ScoreSeconds = Annotated[int, typer.Option("--score-seconds", min=1, help="Most seconds to check or score an upload.")]
ScoreMib = Annotated[int, typer.Option("--score-mib", min=512, help="Most memory for it, in MiB of address space.")]


@dataclass(frozen=True)
class PortalOptions:
    """What both verbs take.

    Attributes:
        data, labels, address, sender: as options.
        upload_mib, score_seconds, score_mib: limits of an upload and of the process that reads it.
    """

    data: Path
    labels: Path | None
    address: str
    sender: str
    upload_mib: int
    score_seconds: int
    score_mib: int

    def words(self) -> list[str]:
        """The options of a worker of the same portal."""
        found = ["--data", str(self.data.absolute()), "--address", self.address, "--sender", self.sender]
        if self.labels is not None:
            found += ["--labels", str(self.labels.absolute())]
        for name in ("upload_mib", "score_seconds", "score_mib"):
            found += [f"--{name.replace('_', '-')}", str(getattr(self, name))]
        return found

    def settings(self) -> Settings:
        """Settings with the secrets of the environment.

        Raises:
            ExtraMissingError: the packages of the server are not installed.
        """
        require_server()
        from affectcheck.challenges import Limits  # noqa: PLC0415
        from affectcheck.server.settings import Settings, with_environment  # noqa: PLC0415

        return with_environment(
            Settings(
                self.data,
                self.labels or Path(),
                address=self.address,
                sender=self.sender,
                limits=Limits(upload=self.upload_mib * _MIB),
                score_seconds=self.score_seconds,
                score_memory=self.score_mib * _MIB,
            )
        )


def require_server() -> None:
    """The packages of the portal, before anything of it is loaded.

    Raises:
        ExtraMissingError: they are not installed.
    """
    from importlib.util import find_spec  # noqa: PLC0415

    from affectcheck.cli.doctor import EXTRAS  # noqa: PLC0415
    from affectcheck.errors import ExtraMissingError  # noqa: PLC0415

    packages, _ = EXTRAS["server"]
    missing = next((package for module, package in packages if find_spec(module) is None), None)
    if missing is not None:
        raise ExtraMissingError.of("the portal", "server", missing)


def log_to_stderr() -> None:
    """What a server tells of itself: the portal's own lines, and warnings of others."""
    import logging  # noqa: PLC0415  # of servers alone

    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.WARNING, force=True)
    logging.getLogger("affectcheck").setLevel(logging.INFO)
