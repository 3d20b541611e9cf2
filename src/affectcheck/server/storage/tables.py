"""Tables of the portal, one place for both databases; every change of them is a migration.

Keys are ``identifiers.new_id`` (texts that sort by time and cannot be guessed). Moments are whole microseconds since 1970
in UTC, so that both databases compare them alike. Scores live in ``evaluation`` alone: a board is read from them, and is
never a mark on a submission.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from affectcheck.server.storage.columns import at, flag, key, refers, text

metadata: Final = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

#: A person with an account. ``role``: organiser or member.
account = sa.Table(
    "account",
    metadata,
    key(),
    text("email", 254, unique=True),  # folded to lower case
    text("name", 80),
    text("password"),  # argon2id hash
    sa.Column(
        "role", sa.String(16), sa.CheckConstraint("role IN ('organiser', 'member')", name="role"), nullable=False
    ),
    flag("active", default=True),
    at("created"),
)

#: What is open together, such as the five tracks of one competition; a person is in one team of an event.
event = sa.Table(
    "event",
    metadata,
    key(),
    text("slug", 64, unique=True),
    text("title", 200),
    text("description"),
    sa.Column("team_size", sa.Integer(), nullable=False, default=10),  # most members of a team
    flag("published"),  # seen by everyone; else by organisers
    at("created"),
)

#: ``name_key``: the confusable key of the name. ``join_hash``: of the code by which others join. ``frozen``: no member
#: may be added since a submission was scored.
team = sa.Table(
    "team",
    metadata,
    key(),
    refers("event", "event"),
    text("name", 80),
    text("name_key", 160),
    text("affiliation", 200),
    text("join_hash", 64),
    flag("frozen"),
    at("created"),
    sa.UniqueConstraint("event", "name_key"),
)

membership = sa.Table(
    "membership",
    metadata,
    key(),
    refers("event", "event"),
    refers("team", "team"),
    refers("account", "account"),
    flag("captain"),
    at("created"),
    sa.UniqueConstraint("event", "account"),
)

#: A track of an event. ``track``: values of a ``challenges.Track``. ``settings``: of ``contests.TrackSettings``.
#: ``items``: digest of the blob with the list of what is to be predicted. ``label_set``: the labels that the board shows
#: scores of. ``standing``: intervals of places, and of which submissions. ``version``: grows with every change that a board may show, so that a kept page can be told from an old one.
contest = sa.Table(
    "contest",
    metadata,
    key(),
    refers("event", "event"),
    text("slug", 64, unique=True),
    sa.Column("track", sa.JSON(), nullable=False),
    sa.Column("settings", sa.JSON(), nullable=False),
    text("items", 64),
    text("pack", 64),
    sa.Column("label_set", sa.String(36), nullable=True),
    text("scorer", 32),
    sa.Column("standing", sa.JSON(), nullable=False, default=dict),
    sa.Column("version", sa.Integer(), nullable=False, default=1),
    flag("published"),
    at("created"),
    at("archived", nullable=True),
)

#: Labels of a track; the values lie in the vault, which the web never opens. ``state``: received, ready or refused.
label_set = sa.Table(
    "label_set",
    metadata,
    key(),
    refers("contest", "contest"),
    sa.Column("number", sa.Integer(), nullable=False),  # 1, 2, … of its track
    text("state", 16),
    text("digest", 64),
    text("note"),
    text("fault"),
    sa.Column("facts", sa.JSON(), nullable=False, default=dict),  # counts and groups, no value
    refers("author", "account", nullable=True),
    at("created"),
    sa.UniqueConstraint("contest", "number"),
)

#: An upload of a team. ``state``: of ``challenges.STATES``. ``slot``: 1 to the limit while it holds one. ``digest`` and
#: ``size``: of the file as sent. ``fault``: code, what, where, expected, cause. ``facts``: rows, files, notes, digest of
#: the predictions, flags. ``before``: the state before it was disqualified.
submission = sa.Table(
    "submission",
    metadata,
    key(),
    refers("contest", "contest"),
    refers("team", "team"),
    refers("author", "account"),
    text("phase", 64),
    sa.Column("state", sa.String(16), nullable=False, index=True),
    sa.Column("slot", sa.Integer(), nullable=True),
    text("file_name", 255),
    text("digest", 64),
    sa.Column("size", sa.BigInteger(), nullable=False),
    sa.Column("declaration", sa.JSON(), nullable=False),
    sa.Column("fault", sa.JSON(), nullable=True),
    sa.Column("facts", sa.JSON(), nullable=False, default=dict),
    flag("chosen"),
    text("reason"),  # of a disqualification, a withdrawal or a failure
    text("before", 16),
    at("began"),
    at("received"),
    at("finished", nullable=True),
    sa.UniqueConstraint("team", "contest", "slot"),
    sa.Index("ix_submission_contest_team", "contest", "team"),
)

#: Work to be done: ``kind`` is labels (prepare a label set), check, score or standing; ``subject`` the id it is about.
#: A worker that claims it holds it until ``lease``; ``attempt`` counts claims.
job = sa.Table(
    "job",
    metadata,
    key(),
    text("kind", 16),
    text("subject", 36, index=True),
    text("campaign", 36),
    sa.Column("state", sa.String(16), nullable=False, index=True),  # waiting, running, done, failed, cancelled
    sa.Column("attempt", sa.Integer(), nullable=False, default=0),
    text("worker", 80),
    at("lease", nullable=True),
    sa.Column("done", sa.Integer(), nullable=False, default=0),  # progress: done of total
    sa.Column("total", sa.Integer(), nullable=False, default=0),
    text("fault"),
    at("created", index=True),
    at("finished", nullable=True),
    sa.UniqueConstraint("kind", "subject", "campaign"),
)

#: The score of a submission under one scorer and one set of labels; ``score`` is null where it is undefined.
evaluation = sa.Table(
    "evaluation",
    metadata,
    key(),
    refers("submission", "submission"),
    refers("label_set", "label_set"),
    text("scorer", 32),
    sa.Column("score", sa.Double(), nullable=True),
    sa.Column("result", sa.JSON(), nullable=False),  # a ``challenges.BoardScore``
    text("shares", 64),  # blob in the vault: tallies by cluster, for intervals of places
    at("created"),
    sa.UniqueConstraint("submission", "scorer", "label_set"),
)

#: Scoring anew of all submissions of a track, then one switch of the board.
campaign = sa.Table(
    "campaign",
    metadata,
    key(),
    refers("contest", "contest"),
    refers("label_set", "label_set"),
    text("scorer", 32),
    sa.Column("before", sa.JSON(), nullable=False),  # scorer and label set that the board had
    text("state", 16),  # running, ready, switched, cancelled
    text("reason"),
    refers("author", "account"),
    at("created"),
    at("finished", nullable=True),
)

#: Reference scores and entries of the organiser's that no team holds.
baseline = sa.Table(
    "baseline",
    metadata,
    key(),
    refers("contest", "contest"),
    text("name", 120),
    text("split", 64),
    sa.Column("score", sa.Double(), nullable=False),
    sa.Column("parts", sa.JSON(), nullable=False, default=dict),
    text("source", 400),
    at("created"),
)

#: Logins of browsers; the key is the hash of what the cookie holds.
session = sa.Table(
    "session",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),
    refers("account", "account"),
    at("created"),
    at("expires", index=True),
)

#: Tokens of programs. ``scope``: read, submit or organise.
token = sa.Table(
    "token",
    metadata,
    key(),
    refers("account", "account"),
    text("hash", 64, unique=True),
    text("name", 80),
    text("scope", 16),
    at("created"),
    at("used", nullable=True),
    at("expires", nullable=True),
    at("revoked", nullable=True),
)

#: What may be used once: first-run, invitation or password codes, by hash.
voucher = sa.Table(
    "voucher",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),
    text("kind", 16),
    text("subject", 254),
    at("created"),
    at("expires"),
    at("used", nullable=True),
)

#: Attempts that are limited, such as logins, by key.
attempt = sa.Table(
    "attempt",
    metadata,
    key(),
    text("key", 160, index=True),
    at("at", index=True),
)

#: Mail that waits or was sent.
letter = sa.Table(
    "letter",
    metadata,
    key(),
    text("recipient", 254),
    text("subject", 200),
    text("body"),
    at("created"),
    at("sent", nullable=True),
    sa.Column("attempt", sa.Integer(), nullable=False, default=0),
    text("fault"),
)

#: Who did what; each row carries the hash of the one before, so that no row can be changed or left out unnoticed.
audit = sa.Table(
    "audit",
    metadata,
    sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
    at("at"),
    text("actor", 36),  # account, "system" or "visitor"
    text("action", 64, index=True),
    text("subject", 36, index=True),
    sa.Column("detail", sa.JSON(), nullable=False),
    text("before_hash", 64),
    text("hash", 64, unique=True),
)
