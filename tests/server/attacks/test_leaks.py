"""T16: no byte of a hidden label in anything that a team can reach, nor in a log, nor in an export."""

from __future__ import annotations

import io
import json
import logging
import re
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from starlette.routing import Route

from affectcheck.challenges import Track
from affectcheck.challenges.track_parts import OwnLabels, SubmissionFile
from affectcheck.server.contests.settings import TrackSettings
from affectcheck.server.faults import RefusedError
from portal_scene import blocks, item_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from portal_scene import Crew, Scene

    from ..api.conftest import Programs  # noqa: TID252  # tests are no package
    from ..web.conftest import Person  # noqa: TID252  # tests are no package

COUNT = 30
#: Values that stand nowhere but in the labels; no rounding of one is looked for, since a score may be like one.
CANARIES = [f"0.{number:02}7182{number:02}81828" for number in range(1, COUNT + 1)]
#: A group that is told of (the board shows it), and one that is not.
SECRET_SUBJECT = "subject-canary-"


def _track() -> Track:
    return Track(
        format=1,
        name="values",
        title="Values",
        scheme="strength",
        own=OwnLabels(dimensions=("strength",), low=-1, high=1),
        metric="ccc",
        file=SubmissionFile(unit="item", item="item", coding="value", columns=("strength",)),
    )


def _labels() -> bytes:
    rows = [
        f"{name},{value},{SECRET_SUBJECT}{n}"
        for n, (name, value) in enumerate(zip(item_names(COUNT), CANARIES, strict=True))
    ]
    return "\n".join(["item,strength,subject", *rows, ""]).encode()


def _predictions(seed: int, **changes: str) -> bytes:
    rows = [
        f"{name},{changes.get(name, f'0.{(number * seed) % 97:02}')}" for number, name in enumerate(item_names(COUNT))
    ]
    return "\n".join(["item,strength", *rows, ""]).encode()


BAD: dict[str, bytes] = {
    "missing": b"\n".join(_predictions(3).splitlines()[:-5]),
    "extra": _predictions(3) + b"item-9999,0.5\n",
    "twice": _predictions(3) + b"item-0001,0.5\n",
    "range": _predictions(3, **{"item-0003": "7"}),
    "nan": _predictions(3, **{"item-0003": "nan"}),
    "header": b"item,weakness\nitem-0000,0\n",
    "nothing": b"",
    "archive": b"PK\x03\x04 and no more",
}


@pytest.fixture
def sent(scene: Scene, caplog: pytest.LogCaptureFixture) -> tuple[Crew, list[str]]:
    """A team that has sent what is right and what is wrong, all of it checked and scored by real children."""
    caplog.set_level(logging.DEBUG)
    settings = TrackSettings(parts_shown=True)
    scene.contest("values", _track(), settings, items=COUNT, labelled=False)
    scene.labels("values", _labels(), read=False)
    assert scene.work() >= 1
    crew, other = scene.team("Blue"), scene.team("Red")
    scene.send(other, "values", _predictions(5))
    ids = [scene.send(crew, "values", _predictions(seed)).id for seed in (7, 11)]
    for data in BAD.values():
        scene.work()  # what is refused gives its slot back
        try:
            ids.append(scene.send(crew, "values", data).id)
        except RefusedError:
            continue
    scene.work()
    states = {scene.entry(one).state for one in ids}
    assert states == {"scored", "invalid"}
    scene.labels("values", _labels().replace(b"0.017182", b"1.017182"), read=False)  # out of range: refused
    scene.work()
    return crew, ids


def _ways(app: Any, track: str, ids: list[str]) -> Iterator[str]:
    """Every address that can be looked at."""
    for route in app.router.routes:
        if isinstance(route, Route) and "GET" in (route.methods or ()):
            for one in ids if re.search(r"\{(id|submission)\}", route.path) else [""]:
                names = {"event": "emotions", "track": track, "id": one, "submission": one}
                yield re.sub(r"\{(\w+)(:\w+)?\}", lambda found, names=names: names.get(found[1], "none"), route.path)
    yield from (f"/api/v1/tracks/{track}/{one}" for one in ("board", "board.csv", "board.tex", "labels", "export"))
    yield from (f"/api/v1/submissions/{one}{more}" for one in ids for more in ("", "/file"))
    yield from ("/labels/portal.db", "/static/../labels", f"/static/%2e%2e/labels/{ids[0]}", f"/tracks/{track}/labels")
    yield f"/tracks/{track}/board/../../../labels"


def _found(content: bytes) -> list[str]:
    """Labels within content, whole or to the digits that a float keeps."""
    return [one for one in CANARIES if one.encode() in content or one[:9].encode() in content] + (
        [SECRET_SUBJECT] if SECRET_SUBJECT.encode() in content else []
    )


@pytest.mark.slow
def test_t16_no_label_in_what_teams_and_visitors_reach(  # noqa: PLR0917  # fixtures
    app: Any, person: Callable[..., Person], programs: Programs, scene: Scene, sent: tuple[Crew, list[str]],
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    crew, ids = sent
    program = programs.of(crew.captain, "submit")
    looked = 0
    for someone in (person(), person(crew.email)):
        for path in _ways(app, "values", ids):
            answer = someone.get(path)
            looked += answer.status_code == 200
            assert _found(answer.content) == [], path
            assert _found(json.dumps(dict(answer.headers)).encode()) == [], path
    for path in _ways(app, "values", ids):
        answer = program.client.request("GET", path, headers={"Authorization": f"Bearer {program.secret}"})
        assert _found(answer.content) == [], path
    for data in BAD.values():
        answer = program.submit("values", data + b"\n")
        assert _found(answer.content) == []
    assert looked > 30
    assert _found(caplog.text.encode()) == []
    assert "canary" not in caplog.text


@pytest.mark.slow
def test_t16_no_label_in_an_export_a_backup_of_uploads_or_an_archive(
    person: Callable[..., Person], scene: Scene, sent: tuple[Crew, list[str]], tmp_path: Path
) -> None:
    from affectcheck.server.boards.export import export_all

    export_all(scene.portal, scene.organiser, "values", tmp_path / "export.zip")
    with zipfile.ZipFile(tmp_path / "export.zip") as archive:
        names = archive.namelist()
        found = {name: _found(archive.read(name)) for name in names}
    assert len(names) > 5
    assert found == {key: [] for key in names}
    for digest in scene.portal.uploads.digests():
        assert _found(_plain(scene.portal.uploads.read(digest))) == [], digest
    answer = person("olga@example.org").get("/organise/tracks/values")
    assert answer.status_code == 200
    assert _found(answer.content) == []


def _plain(content: bytes) -> bytes:
    """A Parquet file as text; anything else as it is."""
    if not content.startswith(b"PAR1"):
        return content
    import polars as pl

    return pl.read_parquet(io.BytesIO(content)).write_csv().encode()


@pytest.mark.slow
def test_t16_the_child_that_checks_is_told_no_label(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a path in the vault nor a variable of the environment that leads to rows or secrets."""
    from affectcheck.server.work import running

    told: list[tuple[Mapping[str, Any], Mapping[str, str]]] = []
    begin = running.subprocess.Popen

    def spy(command: Any, **more: Any) -> Any:
        told.append((more, more["env"]))
        return begin(command, **more)

    requests: list[Mapping[str, Any]] = []
    run = running.run

    def asked(request: Mapping[str, Any], *more: Any) -> Any:
        requests.append(request)
        return run(request, *more)

    monkeypatch.setenv("AFFECTCHECK_DATABASE", "postgresql://me:canary@nowhere/x")
    monkeypatch.setenv("AFFECTCHECK_SECRET", "canary" * 10)
    monkeypatch.setattr(running.subprocess, "Popen", spy)
    monkeypatch.setattr("affectcheck.server.work.handling.run", asked)
    scene.contest("values", _track(), items=COUNT, labelled=False)
    scene.labels("values", _labels(), read=False)
    scene.work()
    scene.send(scene.team("Blue"), "values", _predictions(7))
    scene.work()
    assert [one["kind"] for one in requests][:3] == ["labels", "check", "score"]
    for request, (_, environment) in zip(requests, told, strict=True):
        assert not [name for name in environment if name.startswith("AFFECTCHECK")]
        assert "canary" not in json.dumps([dict(environment), dict(request)])
        if request["kind"] == "check":
            within = re.findall(re.escape(str(scene.portal.vault.root)) + r"(/[^\"]*)", json.dumps(dict(request)))
            assert within  # its own folder, with the list of items linked into it
            assert all(path.startswith("/scratch/") for path in within)
            assert "labels" not in {key for key in request if key != "track"}
        assert "mood" not in json.dumps(request.get("labels", ""))


def test_t16_labels_cannot_be_sent_for_and_not_be_read_back(
    app: Any, person: Callable[..., Person], scene: Scene
) -> None:
    """Not even an organiser gets them out by any address that ends in one of the vault's digests."""
    scene.contest("values", _track(), items=COUNT, labelled=False)
    scene.labels("values", _labels(), read=False)
    digests = list(scene.portal.vault.digests())
    assert digests
    organiser = person("olga@example.org")
    for path in _ways(app, "values", digests):
        assert _found(organiser.get(path).content) == [], path


def test_t16_a_list_made_from_labels_holds_keys_alone(scene: Scene) -> None:
    from affectcheck.server.contests.tracks import create_contest

    scene.event("emotions")
    create_contest(scene.portal, scene.organiser, "emotions", _track(), slug="bare")
    scene.sizes["bare"] = COUNT
    from affectcheck.server.contests.labels import receive_labels

    receive_labels(scene.portal, scene.organiser, "bare", "labels.csv", blocks(_labels()))
    scene.work()
    board = scene.contest_of("bare")
    assert board.items
    listed = _plain(scene.portal.uploads.read(board.items))
    assert _found(listed) == []
    assert item_names(COUNT)[0].encode() in listed
