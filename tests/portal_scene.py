"""A portal with people on it: an organiser, events, tracks with labels, teams and their uploads, by one call each.

    scene.contest("faces", items=40)        # a published track with labels, the event around it made along
    crew = scene.team("Blue")               # a team with its captain
    receipt = scene.send(crew, "faces")     # an upload of right form; predictions drawn from a seed
    scene.judge("faces", receipt.id, 0.7)   # checked and scored without a process: the score is the test's
    scene.work()                            # or: everything that waits is done by a real worker and its children

Everything goes through the functions that pages and API call; nothing is written past them.
"""

from __future__ import annotations

import io
import random
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from affectcheck.server.accounts.actors import SYSTEM
from affectcheck.server.accounts.first_run import first_run_token, make_organiser
from affectcheck.server.accounts.people import register
from affectcheck.server.accounts.teams import create_team
from affectcheck.server.storage import jobs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from affectcheck.challenges import Phase, Track
    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.contests.settings import TrackSettings
    from affectcheck.server.contests.tracks import Contest
    from affectcheck.server.ledger.intake import Receipt
    from affectcheck.server.portal import Portal
    from portal_clock import SetClock

PASSWORD = "nine lives of 7 cats"
MOODS = ("calm", "glad", "grim")
DECLARED = {"method": "Trees", "pretraining": "none"}
LEASE = timedelta(seconds=60)


@dataclass(frozen=True)
class Crew:
    """A team and its captain."""

    id: str
    name: str
    event: str
    captain: Actor
    email: str
    join_code: str


def moods_track(slug: str = "faces", *, submissions: int = 5, phases: Sequence[Phase] = (), **more: Any) -> Track:
    """Three classes, one of which each item has; ranked by macro F1; always open unless phases are stated."""
    from affectcheck.challenges import Track
    from affectcheck.challenges.track_parts import OwnLabels, SubmissionFile

    return Track(
        format=1,
        name=slug,
        title=f"Moods of {slug}",
        scheme="moods",
        own=OwnLabels(labels=MOODS),
        metric="f1_macro",
        submissions=submissions,
        file=SubmissionFile(unit="item", item="item", coding="label", columns=("mood",)),
        phases=tuple(phases),
        **more,
    )


def item_names(count: int) -> list[str]:
    return [f"item-{number:04d}" for number in range(count)]


def predictions(count: int = 40, *, seed: int = 1, moods: Sequence[str] = MOODS) -> bytes:
    """A table of right form, drawn from a seed."""
    drawn = random.Random(seed)
    return "".join(["item,mood\n", *(f"{item},{drawn.choice(moods)}\n" for item in item_names(count))]).encode()


def labels(count: int = 40, *, seed: int = 0) -> bytes:
    """Hidden labels with a column of groups."""
    drawn = random.Random(seed)
    rows = [f"{item},{drawn.choice(MOODS)},{drawn.choice(('female', 'male'))}\n" for item in item_names(count)]
    return "".join(["item,mood,sex\n", *rows]).encode()


def blocks(data: bytes, size: int = 1 << 16) -> Iterable[bytes]:
    stream = io.BytesIO(data)
    return iter(lambda: stream.read(size), b"")


@dataclass
class Scene:
    """A portal and who is on it."""

    portal: Portal
    clock: SetClock
    organiser: Actor
    sizes: dict[str, int] = field(default_factory=dict)
    people: int = 0

    def event(self, slug: str = "emotions", **more: Any) -> Any:
        """A published event; the same one when it is asked for again."""
        from affectcheck.server.contests.events import create_event, event_of, publish_event
        from affectcheck.server.faults import NotThereError

        with self.portal.database.read() as connection:
            try:
                return event_of(connection, slug, self.organiser)
            except NotThereError:
                pass
        create_event(self.portal, self.organiser, slug, slug.title(), **more)
        return publish_event(self.portal, self.organiser, slug)

    def contest(
        self,
        slug: str = "faces",
        track: Track | None = None,
        settings: TrackSettings | None = None,
        *,
        event: str = "emotions",
        items: int = 40,
        labelled: bool = True,
        published: bool = True,
    ) -> Contest:
        """A track with a list of items; with labels that a worker is said to have read, unless ``labelled`` is false."""
        from affectcheck.server.contests.tracks import create_contest, publish_contest, receive_items

        self.event(event)
        self.sizes[slug] = items
        create_contest(self.portal, self.organiser, event, track or moods_track(slug), settings, slug=slug)
        listed = "item\n" + "".join(f"{name}\n" for name in item_names(items))
        receive_items(self.portal, self.organiser, slug, "items.csv", blocks(listed.encode()))
        if labelled:
            self.labels(slug)
        if published:
            publish_contest(self.portal, self.organiser, slug)
        return self.contest_of(slug)

    def labels(self, slug: str = "faces", data: bytes | None = None, *, read: bool = True) -> str:
        """Hidden labels; ``read``: kept for scoring here and now, as a worker's child would; the id of the set."""
        from affectcheck.server.contests.labels import receive_labels

        sent = labels(self.sizes[slug]) if data is None else data
        found = receive_labels(self.portal, self.organiser, slug, "labels.csv", blocks(sent))
        if read:
            self.read_labels(slug, found.id)
        return found.id

    def read_labels(self, slug: str, label_set: str) -> None:
        """What the job of labels does, without a process."""
        import tempfile
        from pathlib import Path

        from affectcheck.challenges import keep_labels
        from affectcheck.server.contests.labels import label_set_of, labels_ready

        board = self.contest_of(slug)
        with self.portal.database.read() as connection:
            found = label_set_of(connection, label_set, self.organiser)
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder) / "labels.csv", Path(folder) / "kept"
            source.write_bytes(self.portal.vault.read(found.digest))
            keep_labels(source, board.track, target)
            kept = self.portal.vault.put(blocks(target.read_bytes()), most=1 << 30)
        job = self._claim(label_set)
        with self.portal.database.write() as connection:
            assert jobs.finish(connection, job, self.clock())
            facts = {
                "items": board.items,
                "height": self.sizes[slug],
                "labelled": self.sizes[slug],
                "groups": {"sex": {}},
            }
            labels_ready(connection, label_set, kept.digest, facts, self.clock())

    def person(self, name: str = "") -> tuple[Actor, str]:
        """Somebody with an account, and the address."""
        self.people += 1
        email = f"person-{self.people}@example.org"
        return register(self.portal, email, name or f"Person {self.people}", PASSWORD), email

    def team(self, name: str, *, event: str = "emotions") -> Crew:
        """A team of one person, its captain."""
        self.event(event)
        captain, email = self.person()
        made = create_team(self.portal, captain, event, name)
        return Crew(made.team.id, name, event, captain, email, made.join_code)

    def send(self, crew: Crew, slug: str = "faces", data: bytes | None = None, **more: Any) -> Receipt:
        """Send an upload; each has other predictions unless its bytes are stated."""
        from affectcheck.server.ledger.intake import receive

        if data is None:
            self.people += 1
            data = predictions(self.sizes[slug], seed=1000 + self.people)
        sent = {"file_name": "predictions.csv", "declaration": DECLARED, "began": self.clock(), **more}
        return receive(self.portal, crew.captain, slug, blocks=blocks(data), **sent)

    def judge(self, slug: str, submission: str, score: float | None, **facts: Any) -> None:
        """Check and score a submission with a score of the test's own, as a worker that found it would write it."""
        from affectcheck.server.ledger import results

        board = self.contest_of(slug)
        job = self._claim(submission)
        if job.kind == "check":
            with self.portal.database.write() as connection:
                assert results.begun(connection, job, self.clock())
            with self.portal.database.write() as connection:
                assert results.checked(connection, job, {"rows": self.sizes[slug], **facts}, self.clock())
            job = self._claim(submission)
        with self.portal.database.write() as connection:
            assert results.begun(connection, job, self.clock())
        found = results.NewEvaluation(board.label_set, board.scorer, score, made_result(slug, score, self.sizes[slug]))
        with self.portal.database.write() as connection:
            assert results.scored(connection, job, found, self.clock())

    def refuse(self, submission: str, code: str = "E_INVALID") -> None:
        """The check of a submission finds it invalid."""
        from affectcheck.server.ledger import results

        job = self._claim(submission)
        fault = {"code": code, "what": "not of right form", "where": "", "expected": "", "cause": ""}
        with self.portal.database.write() as connection:
            assert results.begun(connection, job, self.clock())
        with self.portal.database.write() as connection:
            assert results.refused(connection, job, fault, self.clock())

    def work(self, name: str = "worker", most: int = 1000) -> int:
        """Everything that waits is done by a real worker and its children; how many steps."""
        from affectcheck.server.work.worker import Worker

        worker, done = Worker(self.portal, name), 0
        while done < most and worker.step():
            done += 1
        return done

    def contest_of(self, slug: str = "faces", actor: Actor = SYSTEM) -> Contest:
        from affectcheck.server.contests.tracks import contest_of

        with self.portal.database.read() as connection:
            return contest_of(connection, slug, actor)

    def entry(self, submission: str, actor: Actor | None = None) -> Any:
        """A submission as the organiser, or somebody else, sees it."""
        from affectcheck.server.ledger.entries import submission_of

        with self.portal.database.read() as connection:
            return submission_of(connection, submission, actor or self.organiser, now=self.clock())

    def board(self, slug: str = "faces", actor: Actor | None = None) -> Any:
        """The board as the organiser, or somebody else, sees it."""
        from affectcheck.server.boards.board import board_of

        board = self.contest_of(slug)
        with self.portal.database.read() as connection:
            return board_of(connection, board, actor or self.organiser, self.clock())

    def faults(self) -> list[str]:
        """What is broken."""
        from affectcheck.server.storage.references import UPLOADS, VAULT
        from affectcheck.server.storage.verifying import verify

        return verify(self.portal.database, {UPLOADS: self.portal.uploads, VAULT: self.portal.vault})

    def _claim(self, subject: str) -> jobs.Job:
        """The work about a subject, whatever waits before it."""
        held = []
        while (
            job := jobs.claim(self.portal.database, "scene", self.clock(), LEASE)
        ) is not None and job.subject != subject:
            held.append(job)
        for other in held:
            jobs.give_back(self.portal.database, other)
        assert job is not None, f"no work waits for {subject}"
        return job


def made_result(slug: str, score: float | None, items: int) -> dict[str, Any]:
    """A ``BoardScore`` of one number."""
    from affectcheck.challenges import BoardScore, BoardValue

    reason = "" if score is not None else "no item of a class"
    none: dict[str, Any] = dict.fromkeys(("parts", "others", "groups", "disparities", "videos", "flags", "notes"), ())
    told = {"signature": "made", "labels": "made", "submission": "made", "items": items, "labelled": items}
    return BoardScore(
        track=slug, headline=BoardValue("f1_macro", score, items, items, reason=reason), **none, **told
    ).plain()


def make_scene(portal: Portal, clock: SetClock) -> Scene:
    code = first_run_token(portal)
    assert code is not None
    return Scene(portal, clock, make_organiser(portal, code, "olga@example.org", "Olga", PASSWORD))
