"""Templates of the portal, in the look of the reports."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from affectcheck.challenges import remaining, told
from affectcheck.reports.page import environment
from affectcheck.server.web.assets import asset_path
from affectcheck.server.web.forms import CODE

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

#: What a page says behind an action, by the word that its address carries.
NOTICES: Final = {
    "saved": "Saved.",
    "welcome": "You are logged in.",
    "bye": "You are logged out.",
    "letter": "If there is an account with that address, a letter with a link is on its way.",
    "password": "The password is changed; log in with the new one.",
    "created": "Created.",
    "joined": "You are in the team.",
    "left": "You have left the team.",
    "chosen": "This submission counts for the team from now on.",
    "withdrawn": "The submission is withdrawn.",
    "there": "The team has sent these bytes before: here is what became of them. It cost nothing.",
    "sent": "The file is here and kept. It is checked next; this page tells how that goes.",
    "kept-late": "The file is here and kept, but its last byte came after the end. The organiser decides on it.",
    "revoked": "The token no longer opens anything.",
    "uploaded": "The file is here and kept.",
    "labels": "The labels are here. A worker prepares them; the page of the track tells when they are ready.",
    "opened": "The phase is open.",
    "closed": "The phase is closed.",
    "moved": "The times of the phase are changed, and members are told by letter.",
    "published": "Everybody can see it now.",
    "disqualified": "The submission is disqualified.",
    "reinstated": "The submission is what it was before.",
    "accepted": "The late submission is accepted and will be checked.",
    "again": "It will be checked and scored again.",
    "campaign": "All submissions are being scored anew. The board stays as it is until you switch it.",
    "switched": "The board is switched.",
    "cancelled": "The scoring anew is cancelled; the board stays as it is.",
    "merged": "The teams are merged.",
    "removed": "Removed.",
    "archived": "The track is archived.",
}
_MIB: Final = 1024 * 1024


@cache
def templates() -> Any:
    """The environment, with what every template needs."""
    found = environment("affectcheck.server.web", "affectcheck.reports")
    found.globals.update(asset=asset_path, told=told, remaining=remaining, code_field=CODE)
    found.globals.update(label_choices=label_choices, team_choices=team_choices)
    found.filters.update(size=size_told, moment=moment_told, plural=plural, minute=minute_told)
    return found


def render(template: str, **values: object) -> str:
    """A template with values."""
    return str(templates().get_template(template).render(**values))


def label_choices(sets: Iterable[Any]) -> list[tuple[str, str]]:
    """Sets of labels to choose from."""
    return [(one.id, f"number {one.number}{f': {one.note[:60]}' if one.note else ''}") for one in sets]


def team_choices(teams: Iterable[Any]) -> list[tuple[str, str]]:
    """Teams to choose from."""
    return [(team.id, team.name) for team in teams]


def size_told(size: int) -> str:
    """A number of bytes.

    Example:
        >>> size_told(3 * 1024 * 1024)
        '3.0 MiB'
    """
    if size < 1024:
        return f"{size} bytes"
    return f"{size / 1024:.1f} KiB" if size < _MIB else f"{size / _MIB:.1f} MiB"


def moment_told(moment: datetime) -> str:
    """A moment in UTC."""
    return told(moment).utc


def minute_told(moment: datetime) -> str:
    """A moment in UTC, without seconds."""
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def plural(count: int, noun: str) -> str:
    """A count with its noun.

    Example:
        >>> plural(2, "upload")
        '2 uploads'
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"
