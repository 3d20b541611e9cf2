from __future__ import annotations

import errno
import json
import subprocess
import sys
from pathlib import Path

import pytest

from affectcheck.cli.app import VERBS, run
from affectcheck.errors import InputError
from affectcheck.version import __version__


def out_of(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert run(list(words)) == code
    return capsys.readouterr().out


def test_help_names_every_verb_and_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    text = out_of(capsys, "--help")
    assert all(f"\n  {verb} " in text for verb in VERBS)
    assert "1 a verdict failed" in text


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert out_of(capsys, "--version").strip() == __version__


@pytest.mark.parametrize("words", [[verb, "--help"] for verb in VERBS])
def test_every_verb_has_help(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert "Usage:" in out_of(capsys, *words)


@pytest.mark.parametrize("noun", ["datasets", "metrics", "models", "suites", "schemes"])
def test_nouns_list_and_show_as_text_and_as_strict_json(capsys: pytest.CaptureFixture[str], noun: str) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    text = out_of(capsys, noun, "list")
    listed = json.loads(out_of(capsys, noun, "list", "--json"), parse_constant=refuse)
    assert len(listed) >= 2
    for entry in listed[:3]:
        assert entry["name"] in text
        shown = json.loads(out_of(capsys, noun, "show", entry["name"], "--json"), parse_constant=refuse)
        assert shown
        assert entry["name"] in out_of(capsys, noun, "show", entry["name"]) or noun in {"suites", "metrics", "models"}


@pytest.mark.parametrize("noun", ["datasets", "metrics", "models", "suites", "schemes"])
def test_an_unknown_name_is_bad_input_with_the_known_names(capsys: pytest.CaptureFixture[str], noun: str) -> None:
    assert run([noun, "show", "no-such-thing"]) == 2
    message = capsys.readouterr().err
    assert "no-such-thing" in message
    assert "expected" in message
    assert "Traceback" not in message


@pytest.mark.parametrize("words", [["audit"], ["audit", "--no-such-option"], ["no-such-verb"], ["score"]])
def test_wrong_usage_exits_with_2_and_says_what(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert run(words) == 2
    assert capsys.readouterr().err


def test_doctor_names_the_command_that_brings_a_missing_extra(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from importlib import util

    real = util.find_spec
    monkeypatch.setattr(util, "find_spec", lambda name, *rest: None if name == "altair" else real(name, *rest))
    found = json.loads(out_of(capsys, "doctor", "--json"))
    assert found["extras"]["report"]["missing"] == ["altair"]
    assert "pip install 'affectcheck[report]'" in out_of(capsys, "doctor")


def test_our_own_fault_exits_with_3_and_asks_to_be_reported(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import affectcheck.records

    def broken(folder: Path) -> None:
        raise ZeroDivisionError("odd")

    monkeypatch.setattr(affectcheck.records, "find_runs", broken)
    assert run(["runs"]) == 3
    message = capsys.readouterr().err
    assert "ZeroDivisionError: odd" in message
    assert "fault of ours" in message
    assert "Traceback" not in message
    monkeypatch.setenv("AFFECTCHECK_DEBUG", "1")
    assert run(["runs"]) == 3
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code"), [(KeyboardInterrupt(), 130), (InputError("bad"), 2), (BrokenPipeError(), 0)]
)
def test_interrupts_and_bad_input_have_their_codes(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int
) -> None:
    import affectcheck.cli.app as program

    def stop(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(program, "app", stop)
    monkeypatch.setattr(program.os, "dup2", lambda *_: None)
    assert run([]) == code
    if code == 130:
        assert "the same command starts anew" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "keeps"),
    [
        (["predict", "--data", "emodb:x", "--model", "m", "-o", "o.csv"], True),
        (["partition", "audit", "--data", "emodb:x"], True),
        (["partition", "audit", "--data", "emodb:x", "--cache", "c"], True),
        (["partition", "make", "--data", "emodb:x", "-o", "made"], False),
        (["partition", "verify", "made", "--data", "emodb:x"], False),
    ],
)
def test_an_interrupt_within_a_verb_says_what_is_kept(
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    words: list[str],
    keeps: bool,
) -> None:
    import affectcheck.datasets
    import affectcheck.partitions

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(affectcheck.datasets, "load_dataset", interrupted)
    monkeypatch.setattr(affectcheck.partitions, "load_manifest", interrupted)
    assert run(words) == 130
    told = "what was computed is kept in the cache; the same command goes on from there"
    assert (
        capfd.readouterr().err == f"interrupted: {told if keeps else 'nothing is kept; the same command starts anew'}\n"
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_an_output_that_is_full_is_no_fault_of_ours() -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "affectcheck", "schemes", "list"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines()[0] == "error: cannot write the output: No space left on device"
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.parametrize(
    ("closed", "words", "code"),
    [
        (">&-", "schemes list", 0),
        ("2>&-", "schemes list", 0),
        (">&- 2>&-", "schemes list", 0),
        ("2>&-", "runs nowhere", 2),
    ],
)
def test_a_closed_output_changes_no_exit_code(closed: str, words: str, code: int) -> None:
    shell = f"exec {sys.executable} -m affectcheck {words} {closed}"
    done = subprocess.run(["/bin/sh", "-c", shell], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert "Traceback" not in done.stderr


def test_a_full_place_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    import affectcheck.records

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "cache/x")

    monkeypatch.setattr(affectcheck.records, "find_runs", full)
    assert run(["runs"]) == 2
    assert "cannot write cache/x: No space left on device" in capsys.readouterr().err


def test_runs_of_an_empty_and_a_missing_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "(none)" in out_of(capsys, "runs", str(tmp_path)) or out_of(capsys, "runs", str(tmp_path))
    assert run(["runs", str(tmp_path / "nothing")]) == 2


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


HEAVY = ("torch", "scipy", "sklearn", "pandas", "altair", "vl_convert", "matplotlib", "jinja2", "soundfile", "polars")


@pytest.mark.parametrize("what", ["import affectcheck", "from affectcheck.cli.app import run; run(['--help'])"])
def test_the_package_and_its_help_load_nothing_heavy(what: str) -> None:
    code = f"import sys\n{what}\nprint('|'.join(m for m in {HEAVY!r} if m in sys.modules) or 'light', file=sys.stdout)"
    assert python(code).splitlines()[-1] == "light"


def test_every_public_name_loads_and_is_listed() -> None:
    import affectcheck

    assert set(affectcheck.__all__) == {*affectcheck._ROOM_OF, "__version__"}
    for name in affectcheck.__all__:
        assert getattr(affectcheck, name) is not None
    assert dir(affectcheck) == sorted(affectcheck.__all__)
    with pytest.raises(AttributeError, match="no_such"):
        affectcheck.no_such  # noqa: B018


@pytest.mark.parametrize(("words", "code"), [(["metrics", "list", "--json"], 0), (["datasets", "show", "emodb"], 0)])
def test_a_reader_that_has_gone_is_no_error(words: list[str], code: int) -> None:
    program = [sys.executable, "-m", "affectcheck", *words]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run_:
        assert run_.stdout is not None
        assert run_.stderr is not None
        run_.stdout.close()
        assert run_.stderr.read() == b""
        assert run_.wait() == code


@pytest.mark.parametrize(("filename", "code"), [("mine.csv", 2), (None, 3)])
def test_a_path_that_may_not_be_opened_is_the_users(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], filename: str | None, code: int
) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied", filename)

    monkeypatch.setattr("affectcheck.cli.app.app", refuse)
    assert run(["doctor"]) == code
    assert "Permission denied" in capsys.readouterr().err


def test_the_package_runs_as_a_module(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    import runpy

    monkeypatch.setattr(sys, "argv", ["affectcheck", "--version"])
    with pytest.raises(SystemExit) as left:
        runpy.run_module("affectcheck", run_name="__main__")
    assert left.value.code == 0
    assert capsys.readouterr().out.strip() == __version__
