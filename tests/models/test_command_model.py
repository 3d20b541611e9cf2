from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.errors import InputError, MissingPathError, ModelError, UnknownNameError
from affectcheck.media.clip import Clip, Item
from affectcheck.models import ModelRaisedError, load_model
from affectcheck.models.command_model import IN_VAIN, CommandModel
from affectcheck.models.command_process import _ending

if TYPE_CHECKING:
    from pathlib import Path

#: Answers with the mean of the clip; some clips make it misbehave.
PROGRAM = """
import json, sys, time, wave
sys.stderr.write("starting\\n")
for line in sys.stdin:
    with wave.open(line.strip()) as file:
        raw, rate = file.readframes(file.getnframes()), file.getframerate()
    samples = [int.from_bytes(raw[i : i + 2], "little", signed=True) / 32768 for i in range(0, len(raw), 2)]
    first = samples[0]
    if first == 0.125:
        print(json.dumps({"error": "too quiet"}), flush=True)
    elif first == 0.25:
        print("no JSON", flush=True)
        print("nor this", flush=True)
    elif first == 0.375:
        time.sleep(30)
    elif first == 0.625:
        sys.exit("cannot go on")
    else:
        print(json.dumps({"arousal": sum(samples) / len(samples), "valence": rate / 16000}), flush=True)
"""
ONCE = """
import json, sys
if "bad" in sys.argv:
    sys.exit("not today")
print("a message")
print(json.dumps([0.5, len(open(sys.argv[-1], "rb").read())]))
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "my program.py"
    path.write_text(PROGRAM)
    return path


def spec(program: Path, options: str = "dimensions=arousal,valence&timeout_s=20", *arguments: str) -> str:
    return f"command:{sys.executable} {' '.join([repr(str(program)), *arguments])}?{options}"


def item(*samples: float, key: str = "a") -> Item:
    return Item(key, {"audio": Clip(np.array(samples, np.float32), 16_000)})


def loaded(text: str) -> CommandModel:
    model = load_model(text)
    assert isinstance(model, CommandModel)
    return model


def test_a_program_gets_paths_and_answers_lines(program: Path) -> None:
    model = loaded(spec(program))
    assert model.predict([item(0.5, -0.25), item(0.75)]).tolist() == [[0.125, 1.0], [0.75, 1.0]]
    assert (model.card.name, model.card.parts) == ("my program", ("arousal", "valence"))
    process = model._own["process"]
    model.predict([item(0.5)])
    assert model._own["process"] is process  # one program for all clips
    model.close()
    assert not process.alive


@pytest.mark.parametrize(
    ("first", "told"),
    [
        (0.125, "the model says: too quiet"),
        (0.25, "no JSON: 'no JSON'"),
        (0.375, "no answer within 1.5 s"),
        (0.625, "ended with 1: starting | cannot go on"),
    ],
)
def test_a_fault_of_one_clip_does_not_touch_the_others(program: Path, first: float, told: str) -> None:
    model = loaded(spec(program, "dimensions=arousal,valence&timeout_s=1.5"))
    with pytest.raises(ModelRaisedError) as raised:
        model.predict([item(first, key="bad")])
    assert told in str(raised.value)
    assert "item 'bad'" in str(raised.value)
    assert model.predict([item(0.75)]).tolist() == [[0.75, 1.0]]
    model.close()


def test_a_program_that_ends_before_it_is_asked_is_told(tmp_path: Path) -> None:
    path = tmp_path / "ends.py"
    path.write_text("import sys; sys.exit('no weights')")
    model = loaded(spec(path))
    with pytest.raises(ModelRaisedError, match="no weights"):
        model.predict([item(0.5)])
    time.sleep(0.2)
    with pytest.raises(ModelRaisedError, match="no weights"):
        model.predict([item(0.5)])


def test_a_program_that_never_answers_ends_the_run(tmp_path: Path) -> None:
    path = tmp_path / "ends.py"
    path.write_text("import os, signal; os.kill(os.getpid(), signal.SIGTERM)")
    model = loaded(spec(path))
    for _ in range(IN_VAIN - 1):
        with pytest.raises(ModelRaisedError, match=r"was ended by signal 15 \(SIGTERM\)"):
            model.predict([item(0.5)])
    with pytest.raises(ModelError, match="answered none of the first 3 clips; the last time: the program") as raised:
        model.predict([item(0.5)])
    assert not isinstance(raised.value, ModelRaisedError)


def test_a_program_that_answered_once_may_fail_on_many_clips(program: Path) -> None:
    model = loaded(spec(program))
    model.predict([item(0.5)])
    for _ in range(IN_VAIN + 2):
        with pytest.raises(ModelRaisedError, match="cannot go on"):
            model.predict([item(0.625)])
    model.close()


def test_lines_that_nobody_asked_for_end_the_run(tmp_path: Path) -> None:
    path = tmp_path / "twice.py"
    path.write_text("import sys\nfor _ in sys.stdin:\n    print('0.5\\n0.25', flush=True)\n")
    model = loaded(spec(path, "dimensions=arousal"))
    assert model.predict([item(0.5)]).tolist() == [[0.5]]
    process = model._own["process"]
    deadline = time.monotonic() + 20
    while process.answers.empty() and time.monotonic() < deadline:
        time.sleep(0.01)
    with pytest.raises(ModelError, match=r"more than one line for a clip: '0\.25'[\s\S]*one line for each") as raised:
        model.predict([item(0.5, key="next")])
    assert not isinstance(raised.value, ModelRaisedError)
    assert not process.alive


def test_a_program_that_ends_between_two_clips_is_told(tmp_path: Path) -> None:
    path = tmp_path / "ends.py"
    path.write_text("import os, sys\nsys.stdin.readline()\nprint(0.5, flush=True)\nos.close(1)\nsys.stdin.read()\n")
    model = loaded(spec(path, "dimensions=arousal"))
    assert model.predict([item(0.5)]).tolist() == [[0.5]]
    process, deadline = model._own["process"], time.monotonic() + 20
    while process.answers.empty() and time.monotonic() < deadline:
        time.sleep(0.01)
    with pytest.raises(ModelRaisedError, match="the program ended"):
        model.predict([item(0.5)])
    assert model.predict([item(0.5)]).tolist() == [[0.5]]
    model.close()


def test_an_ending_without_a_name_has_its_number() -> None:
    assert _ending(-99, "") == "the program was ended by signal 99"
    assert _ending(3, "why") == "the program ended with 3: why"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a program with its parent")
@pytest.mark.parametrize("feed", ["lines", "arguments"])
def test_a_program_does_not_outlive_a_killed_parent(tmp_path: Path, feed: str) -> None:
    told, path = tmp_path / "process", tmp_path / "hangs.py"
    path.write_text(
        f"import os, pathlib, time\npathlib.Path({str(told)!r}).write_text(str(os.getpid()))\ntime.sleep(99)"
    )
    script = (
        "import numpy as np\nfrom affectcheck.models import load_model\nfrom affectcheck.media.clip import Clip, Item\n"
        f"model = load_model({spec(path, f'dimensions=arousal&feed={feed}')!r})\n"
        "model.predict([Item('a', {'audio': Clip(np.zeros(9, np.float32), 16_000)})])"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], env=os.environ | {"TMPDIR": str(tmp_path)})
    deadline = time.monotonic() + 60
    while not (told.is_file() and told.read_text()) and time.monotonic() < deadline:
        time.sleep(0.02)
    parent.kill()
    parent.wait()
    while os.path.exists(f"/proc/{told.read_text()}/cwd") and time.monotonic() < deadline:  # noqa: PTH110  # a zombie's is gone
        time.sleep(0.02)
    assert time.monotonic() < deadline


def test_a_program_may_take_its_path_as_an_argument(tmp_path: Path) -> None:
    path = tmp_path / "once.py"
    path.write_text(ONCE)
    model = loaded(spec(path, "dimensions=arousal,valence&feed=arguments&encoding=float32"))
    assert model.predict([item(0.5, 0.5)]).tolist() == [[0.5, 52.0]]
    bad = loaded(spec(path, "dimensions=arousal,valence&feed=arguments", "bad"))
    with pytest.raises(ModelRaisedError, match="ended with 1: not today"):
        bad.predict([item(0.5)])
    path.write_text("import time; time.sleep(30)")
    with pytest.raises(ModelRaisedError, match=r"no answer within 0\.3 s"):
        loaded(spec(path, "dimensions=arousal&feed=arguments&timeout_s=0.3")).predict([item(0.5)])
    path.write_text("")
    with pytest.raises(ModelRaisedError, match="is no JSON"):
        loaded(spec(path, "dimensions=arousal&feed=arguments")).predict([item(0.5)])


def test_no_clip_is_left_behind(program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "clips"))
    (tmp_path / "clips").mkdir()
    model = loaded(spec(program))
    model.predict([item(0.5)])
    with pytest.raises(ModelRaisedError):
        model.predict([item(0.125)])
    assert list((tmp_path / "clips").iterdir()) == []
    model.close()


def test_it_travels_to_another_process_and_starts_there_anew(program: Path) -> None:
    model = loaded(spec(program))
    model.predict([item(0.5)])
    other = pickle.loads(pickle.dumps(model))
    assert other.predict([item(0.75)]).tolist() == [[0.75, 1.0]]
    assert other._own["process"] is not model._own["process"]
    model.close()
    other.close()


def test_a_model_that_is_forgotten_leaves_no_program_behind(program: Path) -> None:
    model = loaded(spec(program))
    model.predict([item(0.5)])
    process = model._own["process"].process
    del model
    assert process.wait(5) is not None


def test_what_changes_a_prediction_changes_the_digest(program: Path, tmp_path: Path) -> None:
    found = {loaded(spec(program)).card.digest, loaded(spec(program)).card.digest}
    assert len(found) == 1
    found |= {loaded(spec(program, f"dimensions=arousal,valence&{more}")).card.digest for more in ("version=2",)}
    found |= {loaded(spec(program, "dimensions=arousal,valence&encoding=float32")).card.digest}
    found |= {loaded(spec(program, "dimensions=arousal,valence", "--fast")).card.digest}
    program.write_text(PROGRAM + "\n")
    found.add(loaded(spec(program)).card.digest)
    assert len(found) == 5


@pytest.mark.parametrize(
    ("text", "error", "told"),
    [
        ("command:no-such-program-here?labels=a,b", MissingPathError, "program not found: no-such-program-here"),
        ("command:'open?labels=a,b", InputError, "not a command line"),
        ("command: ?labels=a,b", InputError, "no program is named"),
        ("command:cat", InputError, "what the model returns is not declared"),
        ("command:cat?labels=a,b&mode=lines", UnknownNameError, "unknown option 'mode'"),
        ("command:cat?labels=a,b&feed=words", UnknownNameError, "unknown value of feed"),
        ("command:cat?labels=a,b&timeout_s=-1", InputError, "'timeout_s' is -1"),
        ("command:cat?labels=a,b&timeout_s=inf", InputError, "'timeout_s' is inf"),
        ("command:cat?labels=a,b&encoding=mp3", UnknownNameError, "unknown value of encoding"),
    ],
)
def test_what_cannot_be_run_is_told_when_it_is_named(text: str, error: type[Exception], told: str) -> None:
    with pytest.raises(error) as raised:
        load_model(text)
    assert told in str(raised.value)


@pytest.mark.skipif(os.name == "nt", reason="other systems start programs by their suffix")
@pytest.mark.parametrize("feed", ["lines", "arguments"])
def test_a_file_that_is_no_program_is_told(tmp_path: Path, feed: str) -> None:
    path = tmp_path / "program"
    path.write_bytes(b"\x7fELF is not what this is")
    path.chmod(0o755)
    model = loaded(f"command:{path}?labels=a,b&feed={feed}")
    with pytest.raises(ModelError, match="cannot be started"):
        model.predict([item(0.5)])
