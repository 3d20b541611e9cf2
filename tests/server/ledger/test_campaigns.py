"""Scoring anew: beside the board, then one switch of it, and back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from affectcheck.server.contests.tracks import contest_of
from affectcheck.server.faults import ConflictError, ForbiddenError, NotThereError, RefusedError
from affectcheck.server.ledger import results
from affectcheck.server.ledger.campaigns import (
    Campaign,
    campaign_of,
    campaigns_of,
    cancel,
    changes,
    start_campaign,
    switch,
)
from affectcheck.server.ledger.choosing import withdraw
from affectcheck.server.ledger.organising import disqualify, reinstate
from affectcheck.server.storage import jobs
from affectcheck.server.storage.tables import letter
from portal_scene import LEASE, labels, made_result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.server.contests.tracks import Contest
    from portal_scene import Crew, Scene


def play(scene: Scene) -> tuple[Crew, Crew, dict[str, str]]:
    """Two teams, three scores; Red leads."""
    scene.contest()
    blue, red = scene.team("Blue"), scene.team("Red")
    sent = {"blue": scene.send(blue).id, "red": scene.send(red).id, "old": scene.send(red).id}
    for name, score in (("blue", 0.5), ("red", 0.6), ("old", 0.4)):
        scene.judge("faces", sent[name], score)
    return blue, red, sent


def start(scene: Scene, reason: str = "12 labels were wrong") -> Campaign:
    return start_campaign(scene.portal, scene.organiser, "faces", scene.labels(data=labels(40, seed=7)), reason)


def score(scene: Scene, found: Campaign, values: Mapping[str, float], *, fail: str = "") -> None:
    """What a worker does with the jobs of a campaign."""
    while (held := jobs.claim(scene.portal.database, "one", scene.clock(), LEASE)) is not None:
        with scene.portal.database.write() as connection:
            if held.kind == "standing":
                jobs.finish(connection, held, scene.clock())
                continue
            assert held.campaign == found.id
            assert results.begun(connection, held, scene.clock())
            if held.subject == fail:
                assert results.failed(connection, held, "7", scene.clock())
                continue
            value = values[held.subject]
            made = results.NewEvaluation(found.label_set, found.scorer, value, made_result("faces", value, 40))
            assert results.scored(connection, held, made, scene.clock())


def now(scene: Scene, found: Campaign) -> Campaign:
    with scene.portal.database.read() as connection:
        return campaign_of(connection, found.id, scene.organiser)


def places(scene: Scene) -> list[tuple[str, str]]:
    return [(row.team, row.score.text) for row in scene.board().rows]


def test_a_board_is_switched_as_a_whole_and_back(scene_on_both: Scene) -> None:
    scene = scene_on_both
    _, red, sent = play(scene)
    before = places(scene)
    assert before == [("Red", "0.600"), ("Blue", "0.500")]
    found = start(scene)
    assert (found.state, found.total, found.done) == ("running", 3, 0)
    with pytest.raises(ConflictError):
        switch(scene.portal, scene.organiser, found.id, "faces")
    score(scene, found, {sent["blue"]: 0.7, sent["red"]: 0.1, sent["old"]: 0.65})
    found = now(scene, found)
    assert (found.state, found.done) == ("ready", 3)
    assert places(scene) == before
    with scene.portal.database.read() as connection:
        told = changes(connection, found)
    assert [(row.team, row.place_before, row.place_after) for row in told.teams] == [("Blue", 2, 1), ("Red", 1, 2)]
    assert told.scored == 3
    with pytest.raises(RefusedError) as refused:
        switch(scene.portal, scene.organiser, found.id, "face")
    assert refused.value.code == "E_CONFIRM"
    version = scene.contest_of().version
    assert switch(scene.portal, scene.organiser, found.id, "faces").state == "switched"
    after = [("Blue", "0.700"), ("Red", "0.650")]
    assert places(scene) == after
    assert scene.contest_of().version > version
    with scene.portal.database.read() as connection:
        assert changes(connection, now(scene, found)).plain() == told.plain()
        written = connection.execute(sa.select(letter)).mappings().all()
    assert {red.email} < {one["recipient"] for one in written}
    assert len(written) == 2
    assert all("12 labels were wrong" in one["body"] for one in written)
    assert switch(scene.portal, scene.organiser, found.id, "faces").state == "ready"
    assert places(scene) == before
    assert scene.faults() == []
    switch(scene.portal, scene.organiser, found.id, "faces")
    assert places(scene) == after


def test_what_is_scored_meanwhile_is_scored_for_the_campaign_too(scene: Scene) -> None:
    blue, _, sent = play(scene)
    found = start(scene)
    values = {sent["blue"]: 0.7, sent["red"]: 0.1, sent["old"]: 0.65}
    score(scene, found, values)
    assert now(scene, found).state == "ready"
    new = scene.send(blue).id
    scene.judge("faces", new, 0.9)
    assert now(scene, found).state == "running"
    score(scene, found, {**values, new: 0.2})
    assert (now(scene, found).state, now(scene, found).total) == ("ready", 4)
    switch(scene.portal, scene.organiser, found.id, "faces")
    after = scene.send(blue).id
    scene.judge("faces", after, 0.8)
    assert places(scene)[0] == ("Blue", "0.800")
    with pytest.raises(ConflictError, match="1 of the track's submissions have no score there"):
        switch(scene.portal, scene.organiser, found.id, "faces")
    back = start_campaign(scene.portal, scene.organiser, "faces", found.before["label_set"], "back")
    assert back.total == 1
    score(scene, back, {after: 0.3})
    switch(scene.portal, scene.organiser, back.id, "faces")
    assert places(scene) == [("Blue", "0.900"), ("Red", "0.600")]
    with pytest.raises(ConflictError, match="other scores"):
        switch(scene.portal, scene.organiser, found.id, "faces")
    assert scene.faults() == []


def test_withdrawn_and_disqualified_ones_are_scored_along(scene: Scene) -> None:
    blue, _, sent = play(scene)
    withdraw(scene.portal, blue.captain, sent["blue"])
    disqualify(scene.portal, scene.organiser, sent["red"], "copied")
    found = start(scene)
    assert found.total == 3
    score(scene, found, {sent["blue"]: 0.7, sent["red"]: 0.95, sent["old"]: 0.65})
    switch(scene.portal, scene.organiser, found.id, "faces")
    assert places(scene) == [("Red", "0.650")]
    reinstate(scene.portal, scene.organiser, sent["red"])
    assert places(scene) == [("Red", "0.950")]


def test_a_score_that_fails_holds_the_campaign_up_until_it_is_started_again(scene: Scene) -> None:
    _, _, sent = play(scene)
    values = {sent["blue"]: 0.7, sent["red"]: 0.1, sent["old"]: 0.65}
    found = start(scene)
    score(scene, found, values, fail=sent["old"])
    held = now(scene, found)
    assert (held.state, held.done, held.failed) == ("running", 2, 1)
    assert scene.entry(sent["old"]).state == "scored"
    with scene.portal.database.read() as connection, pytest.raises(ConflictError):
        changes(connection, held)
    again = start_campaign(scene.portal, scene.organiser, "faces", found.label_set, "once more")
    assert (again.id, again.total, again.done, again.failed) == (found.id, 3, 2, 0)
    score(scene, found, values)
    assert now(scene, found).state == "ready"


def test_a_campaign_is_given_up(scene: Scene) -> None:
    play(scene)
    found = start(scene)
    with pytest.raises(ConflictError) as refused:
        start(scene)
    assert refused.value.code == "E_CAMPAIGN"
    cancel(scene.portal, scene.organiser, found.id)
    assert now(scene, found).state == "cancelled"
    assert now(scene, found).total == 0
    with pytest.raises(ConflictError):
        cancel(scene.portal, scene.organiser, found.id)
    with pytest.raises(ConflictError):
        switch(scene.portal, scene.organiser, found.id, "faces")
    assert start(scene).state == "running"
    with scene.portal.database.read() as connection:
        assert len(campaigns_of(connection, scene.contest_of(), scene.organiser)) == 2


def test_a_track_without_scores_is_switched_at_once(scene: Scene) -> None:
    scene.contest()
    found = start(scene)
    assert found.state == "ready"
    assert switch(scene.portal, scene.organiser, found.id, "faces").state == "switched"
    assert scene.contest_of().label_set == found.label_set


def test_a_newer_scorer_comes_on_the_board_by_a_campaign(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    blue, _, sent = play(scene)
    before = places(scene)
    monkeypatch.setattr("affectcheck.server.ledger.campaigns.SCORER", "newer")
    new = scene.send(blue).id
    monkeypatch.setattr(scene, "contest_of", lambda *_: replace(board, scorer="newer"))
    board = contest_of_slug(scene)
    scene.judge("faces", new, 0.99)
    monkeypatch.undo()
    assert places(scene) == before
    assert scene.entry(new).score is None
    monkeypatch.setattr("affectcheck.server.ledger.campaigns.SCORER", "newer")
    found = start_campaign(scene.portal, scene.organiser, "faces", board.label_set, "a new version")
    assert (found.scorer, found.total) == ("newer", 3)
    score(scene, found, {sent["blue"]: 0.5, sent["red"]: 0.6, sent["old"]: 0.4})
    switch(scene.portal, scene.organiser, found.id, "faces")
    assert places(scene) == [("Blue", "0.990"), ("Red", "0.600")]
    assert scene.faults() == []


def contest_of_slug(scene: Scene) -> Contest:
    with scene.portal.database.read() as connection:
        return contest_of(connection, "faces", scene.organiser)


def test_what_no_campaign_is_started_with(scene: Scene) -> None:
    crew, _, _ = play(scene)
    active, waiting = scene.contest_of().label_set, scene.labels(read=False)
    scene.contest("others")
    other = scene.contest_of("others").label_set
    for label_set, error in ((active, ConflictError), (waiting, ConflictError), (other, NotThereError)):
        with pytest.raises(error):
            start_campaign(scene.portal, scene.organiser, "faces", label_set, "why")
    with pytest.raises(RefusedError, match="no reason"):
        start_campaign(scene.portal, scene.organiser, "faces", waiting, " ")
    with pytest.raises(RefusedError, match="invisible"):
        start_campaign(scene.portal, scene.organiser, "faces", waiting, "why\x00")
    with pytest.raises(ForbiddenError):
        start_campaign(scene.portal, crew.captain, "faces", waiting, "why")
    with scene.portal.database.read() as connection, pytest.raises(NotThereError):
        campaign_of(connection, "nothing", scene.organiser)
