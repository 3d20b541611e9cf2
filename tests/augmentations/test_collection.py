"""Recorded sounds: what a user may state, what is read of it, and what identifies it."""

from __future__ import annotations

import pickle
import re
import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.augmentations import (
    AUGMENTATIONS,
    READERS,
    ROLES,
    Collection,
    Sound,
    Sounds,
    SoundsMissingError,
    make_augmentation,
    read_sounds,
    sound_files,
)
from affectcheck.augmentations.augmentation import describe_parameters
from affectcheck.errors import ExtraMissingError, InputError, MediaError, MissingPathError, UnknownNameError
from recorded_sounds import RATE_HZ, noise, write, write_sounds

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def musan(tmp_path: Path) -> Path:
    root = tmp_path / "in" / "musan"
    for name in ("music/fma/music-fma-0001.wav", "speech/librivox/speech-librivox-0001.wav"):
        write(root / name, noise(name))
    for name in ("noise/free-sound/noise-free-sound-0001.wav", "noise/sound-bible/noise-sound-bible-0002.wav"):
        write(root / name, noise(name))
    (root / "music" / "fma" / "ANNOTATIONS").write_text("music-fma-0001 genre Y artist composer\n")
    (root / "noise" / "free-sound" / "LICENSE").write_text("of each file")
    (root / "noise" / "free-sound" / "._noise-free-sound-0001.wav").write_bytes(b"\0\5\x16\7")
    return root


def keys(collection: Collection) -> list[str]:
    return [sound.key for sound in collection.sounds]


def test_musan_has_three_roles(musan: Path) -> None:
    for spec in (f"musan:{musan}", f"musan:{musan.parent}"):
        read = read_sounds(spec)
        assert set(read.by_role) == {"speech", "music", "environment"}
        assert keys(read.get("environment")) == [
            "noise/free-sound/noise-free-sound-0001.wav",
            "noise/sound-bible/noise-sound-bible-0002.wav",
        ]
        assert read.get("music").licence == "CC BY 4.0"
    shutil.rmtree(musan / "speech")
    with pytest.raises(SoundsMissingError, match="no recordings of speech for babble"):
        read_sounds(f"musan:{musan}").get("speech")
    with pytest.raises(InputError, match="not MUSAN"):
        read_sounds(f"musan:{musan / 'music'}")


def test_cough_speech_sneeze_has_two_roles(tmp_path: Path) -> None:
    root = tmp_path / "cough-speech-sneeze" / "2.0.1"
    for name in ("coughing/abc_1.0-2.0.wav", "sneezing/def_3-4.5.wav", "speech/x_1-2.wav", "silence/x_1-2.wav"):
        write(root / name, noise(name))
    for folder in (root, tmp_path):
        read = read_sounds(f"cough-speech-sneeze:{folder}")
        assert {role: keys(one) for role, one in read.by_role.items()} == {
            "cough": ["coughing/abc_1.0-2.0.wav"],
            "sneeze": ["sneezing/def_3-4.5.wav"],
        }
    shutil.rmtree(root / "coughing")
    (root / "coughing").mkdir()
    assert set(read_sounds(f"cough-speech-sneeze:{root}").by_role) == {"sneeze"}
    with pytest.raises(InputError, match="not cough-speech-sneeze"):
        read_sounds(f"cough-speech-sneeze:{root / 'speech'}")


def test_any_folder_has_a_role(tmp_path: Path) -> None:
    write(tmp_path / "b" / "two.wav", noise("two"))
    write(tmp_path / "one.WAV", noise("one"))
    (tmp_path / "notes.txt").write_text("of a recording")
    (tmp_path / ".hidden.wav").write_bytes(b"")
    read = read_sounds(f"cough={tmp_path}")
    assert keys(read.get("cough")) == ["b/two.wav", "one.WAV"]
    with pytest.raises(UnknownNameError, match="did you mean 'cough'"):
        read_sounds(f"coughs={tmp_path}")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no recordings"):
        read_sounds(f"music={tmp_path / 'empty'}")


def test_what_is_stated_wrongly_is_told(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError, match="folder of sounds not found"):
        read_sounds(f"musan:{tmp_path / 'nowhere'}")
    with pytest.raises(MissingPathError, match="none stated"):
        read_sounds("cough=")
    with pytest.raises(UnknownNameError, match="unknown database of sounds 'musam'"):
        read_sounds(f"musam:{tmp_path}")
    with pytest.raises(InputError, match="NAME:FOLDER"):
        read_sounds("musan")
    with pytest.raises(UnknownNameError, match="unknown role of sounds 'hiccup'"):
        Sounds().get("hiccup")
    with pytest.raises(UnknownNameError, match="unknown role of sounds 'hiccup'"):
        Collection("hiccup", "mine", (Sound("a", tmp_path),))
    with pytest.raises(InputError, match="no sounds in 'mine'"):
        Collection("cough", "mine", ())
    with pytest.raises(InputError, match="2 sounds of 'mine' have 1 names"):
        Collection("cough", "mine", (Sound("a", tmp_path), Sound("a", tmp_path / "b")))


@pytest.mark.parametrize("role", ROLES)
def test_a_missing_role_says_what_to_get(role: str) -> None:
    with pytest.raises(SoundsMissingError, match=f"get .* and state --sounds .*:FOLDER, or --sounds {role}=FOLDER"):
        Sounds().get(role)


def test_other_packages_add_databases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = Collection("music", "mine", (Sound("a", tmp_path),))
    monkeypatch.setitem(READERS, "mine", lambda folder: mine)
    assert read_sounds(f"mine:{tmp_path}").get("music") is mine


@pytest.fixture
def described(tmp_path: Path) -> Path:
    for name in ("rain/a.wav", "rain/b.wav", "songs/c.wav"):
        write(tmp_path / "data" / name, noise(name))
    path = tmp_path / "sounds.toml"
    path.write_text(
        'name = "mine"\nlicence = "CC0"\nfolder = "data"\n'
        '[roles.environment]\nfiles = ["rain/*.wav"]\nexclude = "rain/b*"\n'
        '[roles.music]\nfiles = "songs/*"\nlicence = "CC BY 3.0"\nchannel = 0\n'
        '[roles.room]\nfolder = "data/rain"\nreference = "a.wav"\n'
    )
    return path


def test_a_description_says_roles_licences_and_files(described: Path) -> None:
    for spec in (described, str(described)):
        read = read_sounds(spec)
        assert keys(read.get("environment")) == ["rain/a.wav"]
        assert (read.get("environment").name, read.get("environment").licence) == ("mine", "CC0")
        assert (read.get("music").licence, read.get("music").sounds[0].channel) == ("CC BY 3.0", 0)
        assert (keys(read.get("room")), read.get("room").reference) == (["a.wav", "b.wav"], "a.wav")
    assert set(read_sounds(f"music={described}").by_role) == {"music"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[roles", "no TOML"),
        ("", "no roles"),
        ("roles = 3", "no roles"),
        ("[roles]\ncough = 3", "is no table"),
        ("[roles.hiccup]", "unknown role of sounds 'hiccup'"),
        ("title = 'x'\n[roles.cough]", "unknown field of a description of sounds 'title'"),
        ("[roles.cough]\nfile = 'x'", "did you mean 'files'"),
        ("[roles.cough]\nfiles = 3", "files is 3"),
        ("[roles.cough]\nfiles = ['../*.wav']", "globs in the folder"),
        ("[roles.cough]\nfiles = ['nothing/*']", "no file is matched"),
        ("[roles.cough]\nchannel = -1", "channel is -1"),
        ("[roles.cough]\nchannel = true", "channel is True"),
        ("[roles.cough]\nlicence = 3", "licence is 3"),
        ("[roles.cough]\nfolder = 'nowhere'", "folder of sounds not found"),
    ],
)
def test_faults_of_a_description_are_told(tmp_path: Path, text: str, message: str) -> None:
    write(tmp_path / "a.wav", noise("a"))
    (tmp_path / "sounds.toml").write_text(text)
    with pytest.raises(InputError, match=re.escape(message)):
        read_sounds(tmp_path / "sounds.toml")


def test_a_description_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError, match="description of sounds not found"):
        read_sounds(tmp_path / "sounds.toml")


def test_the_later_of_two_collections_of_a_role_counts(sounds: Sounds, tmp_path: Path) -> None:
    own = Collection("cough", "own", (Sound("a", write(tmp_path / "a.wav", noise("a"))),))
    both = sounds + Sounds.of(own)
    assert both.get("cough") is own
    assert both.get("music") is sounds.get("music")


def test_content_and_names_identify_a_collection_not_its_place(tmp_path: Path) -> None:
    one, other = (write_sounds(tmp_path / place).get("cough") for place in ("one", "other"))
    assert one.digest == other.digest
    assert one != other
    copied = pickle.loads(pickle.dumps(one))
    shutil.rmtree(tmp_path / "one")
    assert copied.digest == one.digest  # it travels; workers do not read every file again
    write(tmp_path / "other" / "cough" / "a.wav", noise("another"))
    assert write_sounds(tmp_path / "third").get("cough").digest == other.digest
    changed = Collection("cough", "tiny", other.sounds)
    assert changed.digest != other.digest
    (tmp_path / "other" / "cough" / "a.wav").unlink()
    with pytest.raises(MissingPathError, match="sound not found"):
        _ = Collection("cough", "tiny", other.sounds).digest


def test_keys_hold_the_content_of_sounds(sounds: Sounds) -> None:
    @dataclass(frozen=True)
    class Mixes:
        collection: Collection

    collection = sounds.get("music")
    assert describe_parameters("mixes", Mixes(collection)) == f"mixes(collection={collection.digest[:16]})"


def test_augmentations_get_the_sounds_of_their_role(sounds: Sounds, monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True)
    class Laugh:
        ROLE = "sneeze"
        collection: Collection | None = None

    monkeypatch.setitem(AUGMENTATIONS._parts, "laugh", Laugh)
    assert make_augmentation("laugh", sounds=sounds).collection is sounds.get("sneeze")  # type: ignore[attr-defined]
    assert make_augmentation("laugh", {"collection": None}) == Laugh()
    for none in (None, Sounds()):
        with pytest.raises(SoundsMissingError, match="no sneeze recordings"):
            make_augmentation("laugh", sounds=none)


class TestSamples:
    """Decoding; it needs the extra that decodes sound."""

    @pytest.fixture(autouse=True)
    def extra(self) -> None:
        pytest.importorskip("soundfile")
        pytest.importorskip("soxr")

    def test_samples_are_read_once_and_kept(self, sounds: Sounds) -> None:
        music = sounds.get("music")
        first = music.samples("b", RATE_HZ)
        assert first.dtype == np.float32
        assert np.abs(first - noise("musicb")).max() < 1e-4
        assert music.samples("b", RATE_HZ) is first
        assert not first.flags.writeable
        assert len(music.samples("b", RATE_HZ // 2)) == len(first) // 2
        with pytest.raises(UnknownNameError, match="sound of tiny 'z'"):
            music.samples("z", RATE_HZ)

    def test_memory_is_bounded(self, sounds: Sounds, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sound_files, "CACHE_BYTES", 10_000)
        monkeypatch.setattr(sound_files, "_kept", type(sound_files._kept)())
        music = sounds.get("music")
        a = music.samples("a", RATE_HZ)
        music.samples("b", RATE_HZ)
        assert len(sound_files._kept) == 1
        assert music.samples("a", RATE_HZ) is not a
        assert np.array_equal(music.samples("a", RATE_HZ), a)

    def test_excerpts_go_on_at_the_beginning(self, sounds: Sounds) -> None:
        music = sounds.get("music")
        whole = music.samples("c", RATE_HZ)
        part = music.excerpt("c", RATE_HZ, 0.75, 4_500)
        assert np.array_equal(part, np.concatenate([whole[1_500:], whole, whole])[:4_500])
        assert np.array_equal(music.excerpt("c", RATE_HZ, 0.25, 1_000), whole[500:1_500])

    def test_a_part_of_a_long_recording_is_the_same_as_of_the_whole(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sound_files, "_LONG_S", 1)
        sound = Sound("long", write(tmp_path / "long.wav", noise("long", 30_000)))
        collection = Collection("music", "long", (sound,))
        for start in (0.0, 0.123, 0.9, 0.99):
            part = collection.excerpt("long", RATE_HZ, start, 3_000)
            assert np.array_equal(
                part, np.resize(np.roll(sound_files.whole(sound, RATE_HZ), -int(start * 30_000)), 3_000)
            )

    @pytest.mark.parametrize("long_s", [0, 60])
    def test_channels_are_chosen(self, tmp_path: Path, long_s: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sound_files, "_LONG_S", long_s)
        path = write(tmp_path / "two.wav", np.stack([noise("left", 9_000), noise("right", 9_000)], axis=1))
        for channel, expected in ((0, noise("left", 9_000)), (1, noise("right", 9_000))):
            collection = Collection("music", "two", (Sound("a", path, channel),))
            assert np.abs(collection.samples("a", RATE_HZ) - expected).max() < 1e-4
            assert np.abs(collection.excerpt("a", RATE_HZ, 0.5, 1_000) - expected[4_500:5_500]).max() < 1e-4

    def test_missing_packages_are_named(self, sounds: Sounds, monkeypatch: pytest.MonkeyPatch) -> None:
        music = sounds.get("music")
        monkeypatch.setitem(sys.modules, "soundfile", None)
        sound_files._length.cache_clear()
        with pytest.raises(ExtraMissingError, match="soundfile"):
            music.excerpt("a", 44_100, 0.0, 10)

    def test_what_cannot_be_decoded_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "a.wav").write_bytes(b"no sound")
        collection = Collection("music", "faulty", (Sound("a", tmp_path / "a.wav"),))
        with pytest.raises(MediaError):
            collection.excerpt("a", RATE_HZ, 0.5, 1_000)
