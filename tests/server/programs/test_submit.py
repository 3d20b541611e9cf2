"""``affectcheck submit`` against a portal that is served."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import pytest

from affectcheck.cli import portal_client
from affectcheck.cli.portal_client import LostError, PortalClient, ProblemError, Sent
from affectcheck.errors import InputError
from portal_scene import predictions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.server.portal import Portal
    from portal_scene import Crew, Scene

    Printed = pytest.CaptureFixture[str]

DECLARED = ("--method", "Bäume", "--pretraining", "none")


@pytest.fixture
def crew(scene: Scene, as_: Callable[..., None]) -> Crew:
    scene.contest()
    found = scene.team("Blue")
    as_(found.captain, "submit")
    return found


@pytest.fixture
def file(tmp_path: Path) -> Path:
    found = tmp_path / "predictions.csv"
    found.write_bytes(predictions())
    return found


def test_a_file_is_checked_and_sent_once(
    program: Callable[..., int], scene: Scene, crew: Crew, file: Path, capsys: Printed
) -> None:
    assert program("submit", file, "--track", "faces", *DECLARED, "--json") == 0
    told = capsys.readouterr()
    assert "checked here: 40 rows, valid for Moods of faces" in told.err
    receipt = json.loads(told.out)["receipt"]
    assert (receipt["already"], scene.entry(receipt["id"]).declaration["method"]) == (False, "Bäume")
    assert program("submit", file, "--track", "faces", *DECLARED) == 0
    assert "had arrived before" in capsys.readouterr().out


def test_a_declaration_stands_in_a_file_below_the_options(  # noqa: PLR0917
    program: Callable[..., int], scene: Scene, crew: Crew, file: Path, tmp_path: Path, capsys: Printed
) -> None:
    (tmp_path / "d.toml").write_text('method = "Trees"\npretraining = "none"\ntext = "Of the file."\n')
    declared = ("--declaration", tmp_path / "d.toml", "--method", "Shrubs", "--other-tasks", "--other-data", "faces")
    assert program("submit", file, "-t", "faces", *declared, "--json") == 0
    kept = scene.entry(json.loads(capsys.readouterr().out)["receipt"]["id"]).declaration
    assert (kept["method"], kept["text"], kept["uni_task"]) == ("Shrubs", "Of the file.", False)


def test_nothing_is_sent_that_the_check_here_refuses(
    program: Callable[..., int], scene: Scene, crew: Crew, tmp_path: Path, served: Portal
) -> None:
    short = tmp_path / "short.csv"
    short.write_bytes(predictions(39))
    with pytest.raises(InputError, match="item-0039"):
        program("submit", short, "--track", "faces", *DECLARED)
    with pytest.raises(InputError, match="method: not answered"):
        program("submit", short, "--track", "faces")
    with pytest.raises(InputError, match="not found"):
        program("submit", tmp_path / "none.csv", "--track", "faces", *DECLARED)
    object.__setattr__(served.settings.limits, "upload", 100)
    with pytest.raises(InputError, match="a file of"):
        program("submit", short, "--track", "faces", *DECLARED)
    with pytest.raises(ProblemError, match="no track"):
        program("submit", short, "--track", "none", *DECLARED)
    assert not list(served.uploads.root.glob("incoming/*"))


@pytest.mark.slow
def test_a_score_is_waited_for(
    program: Callable[..., int], scene: Scene, crew: Crew, file: Path, capsys: Printed
) -> None:
    done = threading.Event()

    def work() -> None:
        while not done.is_set():
            scene.work()
            done.wait(0.1)

    worker = threading.Thread(target=work)
    worker.start()
    try:
        assert program("submit", file, "--track", "faces", *DECLARED, "--wait", "--json") == 0
    finally:
        done.set()
        worker.join()
    found = json.loads(capsys.readouterr().out)["submission"]
    assert (found["state"], len(found["score"]["text"])) == ("scored", 5)


def moved_by(scene: Scene, act: Callable[[str], None]) -> threading.Thread:
    """What the worker does with the next submission, beside."""

    def work() -> None:
        import time

        for _ in range(200):
            listed = scene_submissions(scene)
            if listed:
                act(listed[0])
                return
            time.sleep(0.05)

    found = threading.Thread(target=work)
    found.start()
    return found


def scene_submissions(scene: Scene) -> list[str]:
    from affectcheck.server.ledger.entries import all_submissions

    with scene.portal.database.read() as connection:
        return [one.id for one in all_submissions(connection, scene.contest_of(), scene.organiser)]


def test_an_invalid_one_ends_with_the_exit_code_1(
    program: Callable[..., int], scene: Scene, crew: Crew, file: Path, capsys: Printed
) -> None:
    worker = moved_by(scene, scene.refuse)
    assert program("submit", file, "--track", "faces", *DECLARED, "--wait") == 1
    worker.join()
    told = capsys.readouterr()
    assert "state       invalid" in told.out
    assert "what        not of right form" in told.out


def test_a_score_without_feedback_is_told_later(
    program: Callable[..., int], scene: Scene, as_: Callable[..., None], file: Path, capsys: Printed
) -> None:
    from affectcheck.server.contests.settings import TrackSettings

    scene.contest(settings=TrackSettings(feedback="none"))
    as_(scene.team("Blue").captain, "submit")
    worker = moved_by(scene, lambda one: scene.judge("faces", one, 0.7))
    assert program("submit", file, "--track", "faces", *DECLARED, "--wait") == 0
    worker.join()
    assert "score       told when the last phase has ended" in capsys.readouterr().out


def test_a_lost_connection_is_tried_again_and_counts_once(  # noqa: PLR0917
    program: Callable[..., int],
    scene: Scene,
    crew: Crew,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Printed,
) -> None:
    whole, lost = PortalClient._answer, []

    def answer(self: PortalClient, method: str, *rest: Any) -> Any:
        found = whole(self, method, *rest)
        if method == "POST" and len(lost) < 2:  # the portal has it, but we are not told
            lost.append(found)
            raise LostError("the connection broke")
        return found

    monkeypatch.setattr(PortalClient, "_answer", answer)
    assert program("submit", file, "--track", "faces", *DECLARED, "--json") == 0
    assert len(lost) == 2
    receipt = json.loads(capsys.readouterr().out)["receipt"]
    assert receipt["already"]
    assert scene_submissions(scene) == [receipt["id"]]


def test_after_some_tries_it_is_told(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portal_client, "PAUSES_S", (0.01, 0.01))
    with pytest.raises(LostError, match="no answer"):
        PortalClient("http://127.0.0.1:9").send("POST", "/tracks/faces/submissions", Sent(file, {}, {}))


def test_what_a_server_says_before_it_has_read_everything_is_heard(
    scene: Scene, crew: Crew, served: Portal, tmp_path: Path
) -> None:
    object.__setattr__(served.settings.limits, "upload", 100)
    large, seen = tmp_path / "large.csv", []
    large.write_bytes(b"x" * (8 << 20))
    sent = Sent(large, {}, {}, lambda done, _: seen.append(done))
    with pytest.raises(ProblemError) as caught:
        PortalClient.of(served.settings.address).send("POST", "/tracks/faces/submissions", sent)
    assert caught.value.status == 413
    assert seen


def test_a_portal_that_starts_anew_is_waited_for(
    program: Callable[..., int], scene: Scene, crew: Crew, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, lost = PortalClient._answer, []

    def answer(self: PortalClient, method: str, path: str, *rest: Any) -> Any:
        if path.startswith("/submissions/") and len(lost) < most:
            lost.append(path)
            raise LostError("the connection broke")
        return whole(self, method, path, *rest)

    monkeypatch.setattr(PortalClient, "_answer", answer)
    worker = moved_by(scene, scene.refuse)
    most = 2
    assert program("submit", file, "--track", "faces", *DECLARED, "--wait") == 1
    worker.join()
    lost.clear()
    most = 9
    with pytest.raises(LostError, match="broke"):
        program("submit", file, "--track", "faces", *DECLARED, "--wait")
    assert len(lost) == 3


def test_labels_are_sent_once(
    scene: Scene, as_: Callable[..., None], program: Callable[..., int], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.contest()
    as_(scene.organiser, "organise")
    asked = []

    def answer(_: PortalClient, method: str, *__: Any) -> Any:
        asked.append(method)
        raise LostError("the connection broke")

    monkeypatch.setattr(PortalClient, "_answer", answer)
    for what, tries in (("labels", 1), ("items", 3)):
        asked.clear()
        with pytest.raises(LostError):
            program("portal", "track", what, "faces", file)
        assert len(asked) == tries
