"""``affectcheck portal event`` and ``team``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from affectcheck.cli.output import Json, columns, emit, say
from affectcheck.cli.portal_words import EventName, Server


def register(noun: typer.Typer) -> None:
    """Add the nouns."""
    event = typer.Typer(help="Events: what is open together.", no_args_is_help=True)
    noun.add_typer(event, name="event")
    event.command("list")(list_events)
    event.command("new")(new_event)
    event.command("edit")(edit_event)
    event.command("publish")(publish_event)
    team = typer.Typer(help="One's team in an event.", no_args_is_help=True)
    noun.add_typer(team, name="team")
    team.command("new")(new_team)
    team.command("join")(join_team)
    team.command("show")(show_team)
    team.command("code")(new_code)
    team.command("leave")(leave_team)
    team.command("list")(list_teams)
    team.command("merge")(merge_teams)


def client(server: str, *, needs_token: bool = True) -> Any:
    """The portal, with the token of the environment."""
    from affectcheck.cli.portal_client import PortalClient  # noqa: PLC0415  # keeps `--help` fast

    return PortalClient.of(server, needs_token=needs_token)


def list_events(server: Server, json: Json = False) -> None:
    """List events and their tracks."""
    asked = client(server, needs_token=False)
    found = [
        {**one, "tracks": [track["slug"] for track in asked.call("GET", f"/events/{one['slug']}/tracks")]}
        for one in asked.call("GET", "/events")
    ]
    rows = [(one["slug"], "yes" if one["published"] else "no", ", ".join(one["tracks"]), one["title"]) for one in found]
    emit(found, columns(rows, head=("event", "published", "tracks", "title")), as_json=json)


def new_event(
    slug: Annotated[str, typer.Argument(help="Its short name: small letters, digits and hyphens.")],
    server: Server,
    title: Annotated[str, typer.Option("--title", help="What it is called on pages.")],
    description: Annotated[str, typer.Option("--description", help="Paragraphs for people.")] = "",
    team_size: Annotated[int, typer.Option("--team-size", min=1, help="Most members of a team.")] = 10,
) -> None:
    """Make an event, which organisers alone see until it is published."""
    values = {"slug": slug, "title": title, "description": description, "team_size": team_size}
    say(f"event {client(server).call('POST', '/events', values)['slug']}")


def edit_event(
    event: EventName,
    server: Server,
    title: Annotated[str, typer.Option("--title", help="What it is called on pages.")] = "",
    description: Annotated[str | None, typer.Option("--description", help="Paragraphs for people.")] = None,
    team_size: Annotated[int | None, typer.Option("--team-size", min=1, help="Most members of a team.")] = None,
) -> None:
    """Change what is written of an event; what is not stated stays."""
    values = {"title": title or None, "description": description, "team_size": team_size}
    found = client(server).call("PATCH", f"/events/{step(event)}", values)
    say(f"event {found['slug']}: {found['title']}, teams of at most {found['team_size']}")


def publish_event(
    event: EventName, server: Server, hide: Annotated[bool, typer.Option("--hide", help="Hide it again.")] = False
) -> None:
    """Show an event to everyone."""
    found = client(server).call("POST", f"/events/{step(event)}/publish", {"published": not hide})
    say(f"event {found['slug']} is {'published' if found['published'] else 'hidden'}")


def new_team(
    event: EventName,
    server: Server,
    name: Annotated[str, typer.Option("--name", help="Its name on boards.")],
    affiliation: Annotated[str, typer.Option("--affiliation", help="Where it is from.")] = "",
    json: Json = False,
) -> None:
    """Make a team; the code by which others join is printed this once."""
    found = client(server).call("POST", f"/events/{step(event)}/teams", {"name": name, "affiliation": affiliation})
    say(f"team {found['team']['name']}; others join with this code, which is shown this once:")
    emit(found, found["join_code"], as_json=json)


def join_team(code: Annotated[str, typer.Argument(help="What its captain has given out.")], server: Server) -> None:
    """Join a team."""
    found = client(server).call("POST", "/teams/join", {"join_code": code})
    say(f"team {found['name']}: {', '.join(one['name'] for one in found['members'])}")


def show_team(event: EventName, server: Server, json: Json = False) -> None:
    """Show one's team."""
    found = client(server).call("GET", f"/events/{step(event)}/team")
    emit(found, _team_text(found), as_json=json)


def new_code(event: EventName, server: Server) -> None:
    """Print a new code by which others join one's team."""
    found = client(server).call("POST", f"/events/{step(event)}/team/code")
    emit(found, found["join_code"], as_json=False)


def leave_team(event: EventName, server: Server) -> None:
    """Leave one's team."""
    client(server).call("DELETE", f"/events/{step(event)}/team")
    say("left")


def list_teams(event: EventName, server: Server, json: Json = False) -> None:
    """List all teams, for organisers."""
    found = client(server).call("GET", f"/events/{step(event)}/teams")
    rows = [(one["id"], one["name"], len(one["members"]), one["affiliation"]) for one in found]
    emit(found, columns(rows, head=("id", "team", "members", "affiliation")), as_json=json)


def merge_teams(
    event: EventName,
    server: Server,
    into: Annotated[str, typer.Option("--into", help="Id of the team that stays.")],
    from_: Annotated[str, typer.Option("--from", help="Id of the team that goes.")],
) -> None:
    """Make one team of two, for organisers."""
    found = client(server).call("POST", f"/events/{step(event)}/teams/merge", {"into": into, "from_team": from_})
    say(_team_text(found))


def step(name: str) -> str:
    """A name as a step of a path."""
    from affectcheck.cli.portal_client import step as quoted  # noqa: PLC0415

    return quoted(name)


def _team_text(found: dict[str, Any]) -> str:
    rows = [(one["name"], "captain" if one["captain"] else "") for one in found["members"]]
    return f"{found['name']}{' (closed)' if found['frozen'] else ''}\n{columns(rows)}"
