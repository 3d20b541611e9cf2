"""Options of the verbs that speak to a portal."""

from __future__ import annotations

from typing import Annotated

import typer

Server = Annotated[str, typer.Option("--server", envvar="AFFECTCHECK_SERVER", help="Address of the portal, https://….")]
Reason = Annotated[str, typer.Option("--reason", help="Why; it stands in the audit log.")]
Track = Annotated[str, typer.Argument(help="Short name of the track on the server.")]
EventName = Annotated[str, typer.Argument(help="Short name of the event on the server.")]
Submission = Annotated[str, typer.Argument(help="Id of the submission.")]
Campaign = Annotated[str, typer.Argument(help="Id of the campaign.")]
