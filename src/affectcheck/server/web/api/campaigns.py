"""Scoring anew: campaigns that compute beside the board, and one switch."""

from datetime import datetime
from typing import Literal

from affectcheck.server.contests.tracks import contest_of
from affectcheck.server.ledger import campaigns
from affectcheck.server.ledger.changes import changes
from affectcheck.server.web.api.forms import Asked, Id, Key, Line, Slug, Told
from affectcheck.server.web.api.routing import router
from affectcheck.server.web.api.who import Organiser, ThePortal

ROUTES = router("campaigns")


class NewCampaign(Asked):
    """Labels under which everything is scored anew, and why."""

    label_set: Key
    reason: Line


class Confirmation(Asked):
    """The short name of the track, typed."""

    confirm: Line


class CampaignTold(Told):
    """A campaign; once it is ready it can be switched, and once it is switched, switched back."""

    id: str
    slug: str
    label_set: str
    scorer: str
    before: dict[str, str | None]
    state: Literal["running", "ready", "switched", "cancelled"]
    reason: str
    created: datetime
    finished: datetime | None
    total: int
    done: int
    failed: int


class TeamChange(Told):
    """A team before and after a switch."""

    team: str
    place_before: int | None
    place_after: int | None
    score_before: float | None
    score_after: float | None
    key_before: str
    key_after: str
    reason: str
    moves: bool


class ScoreChange(Told):
    """A submission whose score differs."""

    key: str
    team: str
    before: float | None
    after: float | None


class Changes(Told):
    """What a switch would do, or has done."""

    scored: int
    moved: int
    undefined: list[str]
    teams: list[TeamChange]
    scores: list[ScoreChange]


@ROUTES.get("/tracks/{track}/campaigns")
def list_campaigns(track: Slug, actor: Organiser, portal: ThePortal) -> list[CampaignTold]:
    """Campaigns of a track, the newest first."""
    with portal.database.read() as connection:
        found = campaigns.campaigns_of(connection, contest_of(connection, track, actor), actor)
        return [CampaignTold.model_validate(one) for one in found]


@ROUTES.post("/tracks/{track}/campaigns", status_code=202)
def start_campaign(track: Slug, asked: NewCampaign, actor: Organiser, portal: ThePortal) -> CampaignTold:
    """Score all submissions of a track anew; its board does not change meanwhile."""
    return CampaignTold.model_validate(
        campaigns.start_campaign(portal, actor, track, asked.label_set, asked.reason), from_attributes=True
    )


@ROUTES.get("/campaigns/{campaign}")
def show_campaign(campaign: Id, actor: Organiser, portal: ThePortal) -> CampaignTold:
    """How far a campaign is."""
    with portal.database.read() as connection:
        return CampaignTold.model_validate(campaigns.campaign_of(connection, campaign, actor))


@ROUTES.get("/campaigns/{campaign}/changes")
def show_changes(campaign: Id, actor: Organiser, portal: ThePortal) -> Changes:
    """What a campaign that is ready changes: teams by their place afterwards, and scores that differ."""
    with portal.database.read() as connection:
        found = changes(connection, campaigns.campaign_of(connection, campaign, actor))
    return Changes.model_validate(found.plain())


@ROUTES.post("/campaigns/{campaign}/switch")
def switch_campaign(campaign: Id, asked: Confirmation, actor: Organiser, portal: ThePortal) -> CampaignTold:
    """Let the board show the scores of a campaign that is ready; of one that was switched, those before it again."""
    return CampaignTold.model_validate(campaigns.switch(portal, actor, campaign, asked.confirm))


@ROUTES.post("/campaigns/{campaign}/cancel", status_code=204)
def cancel_campaign(campaign: Id, actor: Organiser, portal: ThePortal) -> None:
    """Give a campaign up."""
    campaigns.cancel(portal, actor, campaign)
