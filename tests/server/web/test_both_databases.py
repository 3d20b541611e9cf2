"""Pages read the same from both databases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affectcheck.server.web.app import create_app

from .conftest import Person, main_of

if TYPE_CHECKING:
    from portal_scene import Scene


def test_every_kind_of_page_is_read(scene_on_both: Scene, loop: Any) -> None:
    scene = scene_on_both
    scene.contest()
    crew = scene.team("Alpha")
    sent = scene.send(crew)
    scene.judge("faces", sent.id, 0.7)
    app = create_app(scene.portal)
    visitor, member, organiser = (Person(app, loop) for _ in range(3))
    member.log_in(crew.email)
    organiser.log_in("olga@example.org")
    track = "/organise/tracks/faces"
    for someone, paths in (
        (visitor, ("/", "/events/emotions", "/tracks/faces", "/tracks/faces/board", "/tracks/faces/board.json")),
        (member, ("/account", "/events/emotions/team", "/tracks/faces/submit", "/tracks/faces/submissions")),
        (member, ("/tracks/faces/board", f"/submissions/{sent.id}", f"/submissions/{sent.id}/receipt")),
        (organiser, ("/organise", "/organise/events/emotions", track, f"{track}/submissions", f"{track}/export")),
        (organiser, ("/organise/log?action=team.create&verify=yes", f"/organise/submissions/{sent.id}")),
    ):
        for path in paths:
            answer = someone.get(path)
            assert answer.status_code == 200, (path, main_of(answer))
    assert "0.700" in main_of(visitor.get("/tracks/faces/board"))
    for path in ("/tracks/a%00b", "/organise/log?action=%00&before=%00", "/submissions/%ff%fe", "/events/é\U0001f600"):
        assert organiser.get(path).status_code in {400, 404}, path
