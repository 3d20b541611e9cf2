"""Everything of a track in one zip, for its organisers: rows, files of teams, the board, the audit log; no label."""

from __future__ import annotations

import hashlib
import json
import zipfile
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from affectcheck.annotations.toml_text import toml_text
from affectcheck.atomic import whole_file
from affectcheck.challenges import plain
from affectcheck.server.accounts.actors import require
from affectcheck.server.boards.board import board_of
from affectcheck.server.boards.written import board_csv, board_json, board_latex
from affectcheck.server.contests.settings import plain_settings
from affectcheck.server.contests.tracks import contest_of
from affectcheck.server.faults import NotThereError
from affectcheck.server.storage.audit import record
from affectcheck.server.storage.tables import (
    account,
    audit,
    baseline,
    campaign,
    evaluation,
    event,
    label_set,
    membership,
    submission,
    team,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.contests.tracks import Contest
    from affectcheck.server.portal import Portal

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
#: What is in no export.
LEFT_OUT: Final = (
    "label files and what is computed from them by cluster",
    "passwords, logins, tokens and codes",
    "e-mail addresses and letters",
    "the participants' pack, of which the digest stands in contest.json",
)
_BLOCK: Final = 1 << 20
#: Endings of uploads that are packed as they are.
_PACKED: Final = (".zip", ".gz", ".tgz", ".parquet", ".bz2", ".xz")
_ENDINGS: Final = (".csv", ".txt", ".tsv", ".tar", ".tar.gz", *_PACKED)


def export_all(portal: Portal, actor: Actor, slug: str, target: Path) -> None:
    """Write everything of a track, whatever of it is shown to others.

    Args:
        portal: where.
        actor: an organiser.
        slug: the track.
        target: the zip, which is whole or not there.

    Raises:
        NotThereError: no such track.
        WriteError: the file cannot be written.
    """
    require(actor, "organise")
    now = portal.now()
    with portal.database.write() as connection:
        found = contest_of(connection, slug, actor)
        record(connection, actor.id, "contest.export", found.id, {"slug": slug}, now)
    with (
        whole_file(target) as partial,
        zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive,
    ):
        writing = _Writing(archive, now)
        with portal.database.read() as connection:
            found = contest_of(connection, slug, actor)
            _texts(writing, connection, found, actor)
            files = _rows(writing, connection, found)
        for name, digest in files.items():
            writing.file(portal, name, digest)
        writing.manifest({"slug": slug, "version": found.version})


@dataclass
class _Writing:
    """A zip that is written, and the digests of what is in it."""

    archive: zipfile.ZipFile
    now: datetime
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)

    def blocks(self, name: str, blocks: Iterable[bytes]) -> None:
        info = zipfile.ZipInfo(name, self.now.timetuple()[:6])
        info.compress_type = zipfile.ZIP_STORED if name.endswith(_PACKED) else zipfile.ZIP_DEFLATED
        info.external_attr = 0o600 << 16
        seen, size = hashlib.sha256(), 0
        with self.archive.open(info, "w", force_zip64=True) as member:
            for block in blocks:
                member.write(block)
                seen.update(block)
                size += len(block)
        self.files[name] = {"sha256": seen.hexdigest(), "size": size}

    def text(self, name: str, text: str) -> None:
        self.blocks(name, [text.encode()])

    def lines(self, name: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """A line of JSON a row."""
        self.blocks(name, (f"{_json(dict(row))}\n".encode() for row in rows))

    def file(self, portal: Portal, name: str, digest: str) -> None:
        """A file of the uploads."""
        try:
            path = portal.uploads.path(digest)
        except NotThereError:
            self.missing.append(name)
            return
        self.blocks(name, _blocks(path))

    def manifest(self, about: Mapping[str, Any]) -> None:
        """What is in the zip, last of all."""
        found = {"format": FORMAT, "made": self.now, **about, "files": self.files, "missing": self.missing}
        self.text(MANIFEST, json.dumps({**found, "left_out": LEFT_OUT}, default=_told, indent=1) + "\n")


def _texts(writing: _Writing, connection: sa.Connection, found: Contest, actor: Actor) -> None:
    """The track, its settings, and its board as organisers see it."""
    about = {
        "id": found.id,
        "slug": found.slug,
        "event": found.event_slug,
        "event_title": found.event_title,
        "settings": plain_settings(found.settings),
        **{
            name: getattr(found, name)
            for name in ("items", "pack", "label_set", "scorer", "version", "published", "created", "archived")
        },
    }
    writing.text("contest.json", _json(about) + "\n")
    writing.text("track.toml", toml_text(plain(found.track)))
    view = board_of(connection, found, actor, writing.now)
    writing.text("board.csv", board_csv(view))
    writing.text("board.json", board_json(view))
    writing.text("board.tex", board_latex(view))


def _rows(writing: _Writing, connection: sa.Connection, found: Contest) -> dict[str, str]:
    """Rows of all that belongs to the track; names and digests of the files that are to come."""
    files = {"items.parquet": found.items} if found.items else {}
    for row in connection.execute(
        sa.select(submission.c.id, submission.c.file_name, submission.c.digest)
        .where(submission.c.contest == found.id)
        .order_by(submission.c.id)
    ):
        files[f"submissions/{row.id}{_ending(row.file_name)}"] = row.digest
    for name, asked in _asked(found).items():
        rows = connection.execute(asked, execution_options={"yield_per": 200}).mappings()
        writing.lines(name, (dict(row) for row in rows))
    return files


def _asked(found: Contest) -> dict[str, sa.Select[Any]]:
    sent = sa.select(submission.c.id).where(submission.c.contest == found.id)
    teams = sa.select(team.c.id).where(team.c.event == found.event_id)
    labels = sa.select(label_set.c.id).where(label_set.c.contest == found.id)
    campaigns = sa.select(campaign.c.id).where(campaign.c.contest == found.id)
    who = sa.or_(
        audit.c.subject.in_([found.id, found.event_id]),
        *(audit.c.subject.in_(some) for some in (sent, teams, labels, campaigns)),
    )
    evaluations = [column for column in evaluation.c if column.name != "shares"]
    return {
        "event.jsonl": sa.select(event).where(event.c.id == found.event_id),
        "teams.jsonl": sa.select(*(team.c[name] for name in ("id", "name", "affiliation", "frozen", "created")))
        .where(team.c.event == found.event_id)
        .order_by(team.c.id),
        "members.jsonl": sa.select(membership.c.team, membership.c.account, account.c.name, membership.c.captain)
        .join(account, account.c.id == membership.c.account)
        .where(membership.c.event == found.event_id)
        .order_by(membership.c.id),
        "submissions.jsonl": sa.select(submission, team.c.name.label("team_name"))
        .join(team, team.c.id == submission.c.team)
        .where(submission.c.contest == found.id)
        .order_by(submission.c.id),
        "evaluations.jsonl": sa.select(*evaluations).where(evaluation.c.submission.in_(sent)).order_by(evaluation.c.id),
        "labels.jsonl": sa.select(label_set).where(label_set.c.contest == found.id).order_by(label_set.c.number),
        "campaigns.jsonl": sa.select(campaign).where(campaign.c.contest == found.id).order_by(campaign.c.id),
        "baselines.jsonl": sa.select(baseline).where(baseline.c.contest == found.id).order_by(baseline.c.created),
        "audit.jsonl": sa.select(audit).where(who).order_by(audit.c.number),
    }


def _ending(file_name: str) -> str:
    """The ending of a name that somebody gave; none of another kind, since names are never trusted."""
    low = file_name.lower()
    return next((one for one in sorted(_ENDINGS, key=len, reverse=True) if low.endswith(one)), "")


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block


def _json(value: Any) -> str:
    return json.dumps(value, default=_told, ensure_ascii=False, allow_nan=False)


def _told(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"no JSON holds {type(value)}")
