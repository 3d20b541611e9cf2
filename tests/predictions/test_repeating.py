"""Models that do not answer the same again, or not alone as among others: told, once, and kept; others are not touched."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from small_models import SILENT, ByKey, Louder, Loudness
from small_perturbations import write_sounds

from affectcheck.annotations.table import AnnotationTable
from affectcheck.errors import InputError
from affectcheck.models.card import ModelCard
from affectcheck.predictions import REPEATED, PredictOptions, no_progress, predict, predict_sets
from affectcheck.predictions.repeating import KIND, spread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from affectcheck.media.clip import Item

VALUES = ModelCard("values", "dimensions", ("valence",), "value", media=(), low=-1, high=1, digest="w")


def keys(items: int = 9) -> AnnotationTable:
    return AnnotationTable(pl.DataFrame({"item": [f"i{n}" for n in range(items)]}), name="made")


@dataclass
class Drawing:
    """Adds something new to each answer."""

    step: float = 0.5
    card: ModelCard = SILENT
    calls: list[tuple[str, ...]] = field(default_factory=list)
    ticks: Iterator[int] = field(default_factory=count)

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        self.calls.append(tuple(item.key for item in items))
        return np.array([[next(self.ticks) * self.step] + [0.3] * (len(self.card.parts) - 1) for _ in items])


@dataclass
class Among:
    """Takes the mean of its batch away."""

    card: ModelCard = SILENT

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        found = np.array([[float(item.key[1:]), 1.0] for item in items])
        return found - found.mean(axis=0)


def looking(**options: object) -> PredictOptions:
    return PredictOptions(repeated=REPEATED, progress=no_progress, **options)  # type: ignore[arg-type]  # as stated


def test_few_items_from_first_to_last() -> None:
    assert spread(9, 3) == {0, 4, 8}
    assert spread(2, 3) == {0, 1}
    assert spread(1, 3) == {0}


def test_a_model_that_answers_the_same_has_no_caution() -> None:
    model = ByKey()
    made = predict(model, keys(), options=looking())
    assert made.faults == ()
    assert made.frame.equals(predict(ByKey(), keys()).frame)
    assert sorted(model.calls) == sorted([f"i{n}" for n in range(9)] + ["i0", "i4", "i8"] * 2)


def test_one_that_draws_has_one() -> None:
    model = Drawing()
    (fault,) = predict(model, keys(), options=looking()).faults
    assert (fault.item, fault.kind, fault.severity) == ("", KIND, "warning")
    assert "of 3 items predicted three times, 3 differ, by up to 1 (" in fault.message
    assert "does not answer the same again" in fault.message
    assert "; 1 got another class; likely dropout left on" in fault.message
    assert predict(Drawing(), keys()).faults == (), "nobody asked"


def test_values_are_measured_by_their_range() -> None:
    (fault,) = predict(Drawing(0.01, VALUES), keys(), options=looking()).faults[:1]
    assert "another class" not in fault.message
    assert predict(Drawing(0.00001, VALUES), keys(3), options=looking()).faults == ()


def test_one_that_hangs_on_its_batch() -> None:
    (fault,) = predict(Among(), keys(), options=looking(batch=3)).faults
    assert "does not answer the same alone as among others: of 3 items predicted three times, 2 differ" in fault.message
    assert "batch normalisation left in training" in fault.message
    assert predict(Among(), keys(), options=looking()).faults == (), "alone, it answers the same"


@pytest.mark.parametrize("workers", [1, 2])
def test_what_was_found_is_kept(workers: int, tmp_path: Path) -> None:
    options = looking(cache=tmp_path, workers=workers)
    first = predict(Drawing(ticks=Ticks()), keys(), options=options)  # type: ignore[arg-type]  # travels
    assert len(first.faults) == 1
    model = Drawing()
    second = predict(model, keys(), options=options)
    assert model.calls == []
    assert second.frame.equals(first.frame)
    assert second.faults == first.faults


class Ticks:
    """Counts, and travels to other processes."""

    def __init__(self) -> None:
        self.now = 0

    def __next__(self) -> int:
        self.now += 1
        return self.now


def test_predictions_that_were_kept_before_are_looked_at(tmp_path: Path) -> None:
    predict(ByKey(), keys(), options=PredictOptions(cache=tmp_path))
    model = ByKey()
    assert predict(model, keys(), options=looking(cache=tmp_path)).faults == ()
    assert sorted(model.calls) == ["i0", "i0", "i4", "i4", "i8", "i8"]


def test_sounds_and_perturbations(tmp_path: Path) -> None:
    pytest.importorskip("soundfile")
    sounds, model = write_sounds(tmp_path / "sounds"), Loudness()
    made = predict_sets(model, sounds, (None, Louder()), options=looking(batch=2))
    assert list(made) == ["", Louder().key]
    assert [one.faults for one in made.values()] == [(), ()]
    assert len(model.calls) == 2 * sounds.height + 2 * REPEATED
    quiet = Loudness()
    predict_sets(quiet, sounds, (Louder(),), options=looking())
    assert len(quiet.calls) == sounds.height, "there is nothing to compare with"


def test_progress_counts_them() -> None:
    told: list[tuple[int, int]] = []
    options = PredictOptions(repeated=2, progress=lambda done, total: told.append((done, total)))
    predict(ByKey(), keys(4), options=options)
    assert (told[0], told[-1]) == ((0, 8), (8, 8))


def test_items_without_an_answer_are_left_out() -> None:
    made = predict(ByKey(fails=("i0",)), keys(), options=looking(max_fault_share=0.2))
    assert [fault.item for fault in made.faults] == ["i0"]
    made = predict(ByKey(fails=("i0", "i1")), keys(2), options=looking(max_fault_share=1.0))
    assert [fault.item for fault in made.faults] == ["i0", "i1"]


def test_a_number_of_them() -> None:
    with pytest.raises(InputError, match="-1 repeated items"):
        PredictOptions(repeated=-1)
