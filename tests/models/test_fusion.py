from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from affectcheck.errors import InputError, ModelError, UnknownNameError
from affectcheck.media.clip import Item
from affectcheck.models import Fusion, ModelCard, RandomCategorical, RandomGaussian, TableModel, fuse, load_model

if TYPE_CHECKING:
    from pathlib import Path

ITEMS = [Item("a"), Item("b")]
CARD = ModelCard("one", "categories", ("x", "y"), output="probability", rate_hz=None, parameters=3, digest="1")


def fixed(values: list[list[float]], **changes: Any) -> TableModel:
    return TableModel(("a", "b"), np.array(values), replace(CARD, **changes))


ONE = fixed([[0.9, 0.1], [0.4, 0.6]])
TWO = fixed([[0.3, 0.7], [0.2, 0.8]], name="two", training_data="some")
SWAPPED = fixed([[0.7, 0.3], [0.8, 0.2]], parts=("y", "x"))


def test_mean_by_hand() -> None:
    assert Fusion((ONE, TWO)).predict(ITEMS) == pytest.approx(np.array([[0.6, 0.4], [0.3, 0.7]]))


def test_weights_by_hand() -> None:
    assert Fusion((ONE, TWO), weights=(3, 1)).predict(ITEMS)[0] == pytest.approx([0.75, 0.25])


def test_median_by_hand() -> None:
    three = fixed([[0.0, 1.0], [1.0, 0.0]])
    assert Fusion((ONE, TWO, three), "median").predict(ITEMS) == pytest.approx(np.array([[0.3, 0.7], [0.4, 0.6]]))


def test_majority_by_hand() -> None:
    assert Fusion((ONE, TWO, TWO), "majority").predict(ITEMS) == pytest.approx(np.array([[1 / 3, 2 / 3], [0, 1]]))


def test_equal_votes_go_to_the_first_class() -> None:
    assert Fusion((ONE, TWO), "majority").predict(ITEMS)[0].argmax() == 0


def test_parts_in_another_order() -> None:
    assert (Fusion((ONE, SWAPPED)).predict(ITEMS) == Fusion((ONE, TWO)).predict(ITEMS)).all()


@given(arrays(np.float64, (3, 4, 5), elements=st.floats(0, 1)))
def test_a_model_fused_with_itself_is_itself(values: np.ndarray) -> None:
    for rule in ("mean", "median"):
        assert fuse([values[0]] * 3, rule=rule) == pytest.approx(values[0])  # type: ignore[arg-type]
    assert fuse(list(values)) == pytest.approx(fuse(list(values[::-1])))


def test_the_card() -> None:
    card = Fusion((ONE, TWO)).card
    assert (card.name, card.output, card.parameters) == ("fusion(one, two)", "probability", 6)
    assert card.training_data == "some"
    assert card.digest not in {"", ONE.card.digest}
    assert Fusion((ONE, TWO), weights=(2, 1)).card.digest != card.digest
    assert Fusion((ONE, TWO), "majority").card.output == "score"
    assert Fusion((RandomCategorical(("x", "y")),) * 2).card.output == "score"
    assert Fusion((RandomGaussian(("v",)), RandomGaussian(("v",), seed=1)), "median").card.output == "value"


def test_without_a_digest_there_is_none() -> None:
    class Undigested:
        card = CARD

        def predict(self, items: list[Item]) -> np.ndarray:
            return np.ones((len(items), 3))

    nameless = Undigested()
    nameless.card = replace(CARD, digest="", parameters=None)
    fusion = Fusion((ONE, nameless))
    assert fusion.card.digest == ""
    assert fusion.card.parameters is None
    with pytest.raises(ModelError, match=r"shape \(2, 3\)"):
        fusion.predict(ITEMS)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (RandomGaussian(("x", "y")), "another kind"),
        (fixed([[1, 0], [0, 1]], parts=("x", "z")), "another parts"),
        (fixed([[1, 0], [0, 1]], output="logit"), "another output"),
    ],
)
def test_models_that_cannot_be_fused(other: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Fusion((ONE, other))


def test_ranges_and_rates_must_agree() -> None:
    with pytest.raises(InputError, match="another range"):
        Fusion((RandomGaussian(("v",)), RandomGaussian(("v",), -1.0)))
    with pytest.raises(InputError, match="another rate"):
        Fusion((fixed([[1, 0], [0, 1]], rate_hz=8_000), fixed([[1, 0], [0, 1]], rate_hz=16_000)))


def test_a_majority_may_mix_kinds_of_score() -> None:
    logits = fixed([[5.0, -5.0], [-1.0, 1.0]], output="logit")
    assert Fusion((ONE, logits), "majority").predict(ITEMS).tolist() == [[1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize("weights", [(1.0,), (1.0, -1.0), (0.0, 0.0), (1.0, np.nan)])
def test_weights_must_fit(weights: tuple[float, ...]) -> None:
    with pytest.raises(InputError, match="weights"):
        Fusion((ONE, TWO), weights=weights)


def test_what_is_no_fusion() -> None:
    with pytest.raises(InputError, match="at least one"):
        Fusion(())
    with pytest.raises(UnknownNameError, match="did you mean 'median'"):
        Fusion((ONE,), "meadian")  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="rule of fusion"):
        fuse([np.ones((1, 1))], rule="sum")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="a majority of dimensions"):
        Fusion((RandomGaussian(("v",)),), "majority")
    with pytest.raises(InputError, match="shapes none"):
        fuse([])
    with pytest.raises(InputError, match="shapes"):
        fuse([np.ones((1, 2)), np.ones((2, 2))])
    with pytest.raises(InputError, match="median with weights"):
        fuse([np.ones((1, 2))] * 2, rule="median", weights=[1, 2])


def test_by_name(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(f"item,prediction\na,{name}\nc,b\nd,a\n")
    model = load_model(f"fusion:{tmp_path / 'a.csv'}+{tmp_path / 'b.csv'}?weights=1,2")
    assert model.predict([Item("a")])[0] == pytest.approx([1 / 3, 2 / 3])
