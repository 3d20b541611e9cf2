from __future__ import annotations

import sys

import numpy as np
import pytest

from affectcheck.errors import ExtraMissingError, InputError
from affectcheck.models import FitOptions, fit
from affectcheck.schemes import CategoryScheme, DimensionScheme, UnitScheme
from affectcheck.seeds import rng

SCHEME = CategoryScheme("three", ("a", "b", "c"))
DIMENSION = DimensionScheme("one", ("x",), 0.0, 1.0)


@pytest.fixture
def data() -> np.ndarray:
    return rng(3, "fit").normal(size=(60, 5))


def test_the_linear_scores_are_those_of_scikit_learn(data: np.ndarray) -> None:
    from sklearn.linear_model import LogisticRegression

    truth = np.digitize(data[:, 0], [-0.5, 0.5])
    model = fit(data, truth, SCHEME, options=FitOptions(strength=0.3))
    standard = ((data - data.mean(axis=0)) / data.std(axis=0)).clip(-5, 5)
    reference = LogisticRegression(C=0.3, class_weight="balanced", max_iter=2_000).fit(standard, truth)
    assert model.predict_features(data) == pytest.approx(reference.predict_proba(standard), abs=1e-9)


def test_two_classes_of_three(data: np.ndarray) -> None:
    from sklearn.linear_model import LogisticRegression

    truth = np.where(data[:, 0] > 0, 2, 0)
    model = fit(data, truth, SCHEME)
    standard = ((data - data.mean(axis=0)) / data.std(axis=0)).clip(-5, 5)
    reference = LogisticRegression(C=0.01, class_weight="balanced").fit(standard, truth).predict_proba(standard)
    probability = model.predict_features(data)
    assert probability[:, [0, 2]] == pytest.approx(reference, abs=1e-6)
    assert not probability[:, 1].any()
    assert any("never predicts b" in note for note in model.card.notes)
    assert model.card.parameters == 2 * 6


def test_ridge_is_that_of_scikit_learn(data: np.ndarray) -> None:
    from sklearn.linear_model import Ridge

    values = data[:, 0] * 0.2 + 0.5
    model = fit(data, values[:, None], DIMENSION, options=FitOptions(strength=0.1))
    standard = ((data - data.mean(axis=0)) / data.std(axis=0)).clip(-5, 5)
    reference = Ridge(alpha=10.0).fit(standard, values)
    assert model.predict_features(data)[:, 0] == pytest.approx(reference.predict(standard), abs=1e-9)


def test_unknown_values_are_left_out_dimension_by_dimension(data: np.ndarray) -> None:
    scheme = DimensionScheme("two", ("x", "y"), 0.0, 1.0)
    values = np.column_stack([data[:, 0], data[:, 1]])
    values[::2, 1] = np.nan
    both = fit(data, values, scheme)
    alone = fit(data, values[:, :1], DIMENSION)
    assert both.predict_features(data)[:, 0] == pytest.approx(alone.predict_features(data)[:, 0])


def test_a_constant_feature_does_no_harm(data: np.ndarray) -> None:
    data[:, 2] = 1e6
    truth = np.digitize(data[:, 0], [-0.5, 0.5])
    assert np.isfinite(fit(data, truth, SCHEME).predict_features(data * 2)).all()


def test_an_outlier_decides_only_so_much(data: np.ndarray) -> None:
    model = fit(data, np.digitize(data[:, 0], [-0.5, 0.5]), SCHEME)
    far, farther = data[:1].copy(), data[:1].copy()
    far[0, 0], farther[0, 0] = 1e3, 1e6
    assert (model.predict_features(far) == model.predict_features(farther)).all()


def test_one_class_is_nothing_to_learn(data: np.ndarray) -> None:
    with pytest.raises(InputError, match="1 class: b"):
        fit(data, np.ones(60, np.int64), SCHEME)


@pytest.mark.parametrize("values", [np.full(60, 0.5), np.full(60, np.nan)])
def test_a_constant_dimension_is_nothing_to_learn(data: np.ndarray, values: np.ndarray) -> None:
    with pytest.raises(InputError, match="dimension 'x' has"):
        fit(data, values[:, None], DIMENSION)


def test_shapes_must_fit(data: np.ndarray) -> None:
    with pytest.raises(InputError, match="for 3 labels"):
        fit(data, np.zeros(3, np.int64), SCHEME)


def test_units_are_learned_where_they_are_known(data: np.ndarray) -> None:
    truth = np.stack([data[:, 0] > 0, data[:, 1] > 0], axis=1).astype(float)
    unknown = truth.copy()
    unknown[::5, 0] = np.nan
    model = fit(data, unknown, UnitScheme("aus", ("AU1", "AU2")), options=FitOptions(strength=1.0))
    assert (model.card.kind, model.card.output, model.card.parts) == ("units", "probability", ("AU1", "AU2"))
    found = model.predict_features(data)
    assert ((found >= 0.5) == truth).mean() > 0.95
    assert ((found > 0) & (found < 1)).all()


def test_units_that_are_never_or_always_there(data: np.ndarray) -> None:
    truth = np.stack([data[:, 0] > 0, np.zeros(60), np.ones(60), np.full(60, np.nan)], axis=1).astype(float)
    model = fit(data, truth, UnitScheme("aus", ("AU1", "AU2", "AU4", "AU6")))
    assert model.predict_features(data)[:, 1:].tolist() == [[0.0, 1.0, 0.0]] * 60
    text = "; ".join(model.card.notes)
    assert "never predicts AU2, AU6: no training item has the unit" in text
    assert "always predicts AU4" in text
    assert model.card.parameters == data.shape[1] + 1


def test_units_of_which_none_varies(data: np.ndarray) -> None:
    with pytest.raises(InputError, match="no unit of 'aus' is both present and absent"):
        fit(data, np.zeros((60, 1)), UnitScheme("aus", ("AU1",)))


@pytest.mark.parametrize("strength", [0.0, -1.0, float("nan"), float("inf")])
def test_the_strength_is_positive(strength: float) -> None:
    with pytest.raises(InputError, match="positive number"):
        FitOptions(strength=strength)


def test_names_tell_the_levels_apart(data: np.ndarray) -> None:
    truth = np.digitize(data[:, 0], [-0.5, 0.5])
    cards = [fit(data, truth, SCHEME, options=FitOptions(measured=level)).card for level in ("normalised", "sensitive")]
    assert [card.name for card in cards] == ["baseline", "baseline-level-sensitive"]
    assert cards[0].digest != cards[1].digest


def test_without_scikit_learn(data: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    with pytest.raises(ExtraMissingError, match=r"affectcheck\[speech\]"):
        fit(data, np.digitize(data[:, 0], [-0.5, 0.5]), SCHEME)
