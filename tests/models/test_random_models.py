"""The two models that guess, and the one that is made for a scheme."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.errors import InputError
from affectcheck.media.clip import Clip, Item
from affectcheck.models import Predictor, RandomCategorical, RandomGaussian, RandomUnits, load_model, random_model
from affectcheck.schemes import UnitScheme, scheme

ITEMS = [Item(f"{number}.wav") for number in range(20_000)]
LABELS = ("anger", "neutral", "sadness", "fear")


def test_every_class_is_as_likely() -> None:
    counts = RandomCategorical(LABELS).predict(ITEMS).sum(axis=0)
    assert counts.sum() == len(ITEMS)
    assert (np.abs(counts - 5_000) < 4 * np.sqrt(20_000 * 0.25 * 0.75)).all()


def test_values_are_normal_and_truncated_to_the_range() -> None:
    values = RandomGaussian(("valence",), -1.0, 1.0).predict(ITEMS)[:, 0]
    assert values.min() >= -1.0
    assert values.max() <= 1.0
    assert values.mean() == pytest.approx(0.0, abs=0.01)
    # Standard deviation of a normal distribution that is cut at three standard deviations on either side.
    assert values.std() == pytest.approx(1 / 3 * 0.98658, abs=0.01)
    assert (np.abs(values) > 0.98).mean() < 0.002, "truncated draws do not pile up at the ends"


@pytest.mark.parametrize("model", [RandomCategorical(LABELS), RandomGaussian(("a", "b"))], ids=["class", "value"])
def test_a_guess_belongs_to_its_item(model: Predictor) -> None:
    some = ITEMS[:50]
    together = model.predict(some)
    assert (model.predict(some[::-1])[::-1] == together).all()
    assert (np.concatenate([model.predict([item]) for item in some]) == together).all()
    assert (type(model)(model.card.parts).predict(some) == together).all()


def test_seeds_give_other_guesses_and_other_digests() -> None:
    one, two = RandomCategorical(LABELS), RandomCategorical(LABELS, seed=1)
    assert (one.predict(ITEMS[:100]) != two.predict(ITEMS[:100])).any()
    assert one.card.digest != two.card.digest


def test_a_changed_recording_is_guessed_anew() -> None:
    model = random_model(scheme("affect-3"), media=("audio",))
    clips = [Clip(np.full(10, value, np.float32), 16_000) for value in (0.1, 0.2)]
    first, second = (model.predict([Item("a", {"audio": clip})]) for clip in clips)
    assert (first != second).all()
    assert model.card.media == ("audio",)


def test_the_model_of_a_scheme() -> None:
    categorical, gaussian = random_model(scheme("expressions-4"), seed=2), random_model(scheme("affect-3-percent"))
    assert categorical.card.parts == scheme("expressions-4").labels
    assert (gaussian.card.low, gaussian.card.high) == (0.0, 100.0)
    assert categorical.card.media == gaussian.card.media == ()


def test_units_are_guessed_each_for_itself() -> None:
    model = random_model(UnitScheme("aus", ("AU1", "AU2")), seed=3)
    assert (model.card.kind, model.card.parts, model.card.output) == ("units", ("AU1", "AU2"), "probability")
    items = [Item(str(number)) for number in range(2_000)]
    found = model.predict(items)
    assert (model.predict(items[7:8]) == found[7]).all()
    present = found >= 0.5
    assert present.mean(axis=0) == pytest.approx([0.5, 0.5], abs=0.04)
    assert present.all(axis=1).mean() == pytest.approx(0.25, abs=0.04)
    assert load_model("random-units?units=AU1,AU2&seed=3").card == model.card


@pytest.mark.parametrize("units", [(), ("AU1", "AU1")])
def test_units_are_named_once(units: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="each named once"):
        RandomUnits(units)


def test_by_name() -> None:
    assert load_model("random-categorical?labels=a, b&seed=3").card == RandomCategorical(("a", "b"), 3).card
    found = load_model("random-gaussian", dimensions=["x"], low=-1, high="1")
    assert found.card == RandomGaussian(("x",), -1.0, 1.0).card


@pytest.mark.parametrize("labels", [(), ("a", "a")])
def test_classes_are_named_once(labels: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="each named once"):
        RandomCategorical(labels)
    with pytest.raises(InputError, match="each named once"):
        RandomGaussian(labels)


def test_a_range_has_a_width() -> None:
    with pytest.raises(InputError, match="low below high"):
        RandomGaussian(("x",), 1.0, 1.0)
