"""``affectcheck portal`` against a portal that is served."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING

import pytest

from affectcheck.cli.portal_client import LostError, PortalClient, ProblemError
from affectcheck.errors import InputError
from affectcheck.server.accounts.first_run import first_run_token
from portal_scene import item_names, labels, predictions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.server.portal import Portal
    from portal_scene import Scene

    Printed = pytest.CaptureFixture[str]

PASSWORD = "nine lives of 7 cats"
TRACK = """
format = 1
name = "faces"
title = "Faces"
scheme = "moods"
metric = "f1_macro"
[own]
labels = ["calm", "glad", "grim"]
[file]
coding = "label"
columns = ["mood"]
"""


@pytest.fixture
def secrets(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv("AFFECTCHECK_PASSWORD", PASSWORD)
    monkeypatch.delenv("AFFECTCHECK_TOKEN", raising=False)
    return monkeypatch


def test_an_organiser_opens_a_challenge_without_a_browser(
    program: Callable[..., int], served: Portal, secrets: pytest.MonkeyPatch, tmp_path: Path, capsys: Printed
) -> None:
    secrets.setenv("AFFECTCHECK_CODE", first_run_token(served) or "")
    assert program("portal", "organiser", "--email", "olga@example.org", "--name", "Olga") == 0
    assert program("portal", "login", "--email", "olga@example.org") == 0
    secrets.setenv("AFFECTCHECK_TOKEN", capsys.readouterr().out.strip())
    assert program("portal", "event", "new", "emotions", "--title", "Emotions") == 0
    (tmp_path / "faces.toml").write_text(TRACK)
    (tmp_path / "settings.toml").write_text("digits = 2\n")
    program("portal", "track", "new", "emotions", tmp_path / "faces.toml", "--settings", tmp_path / "settings.toml")
    (tmp_path / "items.csv").write_text("item\n" + "".join(f"{name}\n" for name in item_names(12)))
    (tmp_path / "labels.csv").write_bytes(labels(12))
    (tmp_path / "pack.zip").write_bytes(b"PK\x05\x06" + bytes(18))
    program("portal", "track", "items", "faces", tmp_path / "items.csv")
    program("portal", "track", "pack", "faces", tmp_path / "pack.zip")
    capsys.readouterr()
    program("portal", "track", "labels", "faces", tmp_path / "labels.csv", "--note", "first")
    key = capsys.readouterr().out.strip()
    program("portal", "track", "label-sets", "faces")
    assert key in capsys.readouterr().out
    program("portal", "track", "publish", "faces")
    program("portal", "event", "publish", "emotions")
    (tmp_path / "settings.toml").write_text("digits = 3\n")
    program("portal", "track", "settings", "faces", tmp_path / "settings.toml")
    program("portal", "track", "close", "faces", "open", "--reason", "enough")
    capsys.readouterr()
    program("portal", "track", "show", "faces", "--json")
    told = json.loads(capsys.readouterr().out)
    assert (told["settings"]["digits"], told["phases"][0]["state"], told["has_items"]) == (3, "after", True)
    program("portal", "track", "open", "faces", "open", "--reason", "not enough")
    program("portal", "track", "show", "faces")
    shown = capsys.readouterr().out
    assert "phase open" in shown
    assert "to no end)" in shown
    assert "None" not in shown
    secrets.delenv("AFFECTCHECK_TOKEN")
    program("portal", "event", "list")
    assert "emotions" in capsys.readouterr().out
    program("portal", "track", "download-items", "faces", tmp_path / "given.parquet")
    program("portal", "track", "download-pack", "faces", tmp_path / "given.zip")
    assert (tmp_path / "given.zip").read_bytes() == (tmp_path / "pack.zip").read_bytes()
    assert (tmp_path / "given.parquet").read_bytes().startswith(b"PAR1")


def test_people_make_teams_without_a_browser(
    program: Callable[..., int], scene: Scene, secrets: pytest.MonkeyPatch, capsys: Printed
) -> None:
    scene.event()

    def log_in(name: str) -> None:
        email = f"{name.lower()}@example.org"
        program("portal", "register", "--email", email, "--name", name)
        capsys.readouterr()
        program("portal", "login", "--email", email, "--scope", "submit", "--days", 3)
        secrets.setenv("AFFECTCHECK_TOKEN", capsys.readouterr().out.strip())

    log_in("Ada")
    program("portal", "team", "new", "emotions", "--name", "Blue", "--affiliation", "A University")
    program("portal", "team", "code", "emotions")
    code = capsys.readouterr().out.split()[-1]
    log_in("Bob")
    program("portal", "team", "join", code)
    program("portal", "team", "show", "emotions")
    assert "captain" in capsys.readouterr().out
    program("portal", "team", "leave", "emotions")
    with pytest.raises(ProblemError, match="in no team"):
        program("portal", "team", "show", "emotions")
    with pytest.raises(ProblemError, match="token of the scope"):
        program("portal", "team", "list", "emotions")


def test_an_organiser_judges(
    program: Callable[..., int], scene: Scene, as_: Callable[..., None], capsys: Printed
) -> None:
    scene.contest()
    one = scene.send(scene.team("Blue"))
    scene.judge("faces", one.id, 0.7)
    as_(scene.organiser, "organise")
    assert program("portal", "disqualify", one.id, "--reason", "two accounts") == 0
    program("portal", "submissions", "faces", "--state", "disqualified")
    assert one.id in capsys.readouterr().out
    program("portal", "reinstate", one.id)
    program("portal", "submission", one.id)
    assert json.loads(capsys.readouterr().out)["state"] == "scored"
    with pytest.raises(ProblemError):
        program("portal", "accept-late", one.id)
    with pytest.raises(ProblemError):
        program("portal", "rerun", one.id)


def test_labels_are_mended_and_everything_is_exported(
    program: Callable[..., int], scene: Scene, as_: Callable[..., None], tmp_path: Path, capsys: Printed
) -> None:
    scene.contest()
    blue, green = scene.team("Blue"), scene.team("Green")
    scene.judge("faces", scene.send(blue).id, 0.7)
    scene.judge("faces", scene.send(green).id, 0.6)
    as_(scene.organiser, "organise")
    mended = scene.labels("faces", labels(40, seed=9))
    capsys.readouterr()
    program("portal", "rescore", "faces", "--labels", mended, "--reason", "item 7 was wrong")
    key = capsys.readouterr().out.strip()
    program("portal", "campaign", key)
    assert "running, 0 of 2" in capsys.readouterr().out
    with pytest.raises(ProblemError, match="running"):
        program("portal", "switch", key, "--confirm", "faces")
    program("portal", "cancel", key)
    program("portal", "board", "faces")
    assert "Blue" in capsys.readouterr().out
    for form, sign in (("csv", "Blue"), ("tex", r"\toprule"), ("json", '"rows"')):
        program("portal", "board", "faces", "--as", form)
        assert sign in capsys.readouterr().out
    program("portal", "export", "faces", tmp_path / "all.zip")
    assert zipfile.is_zipfile(tmp_path / "all.zip")
    capsys.readouterr()
    assert program("portal", "audit", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["rows"][-1]["action"], found["state"]["faults"]) == ("contest.export", [])
    program("portal", "team", "list", "emotions")
    assert blue.id in capsys.readouterr().out
    program("portal", "team", "merge", "emotions", "--into", blue.id, "--from", green.id)
    program("portal", "track", "publish", "faces", "--hide")
    program("portal", "event", "publish", "emotions", "--hide")
    with pytest.raises(ProblemError, match="not over"):
        program("portal", "track", "archive", "faces")


def test_a_team_withdraws(program: Callable[..., int], scene: Scene, as_: Callable[..., None], capsys: Printed) -> None:
    scene.contest()
    blue = scene.team("Blue")
    one = scene.send(blue, data=predictions())
    scene.judge("faces", one.id, 0.7)
    as_(blue.captain, "submit")
    with pytest.raises(ProblemError, match="nothing is chosen"):
        program("portal", "choose", one.id)
    program("portal", "withdraw", one.id, "--reason", "an error of ours")
    program("portal", "submissions", "faces")
    assert "withdrawn" in capsys.readouterr().out


def test_mistakes_are_told(program: Callable[..., int], secrets: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no token"):
        program("portal", "team", "show", "emotions")
    with pytest.raises(InputError, match="no address"):
        program("portal", "event", "list", "--server", "example.org")
    with pytest.raises(LostError, match="no answer from"):
        program("portal", "event", "list", "--server", "http://127.0.0.1:9")
    with pytest.raises(InputError, match="without encryption"):
        PortalClient("http://challenge.example.org", "afc_x")
    assert PortalClient("https://challenge.example.org/", "afc_x").server == "https://challenge.example.org"
    secrets.setenv("AFFECTCHECK_TOKEN", "afc_none")
    with pytest.raises(InputError, match="not found"):
        program("portal", "track", "items", "faces", tmp_path / "none.csv")


def test_a_portal_says_why(program: Callable[..., int], scene: Scene, secrets: pytest.MonkeyPatch) -> None:
    assert scene.organiser
    secrets.setenv("AFFECTCHECK_TOKEN", "afc_none")
    with pytest.raises(ProblemError, match="does not hold") as caught:
        program("portal", "team", "show", "emotions")
    assert (caught.value.status, caught.value.code) == (401, "E_TOKEN")
    assert ProblemError.of(502, b"<html>").what == "the server answered 502, and not as a portal does"
    assert ProblemError.of(500, b"[1]").what == "the server answered 500, and not as a portal does"
    assert "again from 2027" in ProblemError.of(429, b'{"what": "x", "again": "2027-01-01T00:00:00Z"}').cause


def test_secrets_come_from_a_pipe_too(
    program: Callable[..., int], scene: Scene, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    import io

    _, email = scene.person("Ada")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
    assert program("portal", "login", "--email", email) == 0
    assert capsys.readouterr().out.startswith("afc_")


def test_an_account_is_kept_without_a_browser(
    program: Callable[..., int], scene: Scene, secrets: pytest.MonkeyPatch, capsys: Printed
) -> None:
    from affectcheck.server.accounts.people import sign_in

    _, email = scene.person("Ada")
    program("portal", "login", "--email", email, "--name", "one")
    secrets.setenv("AFFECTCHECK_TOKEN", capsys.readouterr().out.strip())
    program("portal", "login", "--email", email, "--name", "other")
    capsys.readouterr()
    program("portal", "tokens", "--json")
    key = next(found["id"] for found in json.loads(capsys.readouterr().out) if found["name"] == "other")
    program("portal", "revoke", key)
    capsys.readouterr()
    program("portal", "tokens")
    told = capsys.readouterr().out
    assert "one" in told
    assert key not in told
    secrets.setenv("AFFECTCHECK_NEW_PASSWORD", "a wholly other 5 word phrase")
    program("portal", "password")
    assert sign_in(scene.portal, email, "a wholly other 5 word phrase", address="192.0.2.1").actor.name == "Ada"
    with pytest.raises(ProblemError, match="token of the scope"):
        program("portal", "invite", "--email", "otto@example.org")


def test_an_organiser_edits_what_is_there(
    program: Callable[..., int], scene: Scene, as_: Callable[..., None], tmp_path: Path, capsys: Printed
) -> None:
    scene.contest()
    one = scene.send(scene.team("Blue"), data=predictions())
    as_(scene.organiser, "organise")
    program("portal", "event", "edit", "emotions", "--title", "Emotions 2027", "--team-size", 3)
    assert "Emotions 2027, teams of at most 3" in capsys.readouterr().err
    phases = '[[phases]]\nname = "open"\n[[phases]]\nname = "test"\nopens = 2026-04-01T00:00:00Z\n'
    (tmp_path / "phases.toml").write_text(phases)
    with pytest.raises(ProblemError, match="opens before"):
        program("portal", "track", "phases", "faces", tmp_path / "phases.toml", "--reason", "dates are known")
    (tmp_path / "phases.toml").write_text('[[phases]]\nname = "open"\ncloses = 2026-04-01T00:00:00Z\n')
    program("portal", "track", "phases", "faces", tmp_path / "phases.toml", "--reason", "dates are known")
    assert "open: open" in capsys.readouterr().err
    stated = ("--name", "majority", "--split", "test", "--score", 0.25, "--source", "ours")
    program("portal", "track", "baseline", "faces", *stated)
    capsys.readouterr()
    program("portal", "track", "baselines", "faces", "--json")
    key = json.loads(capsys.readouterr().out)[0]["id"]
    program("portal", "track", "remove-baseline", "faces", key)
    program("portal", "track", "baselines", "faces")
    assert key not in capsys.readouterr().out
    program("portal", "download", one.id, tmp_path / "theirs.csv")
    assert (tmp_path / "theirs.csv").read_bytes() == predictions()
    capsys.readouterr()
    program("portal", "invite", "--email", "otto@example.org")
    assert len(capsys.readouterr().out.strip()) > 20
