"""Recorded sounds that augmentations mix in, by the role they play; they come from wherever the user has them.

Everything here holds paths only, so that it travels to other processes; what identifies a collection is the content
of its files, never where they lie.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from affectcheck.digest import digest_bytes, digest_file
from affectcheck.errors import InputError, MissingPathError, UnknownNameError

if TYPE_CHECKING:
    import numpy as np

_NOISES: Final = "MUSAN (CC BY 4.0, openslr.org/17) and state --sounds musan:FOLDER"
_REFLEXES: Final = "cough-speech-sneeze (CC BY 4.0) and state --sounds cough-speech-sneeze:FOLDER"
#: What each role is, in a few words, and how to get it.
ROLES: Final[Mapping[str, tuple[str, str]]] = {
    "speech": ("recordings of speech for babble", _NOISES),
    "music": ("recordings of music", _NOISES),
    "environment": ("environmental sounds", _NOISES),
    "cough": ("cough recordings", _REFLEXES),
    "sneeze": ("sneeze recordings", _REFLEXES),
    "position": ("impulse responses of positions", "MARDY and state --sounds mardy:FOLDER"),
    "room": ("impulse responses of rooms", "AIR and state --sounds air:FOLDER"),
}


class SoundsMissingError(InputError, LookupError):
    """An augmentation mixes in sounds that nobody has stated."""

    @classmethod
    def of(cls, role: str) -> SoundsMissingError:
        """Say in one sentence what to get, and how to state it."""
        what, source = ROLES[role]
        return cls(f"no {what}: get {source}, or --sounds {role}=FOLDER")


@dataclass(frozen=True)
class Sound:
    """One recording.

    Attributes:
        key: its name in the collection, the same on every machine.
        path: the file.
        channel: number of the channel that is used, from 0; None is the mean of all.
        variable: what holds the samples in a MATLAB file.
    """

    key: str
    path: Path
    channel: int | None = None
    variable: str = ""


@dataclass(frozen=True)
class Collection:
    """Recordings that play one role.

    Attributes:
        role: one of ``ROLES``.
        name: what the collection is called.
        sounds: its recordings, in the order that they are drawn by.
        reference: key of the one that others are compared with; for impulse responses.
        licence: what the recordings may be used for, as far as it is known.
    """

    role: str
    name: str
    sounds: tuple[Sound, ...]
    reference: str = ""
    licence: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        """The role is known, and there is something to draw from, each by a name of its own."""
        if self.role not in ROLES:
            raise UnknownNameError.of("role of sounds", self.role, ROLES)
        if not self.sounds:
            raise InputError(f"no sounds in {self.name!r}", expected=f"{ROLES[self.role][0]}, one or more")
        keys = {sound.key for sound in self.sounds}
        if len(keys) < len(self.sounds):
            raise InputError(
                f"{len(self.sounds)} sounds of {self.name!r} have {len(keys)} names", expected="a name each"
            )

    @cached_property
    def digest(self) -> str:
        """Digest of keys and contents; it is computed once, and travels with the collection."""
        return digest_bytes(*(part for sound in self.sounds for part in _content(sound)))

    @cached_property
    def _by_key(self) -> dict[str, Sound]:
        return {sound.key: sound for sound in self.sounds}

    def sound(self, key: str) -> Sound:
        """The recording of this key.

        Raises:
            UnknownNameError: there is none.
        """
        found = self._by_key.get(key)
        if found is None:
            raise UnknownNameError.of(f"sound of {self.name}", key, self._by_key)
        return found

    def samples(self, key: str, rate_hz: int) -> np.ndarray:
        """The whole recording; each process keeps those used last.

        Args:
            key: which one.
            rate_hz: sampling rate of the result.

        Returns:
            (n,) float32, not to be written to.

        Raises:
            MediaError: the file cannot be read.
        """
        from affectcheck.augmentations.sound_files import whole  # noqa: PLC0415  # it needs what is defined here

        return whole(self.sound(key), rate_hz)

    def excerpt(self, key: str, rate_hz: int, start: float, n: int) -> np.ndarray:
        """Part of a recording that begins anywhere in it, and goes on at its beginning when it has ended.

        Args:
            key: which one.
            rate_hz: sampling rate of the result.
            start: where it begins, as a share of the recording from 0 to below 1.
            n: number of samples.

        Returns:
            (n,) float32, not to be written to.
        """
        from affectcheck.augmentations.sound_files import looped  # noqa: PLC0415

        return looped(self.sound(key), rate_hz, start, n)


def _content(sound: Sound) -> tuple[str, str, str, str]:
    if not sound.path.is_file():
        raise MissingPathError.of("sound", sound.path)
    return sound.key, digest_file(sound.path), str(sound.channel), sound.variable


@dataclass(frozen=True)
class Sounds:
    """A collection for each role that something is there for.

    Attributes:
        by_role: role to collection.
    """

    by_role: Mapping[str, Collection] = field(default_factory=dict)

    @classmethod
    def of(cls, *collections: Collection) -> Sounds:
        """Sounds of these collections, one a role."""
        return cls({one.role: one for one in collections})

    def __add__(self, other: Sounds) -> Sounds:
        """Both; where they have the same role, that of the second."""
        return Sounds({**self.by_role, **other.by_role})

    def get(self, role: str) -> Collection:
        """The collection of a role.

        Raises:
            SoundsMissingError: there is none; the sentence says what to get.
        """
        if role not in ROLES:
            raise UnknownNameError.of("role of sounds", role, ROLES)
        if role not in self.by_role:
            raise SoundsMissingError.of(role)
        return self.by_role[role]


Reader = Callable[[Path], Collection | Sounds]


def _musan(folder: Path) -> Sounds:
    from affectcheck.augmentations.musan import read_musan  # noqa: PLC0415  # readers need what is defined here

    return read_musan(folder)


def _cough_speech_sneeze(folder: Path) -> Sounds:
    from affectcheck.augmentations.cough_speech_sneeze import read_cough_speech_sneeze  # noqa: PLC0415

    return read_cough_speech_sneeze(folder)


def _air(folder: Path) -> Collection:
    from affectcheck.augmentations.air import read_air  # noqa: PLC0415

    return read_air(folder)


def _mardy(folder: Path) -> Collection:
    from affectcheck.augmentations.mardy import read_mardy  # noqa: PLC0415

    return read_mardy(folder)


#: Name of a database to what reads its folder; other packages may add theirs.
READERS: Final[dict[str, Reader]] = {
    "musan": _musan,
    "cough-speech-sneeze": _cough_speech_sneeze,
    "air": _air,
    "mardy": _mardy,
}


def read_sounds(spec: str | Path) -> Sounds:
    """The sounds that a user states.

    Args:
        spec: ``musan:FOLDER`` or another database of ``READERS``; ``ROLE=FOLDER`` for any folder of recordings, such as
            ``cough=coughs``; or a ``.toml`` file that describes a folder.

    Raises:
        UnknownNameError: no such database or role.
        InputError: the folder has no such sounds, or nothing of this is stated.
        MissingPathError: the folder or file is not there.
    """
    from affectcheck.augmentations.folders import read_described, read_folder  # noqa: PLC0415

    text = str(spec)
    if isinstance(spec, Path) or text.endswith(".toml"):
        role, has_role, path = text.partition("=") if isinstance(spec, str) else ("", "", text)
        if not has_role or role not in ROLES:
            return read_described(Path(text))
        return Sounds.of(read_described(Path(path)).get(role))
    role, has_role, folder = text.partition("=")
    name, has_name, place = text.partition(":")
    if has_role and (role in ROLES or not has_name or name not in READERS):
        return Sounds.of(read_folder(role, _folder(folder)))
    if has_name:
        if name not in READERS:
            raise UnknownNameError.of("database of sounds", name, READERS)
        read = READERS[name](_folder(place))
        return read if isinstance(read, Sounds) else Sounds.of(read)
    raise InputError(
        f"sounds are stated as {text!r}",
        expected=f"NAME:FOLDER with a name of {', '.join(READERS)}; ROLE=FOLDER with a role of {', '.join(ROLES)}; "
        "or a .toml file",
    )


def _folder(text: str) -> Path:
    folder = Path(text).expanduser()
    if not text or not folder.is_dir():
        raise MissingPathError.of("folder of sounds", text or "(none stated)")
    return folder
