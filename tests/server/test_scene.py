"""The scene that other tests stand on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from portal_scene import Scene


def test_a_scene_plays(scene_on_both: Scene) -> None:
    scene = scene_on_both
    scene.contest("faces", items=10)
    blue, red = scene.team("Blue"), scene.team("Red")
    first, second, third = scene.send(blue), scene.send(red), scene.send(blue)
    scene.judge("faces", first.id, 0.5)
    scene.judge("faces", second.id, 0.75)
    scene.refuse(third.id)
    assert [scene.entry(one.id).state for one in (first, second, third)] == ["scored", "scored", "invalid"]
    assert [(row.team, row.place) for row in scene.board().rows] == [("Red", 1), ("Blue", 2)]
    assert scene.faults() == []
