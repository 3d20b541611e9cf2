"""The file of a saved baseline: arrays and a JSON card in one ``.npz``, read without pickle."""

from __future__ import annotations

import json
import zipfile
import zlib
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.atomic import whole_file
from affectcheck.digest import digest_array
from affectcheck.errors import InputError, MissingPathError
from affectcheck.models.card import ModelCard
from affectcheck.models.feature_sets import FEATURE_SETS, FeatureSetName, feature_set

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FORMAT: Final = "affectcheck-baseline"
FORMAT_VERSION: Final = 2
#: Files of other features than those of speech have the later version, so that a version that knows none says so.
_VERSIONS: Final = {"audio": 1, "image": 2}
ARRAYS: Final = ("mean", "scale", "matrix", "bias")


@dataclass(frozen=True, eq=False)
class SavedBaseline:
    """What a file holds.

    Attributes:
        card: the model's card.
        measured: which features it was made for.
        arrays: name to array.
    """

    card: ModelCard
    measured: FeatureSetName
    arrays: Mapping[str, np.ndarray]


def write_baseline(path: Path, card: ModelCard, measured: FeatureSetName, arrays: Mapping[str, np.ndarray]) -> None:
    """Write a baseline whole or not at all; equal models give equal bytes."""
    if path.suffix != ".npz":
        raise InputError(f"a baseline is not saved as {path.name!r}", expected="a path that ends in .npz")
    header = {
        "format": FORMAT,
        "version": _VERSIONS[feature_set(measured).medium],
        "level": measured,
        "features": feature_set(measured).digest(),
        "card": asdict(card),
        "arrays": {name: digest_array(arrays[name]) for name in ARRAYS},
    }
    text = json.dumps(header, ensure_ascii=False, allow_nan=False, sort_keys=True)
    contents = {name: arrays[name] for name in ARRAYS}
    with whole_file(path) as partial:
        np.savez(partial, header=np.frombuffer(text.encode(), dtype=np.uint8), **contents)  # type: ignore[arg-type]  # the stub's last keyword is a flag


def read_baseline(path: Path) -> SavedBaseline:
    """Read a baseline and check it against its own digests.

    Raises:
        MissingPathError: no such file.
        InputError: not a baseline, damaged, made by a newer version, or for features that have changed since.
    """
    if not path.is_file():
        raise MissingPathError.of("model", path, expected="a .npz file written by `affectcheck train`")
    header, arrays = _contents(path)
    if header.get("version", 0) > FORMAT_VERSION:
        raise InputError(
            f"a baseline of format version {header['version']}",
            where=str(path),
            expected=f"version {FORMAT_VERSION} or lower",
            cause="written by a newer affectcheck; upgrade this one",
        )
    try:
        measured, card, digests = header["level"], _card(header["card"]), header["arrays"]
        sound = measured in FEATURE_SETS and all(digest_array(arrays[name]) == digests[name] for name in ARRAYS)
    except (KeyError, TypeError, AttributeError):
        sound = False
    if not sound:
        raise _damaged(path)
    if header["features"] != feature_set(measured).digest():
        raise InputError(
            "a baseline made for other features than this version measures",
            where=str(path),
            cause="trained with another version of affectcheck; train it again",
        )
    width, height = len(card.parts), len(feature_set(measured).names())
    shapes = {"mean": (height,), "scale": (height,), "matrix": (height, width), "bias": (width,)}
    if any(arrays[n].shape != shapes[n] or not np.isfinite(arrays[n]).all() for n in ARRAYS):
        raise _damaged(path)
    return SavedBaseline(card, measured, {name: arrays[name] for name in ARRAYS})


def _contents(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Header and arrays; whatever is wrong with the container is one error."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {name: np.asarray(archive[name]) for name in archive.files}
        header = json.loads(arrays.pop("header").tobytes().decode())
        known = header["format"] == FORMAT
    except (
        OSError,
        EOFError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise InputError(
            "not a saved baseline",
            where=str(path),
            expected="a .npz file written by `affectcheck train`",
            cause=f"another kind of file, or one that was cut off ({type(error).__name__})",
        ) from error
    if not known:
        raise InputError("not a saved baseline", where=str(path), expected=f"format {FORMAT!r}")
    return header, arrays


def _card(data: Mapping[str, Any]) -> ModelCard:
    known = {f.name for f in fields(ModelCard)}
    values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in data.items() if name in known}
    return ModelCard(**values)


def _damaged(path: Path) -> InputError:
    return InputError(
        "a damaged baseline: its arrays are not those it was saved with",
        where=str(path),
        cause="a file changed by hand or damaged on its way; train it again or copy it anew",
    )
