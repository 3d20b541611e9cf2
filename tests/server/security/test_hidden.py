"""What somebody learns of tracks that are hidden from everyone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affectcheck.server.contests.tracks import publish_contest
from affectcheck.server.faults import NotThereError
from affectcheck.server.identifiers import new_id
from affectcheck.server.ledger.entries import submission_of

if TYPE_CHECKING:
    from portal_scene import Scene


def test_a_submission_of_a_hidden_track_is_as_one_that_is_not_there(scene: Scene) -> None:
    scene.contest()
    mine, other = scene.team("Blue"), scene.team("Red")
    there = scene.send(mine, "faces").id
    publish_contest(scene.portal, scene.organiser, "faces", published=False)
    told = set()
    for asked in (there, new_id(scene.clock())):
        with scene.portal.database.read() as connection, pytest.raises(NotThereError) as refused:
            submission_of(connection, asked, other.captain)
        told.add((refused.value.code, str(refused.value)))
    assert told == {("E_NO_SUBMISSION", "no such submission")}
