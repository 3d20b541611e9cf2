"""Whether a plain model reads the truth of drawn faces off their pixels, and alike for every group."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from affectcheck.datasets.drawn_faces_design import STRENGTHS, Design, plan
from affectcheck.datasets.drawn_faces_drawing import draw, place

if TYPE_CHECKING:
    from affectcheck.datasets.drawn_faces_design import PlannedPicture

pytest.importorskip("PIL", reason="Pillow is of the extra 'image'")
pytest.importorskip("sklearn", reason="scikit-learn is of the extra 'speech'")
pytestmark = pytest.mark.slow

SIDE, CELL, ANGLES = 64, 4, 8


def upright(picture: PlannedPicture) -> np.ndarray:
    """(64, 64) brightness, turned and scaled by the eyes."""
    from PIL import Image

    eyes = place(picture.scene, 112).landmarks[:2]
    across = (eyes[1] - eyes[0]) / 24
    turn = np.array([[across[0], -across[1]], [across[1], across[0]]])
    start = eyes.mean(axis=0) - turn @ (31.5, 22)
    grid = (*turn[0], start[0], *turn[1], start[1])
    grey = Image.fromarray(draw(picture.scene, 112)).convert("L")
    return np.asarray(grey.transform((SIDE, SIDE), Image.Transform.AFFINE, grid, Image.Resampling.BILINEAR), float)


def slopes(pixels: np.ndarray) -> np.ndarray:
    """Histograms of the direction of slopes, a cell of 4×4 pixels each."""
    down, across = np.gradient(np.log(pixels + 20))
    angle = np.arctan2(down, across) % np.pi / np.pi * ANGLES
    bins = np.zeros((ANGLES, SIDE, SIDE))
    np.put_along_axis(bins, (angle.astype(int) % ANGLES)[None], np.hypot(down, across)[None], axis=0)
    sums = bins.reshape(ANGLES, SIDE // CELL, CELL, SIDE // CELL, CELL).sum(axis=(2, 4))
    return (sums / np.sqrt((sums**2).sum(axis=0) + 0.05)).ravel()


@pytest.fixture(scope="module")
def pictures() -> tuple[PlannedPicture, ...]:
    return plan(Design(subjects=96, takes=2))


@pytest.fixture(scope="module")
def values(pictures) -> np.ndarray:
    from sklearn.decomposition import PCA

    raw = np.stack([slopes(upright(picture)) for picture in pictures])
    return PCA(150, random_state=0).fit_transform(raw)


def predicted(model, values: np.ndarray, truth: np.ndarray, pictures) -> np.ndarray:
    """Every person by a model that never saw them."""
    from sklearn.model_selection import GroupKFold, cross_val_predict

    people = [picture.person.name for picture in pictures]
    return cross_val_predict(model, values, truth, groups=people, cv=GroupKFold(4))


@pytest.fixture(scope="module")
def right(values, pictures) -> np.ndarray:
    """Whether each expression is recognised."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    truth = np.array([picture.expression for picture in pictures])
    model = LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto")
    return predicted(model, values, truth, pictures) == truth


def test_expressions_are_read_neither_trivially_nor_by_chance(right, pictures) -> None:
    strong = np.array([picture.strength == "strong" for picture in pictures])
    assert list(STRENGTHS) == ["normal", "strong"]
    assert 0.8 < right[~strong].mean() < right[strong].mean() < 1


@pytest.mark.parametrize("group", ["gender", "age", "tone", "glasses"])
def test_nothing_is_planted_and_no_group_is_much_harder_than_the_others(group: str, right, pictures) -> None:
    value = np.array([getattr(picture.person.look.group, group) for picture in pictures])
    shares = [right[value == each].mean() for each in np.unique(value)]
    assert max(shares) - min(shares) < 0.06


@pytest.mark.parametrize(("dimension", "least"), [("valence", 0.9), ("arousal", 0.8)])
def test_dimensions_are_read_off_the_pixels(dimension: str, least: float, values, pictures) -> None:
    from sklearn.linear_model import Ridge

    truth = np.array([getattr(picture.affect, dimension) for picture in pictures])
    assert np.corrcoef(predicted(Ridge(3.0), values, truth, pictures), truth)[0, 1] > least


@pytest.mark.parametrize(
    "unit", ["AU1", "AU2", "AU4", "AU6", "AU7", "AU10", "AU12", "AU15", "AU23", "AU24", "AU25", "AU26"]
)
def test_units_are_read_off_the_pixels(unit: str, values, pictures) -> None:
    from sklearn.linear_model import Ridge
    from sklearn.metrics import roc_auc_score

    truth = np.array([picture.scene.actions[unit] for picture in pictures])
    assert roc_auc_score(truth > 0, predicted(Ridge(3.0), values, truth, pictures)) > 0.8
