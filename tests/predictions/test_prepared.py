"""Models that prepare items: once for all sets, before anything is changed, and never for what is kept already."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations.table import AnnotationTable
from affectcheck.errors import ModelError, NoPredictionError
from affectcheck.models.card import ModelCard
from affectcheck.predictions import PredictOptions, predict_sets
from drawn import picture

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from affectcheck.media.clip import Image, Item

CARD = ModelCard("cut", "dimensions", ("sum", "columns"), "value", media=("image",), low=-1, high=1e9, digest="1")
KEYS = ("a", "b", "c", "d", "e")
LEFT = 5


@dataclass
class Cutting:
    """Cuts out the left columns before anything is changed; the sum of red and the columns tell what it got."""

    card: ModelCard = CARD
    fails: tuple[str, ...] = ()
    error: type[Exception] = ValueError
    done: list[str] = field(default_factory=list)

    def prepare(self, item: Item) -> Item:
        self.done.append(item.key)
        if item.key in self.fails:
            raise self.error(f"cannot prepare {item.key}")
        notes = (*item.image.notes, "cut: nothing is seen") if item.key == "b" else item.image.notes
        return replace(item, media={"image": replace(item.image, pixels=item.image.pixels[:, :LEFT], notes=notes)})

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        return np.array([[item.image.pixels[..., 0].sum(dtype=float), item.image.pixels.shape[1]] for item in items])


@dataclass(frozen=True)
class Darker:
    """Takes something away from every pixel that it sees; writes into what it is given, as foreign code may."""

    media = ("image",)
    less: int = 1
    noted: str = ""

    @property
    def key(self) -> str:
        return f"darker|less={self.less}"

    def __call__(self, image: Image, item_key: str) -> Image:
        image.pixels[:] -= np.minimum(image.pixels, self.less)
        return replace(image, notes=(*image.notes, *([self.noted] if self.noted else [])))


SETS = (None, Darker(), Darker(9, "changed: by much"))


@pytest.fixture
def seen(tmp_path: Path) -> AnnotationTable:
    reader = pytest.importorskip("PIL.Image")
    root = tmp_path / "seen"
    root.mkdir()
    for number, key in enumerate(KEYS):
        reader.fromarray(picture(number)).save(root / f"{key}.png")
    return AnnotationTable(pl.DataFrame({"item": KEYS, "media": [f"{key}.png" for key in KEYS]}), name="s", root=root)


def sums(less: int) -> list[float]:
    """What the model has to say where every pixel of the cut lost something."""
    return [float(np.maximum(picture(n)[:, :LEFT, 0].astype(int) - less, 0).sum()) for n in range(len(KEYS))]


@pytest.mark.parametrize("batch", [1, 3])
def test_it_is_done_once_an_item_and_changes_are_made_to_what_it_leaves(seen: AnnotationTable, batch: int) -> None:
    model = Cutting()
    made = predict_sets(model, seen, SETS, options=PredictOptions(batch=batch))
    assert model.done == list(KEYS)
    assert [one.frame["sum"].to_list() for one in made.values()] == [sums(0), sums(1), sums(9)]
    assert {value for one in made.values() for value in one.frame["columns"]} == {LEFT}


@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_kept_is_not_prepared_again(seen: AnnotationTable, tmp_path: Path, workers: int) -> None:
    options = PredictOptions(cache=tmp_path / "cache", workers=workers)
    first = predict_sets(Cutting(), seen, SETS[:2], options=options)
    again = Cutting()
    made = predict_sets(again, seen, SETS, options=replace(options, workers=1))
    assert again.done == list(KEYS), "once, for the set that was lacking"
    assert [one.frame["sum"].to_list() for one in made.values()] == [sums(0), sums(1), sums(9)]
    for key, one in first.items():
        assert one.frame.equals(made[key].frame)
    third = Cutting()
    last = predict_sets(third, seen, SETS, options=options)
    assert third.done == []
    assert [one.faults for one in last.values()] == [one.faults for one in made.values()]
    (tmp_path / "cache" / "media.jsonl").unlink()  # what media decode to is unknown: they are decoded, and asked for
    predict_sets(third, seen, SETS, options=options)
    assert third.done == []


def test_what_is_noted_on_the_way_is_a_caution_of_the_item(seen: AnnotationTable, tmp_path: Path) -> None:
    options = PredictOptions(cache=tmp_path / "cache")
    for _ in "first", "kept":
        clean, darker, dark = predict_sets(Cutting(), seen, SETS, options=options).values()
        told = [("b", "media caution", "cut: nothing is seen", "warning")]
        assert [(one.item, one.kind, one.message, one.severity) for one in clean.faults] == told
        assert darker.faults == clean.faults
        assert [one.item for one in dark.faults] == ["a", "b", "b", "c", "d", "e"]
        assert {one.message for one in dark.faults if one.item != "b"} == {"changed: by much"}


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (ValueError, "model raised", "model 'cut': ValueError: cannot prepare c"),
        (NoPredictionError, "no prediction", "cannot prepare c"),
    ],
)
def test_one_that_cannot_be_prepared_is_a_fault_of_each_set(
    seen: AnnotationTable, tmp_path: Path, error: type[Exception], kind: str, message: str
) -> None:
    model = Cutting(fails=("c",), error=error)
    made = predict_sets(model, seen, SETS, options=PredictOptions(batch=4, max_fault_share=0.2, cache=tmp_path))
    assert model.done == list(KEYS)
    for one in made.values():
        assert one.items.to_list() == ["a", "b", "d", "e"]
        (lost,) = (fault for fault in one.faults if fault.severity == "error")
        assert (lost.item, lost.kind, lost.message) == ("c", kind, message)


def test_a_model_that_returns_something_else_ends_the_run(seen: AnnotationTable) -> None:
    class Empty(Cutting):
        def prepare(self, item: Item) -> Item:
            return None  # type: ignore[return-value]

    with pytest.raises(ModelError, match="`prepare` returned NoneType"):
        predict_sets(Empty(), seen, SETS)
