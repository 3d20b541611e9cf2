from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from portal_scene import Scene

    from .conftest import Program, Programs


def test_an_event_is_made_shown_and_changed(organiser: Program, visitor: Program) -> None:
    made = organiser.post("/events", {"slug": "abaw", "title": "ABAW", "team_size": 4})
    assert (made.status_code, made.json()["published"]) == (201, False)
    assert visitor.get("/events/abaw").status_code == 404
    assert visitor.get("/events").json() == []
    assert organiser.post("/events", {"slug": "abaw", "title": "ABAW"}).status_code == 409
    edited = organiser.call("PATCH", "/events/abaw", json={"title": "ABAW 6"})
    assert (edited.json()["title"], edited.json()["team_size"]) == ("ABAW 6", 4)
    assert organiser.post("/events/abaw/publish", {}).json()["published"]
    assert visitor.get("/events/abaw").json()["title"] == "ABAW 6"
    assert [one["slug"] for one in visitor.get("/events").json()] == ["abaw"]
    assert organiser.post("/events/abaw/publish", {"published": False}).json()["published"] is False
    assert visitor.get("/events/abaw").status_code == 404


def test_teams_are_made_joined_left_and_merged(organiser: Program, programs: Programs, scene: Scene) -> None:
    scene.event()
    (ada, _), (bob, _), (eve, _) = (scene.person(name) for name in ("Ada", "Bob", "Eve"))
    first, second, third = (programs.of(one, "submit") for one in (ada, bob, eve))
    made = first.post("/events/emotions/teams", {"name": "Blue", "affiliation": "A University"})
    assert (made.status_code, made.json()["team"]["affiliation"]) == (201, "A University")
    joined = second.post("/teams/join", {"join_code": made.json()["join_code"]})
    assert [one["name"] for one in joined.json()["members"]] == ["Ada", "Bob"]
    assert first.get("/events/emotions/team").json() == joined.json()
    assert third.get("/events/emotions/team").status_code == 404
    assert second.post("/events/emotions/team/code").status_code == 403
    code = first.post("/events/emotions/team/code").json()["join_code"]
    assert third.post("/teams/join", {"join_code": code}).status_code == 200
    assert third.call("DELETE", "/events/emotions/team").status_code == 204
    scene.clock.forward(seconds=1)
    other = third.post("/events/emotions/teams", {"name": "Green"}).json()["team"]["id"]
    assert third.get("/events/emotions/teams").status_code == 403
    assert [one["name"] for one in organiser.get("/events/emotions/teams").json()] == ["Blue", "Green"]
    pair = {"into": joined.json()["id"], "from_team": other}
    merged = organiser.post("/events/emotions/teams/merge", pair)
    assert [one["name"] for one in merged.json()["members"]] == ["Ada", "Bob", "Eve"]
    assert organiser.post("/events/emotions/teams/merge", pair).status_code == 404
