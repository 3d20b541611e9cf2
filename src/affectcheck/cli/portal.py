"""``affectcheck portal``: everything of a portal of challenges, without a browser."""

from __future__ import annotations

import getpass
import os
import sys
from typing import Annotated, Any

import typer

from affectcheck.cli import portal_events, portal_submissions, portal_tracks
from affectcheck.cli.output import Json, columns, emit, say
from affectcheck.cli.portal_words import Server

Email = Annotated[str, typer.Option("--email", help="Address of the account.")]
Name = Annotated[str, typer.Option("--name", help="Name of the person.")]
#: Secrets have no options.
_PASSWORD = "AFFECTCHECK_PASSWORD"  # noqa: S105  # the name of a variable
_NEW = "AFFECTCHECK_NEW_PASSWORD"
_CODE = "AFFECTCHECK_CODE"


def register(app: typer.Typer) -> None:
    """Add the noun."""
    noun = typer.Typer(
        help="A portal of challenges: teams, tracks, submissions and boards; the token is in AFFECTCHECK_TOKEN.",
        no_args_is_help=True,
    )
    app.add_typer(noun, name="portal")
    noun.command("register")(register_account)
    for verb in (login, tokens, revoke, password, organiser, invite):
        noun.command()(verb)
    portal_events.register(noun)
    portal_tracks.register(noun)
    portal_submissions.register(noun)


def login(
    server: Server,
    email: Email,
    scope: Annotated[
        str, typer.Option("--scope", help="read, submit or organise; default: as far as the account reaches.")
    ] = "",
    days: Annotated[int, typer.Option("--days", min=1, max=365, help="How long the token holds.")] = 90,
    name: Annotated[str, typer.Option("--name", help="By which the token is listed.")] = "affectcheck portal login",
) -> None:
    """Print a token; the password is asked for, or in AFFECTCHECK_PASSWORD."""
    values: dict[str, Any] = {"email": email, "password": _secret(_PASSWORD, "Password: "), "name": name, "days": days}
    values |= {"scope": scope} if scope else {}
    found = _visitor(server).call("POST", "/login", values)
    say("the token is shown this once; keep it in AFFECTCHECK_TOKEN")
    emit(found, found["token"], as_json=False)


def register_account(server: Server, email: Email, name: Name) -> None:
    """Make an account; the password is asked for, or in AFFECTCHECK_PASSWORD."""
    values = {"email": email, "name": name, "password": _secret(_PASSWORD, "Password: ")}
    found = _visitor(server).call("POST", "/account", values)
    say(f"{found['email']} has an account")


def organiser(server: Server, email: Email, name: Name) -> None:
    """Become organiser by the code of the first run or of an invitation, asked for, or in AFFECTCHECK_CODE."""
    values = {"email": email, "name": name, "code": _secret(_CODE, "Code: ")}
    values["password"] = _secret(_PASSWORD, "Password: ")
    found = _visitor(server).call("POST", "/organisers", values)
    say(f"{found['email']} is organiser")


def tokens(server: Server, json: Json = False) -> None:
    """List the tokens of one's account that hold."""
    found = portal_events.client(server).call("GET", "/tokens")
    rows = [(one["id"], one["scope"], one["expires"], one["used"] or "never", one["name"]) for one in found]
    emit(found, columns(rows, head=("id", "scope", "holds until", "used", "name")), as_json=json)


def revoke(
    token: Annotated[str, typer.Argument(help="Id of the token, as `portal tokens` lists it.")], server: Server
) -> None:
    """End a token of one's account."""
    portal_events.client(server).call("DELETE", f"/tokens/{portal_events.step(token)}")
    say("revoked")


def password(server: Server) -> None:
    """Change the password; the new one is asked for, or in AFFECTCHECK_NEW_PASSWORD."""
    values = {"old": _secret(_PASSWORD, "Password until now: "), "new": _secret(_NEW, "New password: ")}
    portal_events.client(server).call("POST", "/account/password", values)
    say("changed; logins in browsers have ended, tokens hold")


def invite(server: Server, email: Email) -> None:
    """Invite somebody to organise; prints the code, which is sent to the address too."""
    found = portal_events.client(server).call("POST", "/organisers/invitations", {"email": email})
    emit(found, found["code"], as_json=False)


def _visitor(server: str) -> Any:
    from affectcheck.cli.portal_client import PortalClient  # noqa: PLC0415  # keeps `--help` fast

    return PortalClient(server)


def _secret(variable: str, asked: str) -> str:
    """A secret of the environment, or typed; on a pipe its first line."""
    found = os.environ.get(variable, "")
    if found:
        return found
    return getpass.getpass(asked) if sys.stdin.isatty() else sys.stdin.readline().rstrip("\r\n")
