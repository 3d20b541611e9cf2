from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affectcheck.models import FeatureCache, feature_sets, features

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.media.clip import Clip


def never(*_: object, **__: object) -> None:
    raise AssertionError("measured again")


def test_what_is_known_is_not_measured_again(
    tmp_path: Path, make_voice: Callable[..., Clip], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = FeatureCache(tmp_path)
    first = cache.features(make_voice(200.0))
    monkeypatch.setattr(feature_sets, "features", never)
    assert (cache.features(make_voice(200.0)) == first).all()
    with pytest.raises(AssertionError, match="measured again"):
        cache.features(make_voice(201.0))


def test_without_a_folder_nothing_is_kept(make_voice: Callable[..., Clip]) -> None:
    assert (FeatureCache(None).features(make_voice(200.0)) == features(make_voice(200.0))).all()


def test_a_file_that_was_cut_off_is_measured_again(tmp_path: Path, make_voice: Callable[..., Clip]) -> None:
    cache = FeatureCache(tmp_path)
    clip = make_voice(200.0)
    first = cache.features(clip)
    cache.path(clip).write_bytes(cache.path(clip).read_bytes()[:100])
    assert (cache.features(clip) == first).all()
    assert cache.path(clip).stat().st_size == 8 * len(first) + 16


@pytest.mark.parametrize("other", [300.0, None])
def test_a_file_of_the_right_length_with_other_numbers_is_measured_again(
    tmp_path: Path, make_voice: Callable[..., Clip], other: float | None
) -> None:
    cache = FeatureCache(tmp_path)
    clip = make_voice(200.0)
    first = cache.features(clip)
    damaged = bytearray(cache.path(clip).read_bytes())
    damaged[5] ^= 1
    if other is not None:
        cache.features(make_voice(other))
        damaged = bytearray(cache.path(make_voice(other)).read_bytes())
    cache.path(clip).write_bytes(damaged)
    assert (cache.features(clip) == first).all()


def test_features_wait_for_no_disk(
    tmp_path: Path, make_voice: Callable[..., Clip], monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    monkeypatch.setattr(os, "fsync", never)  # a file that a lost machine cut off is measured again
    FeatureCache(tmp_path).features(make_voice(200.0))
    assert [one for one in tmp_path.rglob("*") if one.is_file()] == [FeatureCache(tmp_path).path(make_voice(200.0))]


def test_levels_do_not_share_a_file(tmp_path: Path, make_voice: Callable[..., Clip]) -> None:
    clip = make_voice(200.0)
    assert FeatureCache(tmp_path).path(clip) != FeatureCache(tmp_path, "sensitive").path(clip)
