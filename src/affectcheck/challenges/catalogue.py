"""Tracks by name: those that come with the package, and files of anybody's own."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from affectcheck.challenges.track import Track
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.strict import parsed, read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping

_FOLDER: Final = Path(__file__).parent / "tracks"


def track_names() -> tuple[str, ...]:
    """Names of the tracks that come with the package, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


def load_track(name: str | Path) -> Track:
    """A track by name, or from the path of a ``.toml`` file.

    Raises:
        UnknownNameError: no such track.
        MissingPathError: no such file.
        InputError: the file is not TOML, or no track; all faults are in one message.

    Example:
        >>> load_track("abaw6-au").metric
        'p_au'
    """
    if str(name).endswith(".toml"):
        path = Path(name).expanduser()
        return parse_track(read_toml(path, "track"), where=str(path))
    if str(name) not in track_names():
        raise UnknownNameError.of("track", str(name), track_names())
    return _built_in(str(name))


def parse_track(values: Mapping[str, object], *, where: str = "") -> Track:
    """A track from the plain values of a file.

    Raises:
        InputError: see ``load_track``.
    """
    return parsed(Track, values, kind="track", where=where)


@cache
def _built_in(name: str) -> Track:
    path = _FOLDER / f"{name}.toml"
    found = parse_track(read_toml(path, "track"), where=path.name)
    if found.name != name:
        raise InputError(f"a track called {found.name!r}", where=path.name, expected="the name of its file")
    return found
