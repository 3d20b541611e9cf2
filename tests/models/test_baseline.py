from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.media.clip import Clip, Item
from affectcheck.models import Baseline, load_model

if TYPE_CHECKING:
    from pathlib import Path


def gained(item: Item, gain_db: float) -> Item:
    samples = (item.audio.samples * np.float32(10.0 ** (gain_db / 20.0))).astype(np.float32)
    return Item(item.key, {"audio": Clip(samples, item.audio.rate_hz)})


def test_learns_pitch(trained: Baseline, items: list[Item]) -> None:
    prediction = trained.predict(items)
    assert prediction.argmax(axis=1).tolist() == [0, 0, 1, 1, 2, 2]
    assert prediction.sum(axis=1) == pytest.approx(1.0)
    assert (prediction > 0).all()


@pytest.mark.parametrize("size", [1, 2, 3, 4, 6])
def test_bit_for_bit_the_same_in_every_batch(trained: Baseline, items: list[Item], size: int) -> None:
    together = trained.predict(items)
    batches = [trained.predict(items[start : start + size]) for start in range(0, len(items), size)]
    assert (np.concatenate(batches) == together).all()
    assert (trained.predict(items[::-1])[::-1] == together).all()


@pytest.mark.parametrize("gain_db", [-12.0, 12.0])
def test_a_gain_changes_nothing(trained: Baseline, items: list[Item], gain_db: float) -> None:
    changed = trained.predict([gained(item, gain_db) for item in items])
    assert changed == pytest.approx(trained.predict(items), abs=1e-5)


def test_no_items_no_rows(trained: Baseline) -> None:
    assert trained.predict([]).shape == (0, 3)


def test_digital_silence_is_predicted(trained: Baseline) -> None:
    silence = Item("silence", {"audio": Clip(np.zeros(16_000, np.float32), 16_000)})
    assert np.isfinite(trained.predict([silence])).all()


def test_dimensions(regressor: Baseline, items: list[Item]) -> None:
    values = regressor.predict(items)
    assert np.corrcoef(values[:, 0], [0.1, 0.2, 0.5, 0.5, 0.9, 0.8])[0, 1] > 0.9
    assert (regressor.card.low, regressor.card.high, regressor.card.output) == (0.0, 1.0, "value")
    assert any("not clipped" in note for note in regressor.card.notes)


def test_saved_and_loaded_predicts_bit_for_bit_the_same(trained: Baseline, items: list[Item], tmp_path: Path) -> None:
    trained.save(tmp_path / "m.npz")
    loaded = load_model(str(tmp_path / "m.npz"))
    assert loaded.card == trained.card
    assert (loaded.predict(items) == trained.predict(items)).all()


def test_equal_models_are_equal_files(trained: Baseline, tmp_path: Path) -> None:
    trained.save(tmp_path / "a.npz")
    Baseline.load(tmp_path / "a.npz").save(tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_the_cache_changes_nothing(trained: Baseline, items: list[Item], tmp_path: Path) -> None:
    cached = trained.with_cache(tmp_path)
    for _ in range(2):
        assert (cached.predict(items) == trained.predict(items)).all()
    assert len(list(tmp_path.rglob("*.f8"))) == len(items)


def test_a_silent_item_is_named(trained: Baseline) -> None:
    with pytest.raises(ValueError, match="item 'mute' has no audio"):
        trained.predict([Item("mute")])


def test_prediction_needs_no_scikit_learn(trained: Baseline, tmp_path: Path) -> None:
    trained.save(tmp_path / "m.npz")
    code = f"""
import sys
sys.modules["sklearn"] = sys.modules["scipy"] = None
import numpy as np
from affectcheck.media.clip import Clip, Item
from affectcheck.models import load_model
model = load_model({str(tmp_path / "m.npz")!r})
print(model.predict([Item("x", {{"audio": Clip(np.ones(900, np.float32), 16000)}})]).shape)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "(1, 3)"
