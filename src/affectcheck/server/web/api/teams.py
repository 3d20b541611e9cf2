"""Teams of an event."""

from affectcheck.server.accounts import teams
from affectcheck.server.accounts.teams import team_of, teams_of_event
from affectcheck.server.contests.events import event_of
from affectcheck.server.faults import NotThereError
from affectcheck.server.web.api.forms import Asked, Key, Line, Slug, Told
from affectcheck.server.web.api.routing import router
from affectcheck.server.web.api.who import Organiser, Reader, Submitter, ThePortal

ROUTES = router("teams")


class NewTeam(Asked):
    """A team that is to be."""

    name: Line
    affiliation: Line = ""


class JoinCode(Asked):
    """What a captain has given out."""

    join_code: Line


class Merge(Asked):
    """The team that stays, and the one that goes."""

    into: Key
    from_team: Key


class Member(Told):
    """Somebody in a team."""

    id: str
    name: str
    captain: bool


class Team(Told):
    """A team; once it is frozen, its members no longer change."""

    id: str
    name: str
    affiliation: str
    frozen: bool
    members: list[Member]


class MadeTeam(Told):
    """A team, and the code by which others join; it is shown this once."""

    team: Team
    join_code: str


class Code(Told):
    """The code by which others join; it is shown this once."""

    join_code: str


@ROUTES.post("/events/{event}/teams", status_code=201)
def create_team(event: Slug, asked: NewTeam, actor: Submitter, portal: ThePortal) -> MadeTeam:
    """Make a team, with oneself as captain."""
    return MadeTeam.model_validate(teams.create_team(portal, actor, event, asked.name, asked.affiliation))


@ROUTES.get("/events/{event}/team")
def show_team(event: Slug, actor: Reader, portal: ThePortal) -> Team:
    """One's own team."""
    with portal.database.read() as connection:
        found = team_of(connection, event_of(connection, event, actor).id, actor.id)
    if found is None:
        raise NotThereError("you are in no team of this event", code="E_NO_TEAM", expected="a team made or joined")
    return Team.model_validate(found)


@ROUTES.delete("/events/{event}/team", status_code=204)
def leave_team(event: Slug, actor: Submitter, portal: ThePortal) -> None:
    """Leave one's team."""
    teams.leave_team(portal, actor, event)


@ROUTES.post("/events/{event}/team/code", status_code=201)
def new_join_code(event: Slug, actor: Submitter, portal: ThePortal) -> Code:
    """A new code for one's team; the one before no longer holds."""
    return Code(join_code=teams.new_join_code(portal, actor, event))


@ROUTES.post("/teams/join")
def join_team(asked: JoinCode, actor: Submitter, portal: ThePortal) -> Team:
    """Join the team of a code."""
    return Team.model_validate(teams.join_team(portal, actor, asked.join_code))


@ROUTES.get("/events/{event}/teams")
def list_teams(event: Slug, actor: Organiser, portal: ThePortal) -> list[Team]:
    """All teams, for organisers."""
    with portal.database.read() as connection:
        found = teams_of_event(connection, event_of(connection, event, actor).id)
    return [Team.model_validate(one) for one in found]


@ROUTES.post("/events/{event}/teams/merge")
def merge_teams(event: Slug, asked: Merge, actor: Organiser, portal: ThePortal) -> Team:
    """Make one team of two, where the submissions of both fit into the slots of one."""
    return Team.model_validate(teams.merge_teams(portal, actor, event, asked.into, asked.from_team))
