"""Piper's voices, by a stand-in of the package: files, keys and samples; nothing is downloaded."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pytest

from affectcheck.datasets.speech_synthesis import load_speaker
from affectcheck.errors import AffectcheckError, ExtraMissingError, InputError, MissingPathError, UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path


class Voice:
    """Says one chunk a word, as loud as the noise it is allowed."""

    loaded: ClassVar[list[str]] = []

    def __init__(self, path: str) -> None:
        self.path = path

    @classmethod
    def load(cls, path: str) -> Voice:
        cls.loaded.append(path)
        return cls(path)

    def synthesize(self, text: str, syn_config: SimpleNamespace) -> list[SimpleNamespace]:
        assert (syn_config.noise_scale, syn_config.noise_w_scale) == (0.0, 0.0)
        return [SimpleNamespace(audio_float_array=np.full(len(word), 0.5), sample_rate=22_050) for word in text.split()]


@pytest.fixture
def piper(monkeypatch: pytest.MonkeyPatch) -> None:
    package = ModuleType("piper")
    package.PiperVoice, package.SynthesisConfig = Voice, SimpleNamespace
    monkeypatch.setitem(sys.modules, "piper", package)
    monkeypatch.setattr(Voice, "loaded", [])


@pytest.fixture
def voices(tmp_path: Path) -> Path:
    for name in ("de_DE-thorsten-medium", "zh_CN-huayan-medium"):
        (tmp_path / f"{name}.onnx").write_bytes(name.encode())
        (tmp_path / f"{name}.onnx.json").write_text("{}")
    return tmp_path


def test_a_folder_has_one_voice_a_language(voices: Path, piper: None) -> None:
    speaker = load_speaker(f"piper:{voices}")
    assert speaker.name == f"piper-{voices.name}"
    clip = speaker.speak("Das ist ein Satz.", "de", 1)
    assert (clip.rate_hz, clip.samples.dtype, len(clip.samples)) == (22_050, np.float32, 14)
    assert speaker.speak("Das ist ein Satz.", "de", 2).digest == clip.digest
    assert Voice.loaded == [str(voices / "de_DE-thorsten-medium.onnx")], "loaded once"
    with pytest.raises(UnknownNameError, match="'fr'"):
        speaker.key("fr")
    with pytest.raises(AffectcheckError, match="said nothing"):
        speaker.speak("", "zh", 1)


def test_the_key_follows_the_files_not_their_place(voices: Path, piper: None) -> None:
    speaker = load_speaker(f"piper:{voices / 'de_DE-thorsten-medium.onnx'}")
    assert speaker.name == "piper-de_DE-thorsten-medium"
    key = speaker.key("de")
    assert key == speaker.key("de")
    assert str(voices) not in key
    (voices / "de_DE-thorsten-medium.onnx.json").write_text('{"other": 1}')
    assert load_speaker(f"piper:{voices}").key("de") != key


def test_without_the_package_the_extra_is_named(voices: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "piper", None)
    with pytest.raises(ExtraMissingError) as caught:
        load_speaker(f"piper:{voices}").key("de")
    assert "affectcheck[piper]" in str(caught.value)


def test_voices_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no voice is stated"):
        load_speaker("piper")
    with pytest.raises(MissingPathError, match="voice of Piper"):
        load_speaker(f"piper:{tmp_path / 'nowhere'}")
    with pytest.raises(InputError, match="holds no voice"):
        load_speaker(f"piper:{tmp_path}")
    (tmp_path / "de_DE-a-low.onnx").touch()
    with pytest.raises(MissingPathError, match="configuration of a voice"):
        load_speaker(f"piper:{tmp_path}")
    (tmp_path / "de_DE-a-low.onnx.json").touch()
    for end in ("onnx", "onnx.json"):
        (tmp_path / f"de_AT-b-low.{end}").touch()
    with pytest.raises(InputError, match="two voices of 'de'"):
        load_speaker(f"piper:{tmp_path}")
