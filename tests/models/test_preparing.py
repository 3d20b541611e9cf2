"""What models do once with an item as recorded."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace

import numpy as np
import pytest

from affectcheck.errors import ModelError
from affectcheck.media.clip import Image, Item
from affectcheck.models import CheckedModel, ModelCard, ModelRaisedError, Prepares, fuse, prepared, python_model
from affectcheck.models.fusion import Fusion

CARD = ModelCard("halves", "categories", ("a", "b"), media=("image",))
ITEM = Item("x", {"image": Image(np.zeros((4, 6, 3), np.uint8))})


@dataclass(frozen=True)
class Plain:
    card: ModelCard = CARD

    def predict(self, items: list[Item]) -> np.ndarray:
        return np.array([[item.image.pixels.shape[1], 0.0] for item in items])


class Halving(Plain):
    def prepare(self, item: Item) -> Item:
        sys.stdout.write("not among the data")
        return replace(item, media={"image": replace(item.image, pixels=item.image.pixels[:, :3])})


@dataclass(frozen=True)
class Returning(Plain):
    made: object = None

    def prepare(self, item: Item) -> object:
        return self.made


class Raising(Plain):
    def prepare(self, item: Item) -> Item:
        raise ValueError(item.key)


def test_an_item_is_prepared_by_a_model_that_does_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert prepared(Plain(), ITEM) is ITEM
    assert prepared(Halving(), ITEM).image.pixels.shape == (4, 3, 3)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("made", "told"), [(None, "NoneType"), (np.zeros(3), "ndarray"), (Item("y"), "the item 'y'"), (ITEM.image, "Image")]
)
def test_anything_but_the_item_is_refused(made: object, told: str) -> None:
    with pytest.raises(ModelError, match=f"`prepare` returned {told}") as caught:
        prepared(Returning(made=made), ITEM)  # type: ignore[arg-type]
    assert "item 'x'" in str(caught.value)


def test_python_objects_prepare_if_they_have_it() -> None:
    made = python_model(Halving())
    assert isinstance(made, Prepares)
    assert made.predict([prepared(made, ITEM)]).tolist() == [[3, 0]]
    plain = python_model(Plain())
    assert isinstance(plain, CheckedModel)
    assert not isinstance(plain, Prepares)
    with pytest.raises(ModelRaisedError, match="the model raised ValueError: x"):
        prepared(python_model(Raising()), ITEM)


def test_members_of_a_fusion_are_given_what_is_not_prepared_and_it_says_so() -> None:
    several = Fusion((Plain(), Halving()))
    assert not isinstance(several, Prepares)
    assert several.predict([ITEM]).tolist() == fuse([np.array([[6.0, 0]]), np.array([[6.0, 0]])]).tolist()
    assert "every changed version" in several.card.notes[1]
    assert len(Fusion((Plain(), Plain())).card.notes) == 1
