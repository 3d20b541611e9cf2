"""What action units do to a drawn face: to its geometry, to its pixels, and to valence and arousal."""

from __future__ import annotations

import numpy as np
import pytest

from affectcheck.datasets.drawn_faces_actions import (
    ANNOTATED,
    DRAWN,
    RECIPES,
    STRAY_STRONGEST,
    WEAKEST,
    Affect,
    affect_of,
    draw_actions,
)
from affectcheck.datasets.drawn_faces_appearance import AGES, GENDERS, GLASSES, TONES, Group, Shape, draw_appearance
from affectcheck.datasets.drawn_faces_design import Design, plan
from affectcheck.datasets.drawn_faces_drawing import Light, Scene, draw, place
from affectcheck.datasets.drawn_faces_geometry import features
from affectcheck.datasets.drawn_faces_projection import Pose
from affectcheck.seeds import rng

pytest.importorskip("PIL", reason="Pillow is of the extra 'image'")

LEFT_EYE, RIGHT_EYE, NOSE, LEFT_MOUTH, RIGHT_MOUTH = range(5)
FLAT = Light(side=0.0)


def person(*group: str, seed: int = 0):
    return draw_appearance(Group(*(group or ("female", "20-29", "light", "no"))), rng(seed, "somebody"))


def still(**actions: float):
    return features(Shape(), actions)


def inner(form) -> float:
    return form.brow[0, 1]


def outer(form) -> float:
    return form.brow[2:, 1].mean()


def aperture(form) -> float:
    return (form.eye.lower[:, 1] - form.eye.upper[:, 1]).max()


def thickness(form) -> float:
    mouth = form.mouth
    return (mouth.upper - mouth.top + mouth.bottom - mouth.lower)[len(mouth.top) // 2, 1]


def upper_lip(form) -> float:
    return form.mouth.top[:, 1].min()


#: Unit, what it moves, and whether that gets larger (y points down).
MOVES = [
    ("AU1", inner, -1),
    ("AU2", outer, -1),
    ("AU4", inner, 1),
    ("AU4", outer, 1),
    ("AU4", lambda form: form.brow[0, 0], -1),
    ("AU5", aperture, 1),
    ("AU5", lambda form: form.eye.upper[:, 1].min(), -1),
    ("AU6", lambda form: form.eye.lower[:, 1].max(), -1),
    ("AU7", aperture, -1),
    ("AU9", lambda form: form.wing[1], -1),
    ("AU10", upper_lip, -1),
    ("AU12", lambda form: form.mouth.corner[1], -1),
    ("AU12", lambda form: form.mouth.corner[0], 1),
    ("AU15", lambda form: form.mouth.corner[1], 1),
    ("AU17", lambda form: form.mouth.bottom[:, 1].max(), -1),
    ("AU20", lambda form: form.mouth.corner[0], 1),
    ("AU23", lambda form: form.mouth.corner[0], -1),
    ("AU23", thickness, -1),
    ("AU24", thickness, -1),
    ("AU25", lambda form: form.mouth.opening, 1),
    ("AU26", lambda form: form.mouth.opening, 1),
    ("AU26", lambda form: form.chin, 1),
    ("AU43", aperture, -1),
]


@pytest.mark.parametrize(("unit", "measure", "sign"), MOVES)
def test_a_unit_moves_what_it_is_named_after_the_more_the_stronger(unit, measure, sign) -> None:
    places = [sign * measure(still(**{unit: level})) for level in (0.0, WEAKEST, 0.6, 1.0)]
    assert places == sorted(places)
    assert places[1] - places[0] > 0.004
    assert places[3] - places[0] > 0.02


def test_every_unit_that_is_drawn_is_among_the_moves() -> None:
    assert {unit for unit, _, _ in MOVES} == set(DRAWN)
    assert set(ANNOTATED) < set(DRAWN)


def test_units_leave_the_centre_of_the_eyes_and_what_is_far_away_where_it_was() -> None:
    rest = still()
    for unit in DRAWN:
        moved = still(**{unit: 1.0})
        assert np.array_equal(moved.eye.centre, rest.eye.centre), unit
        if int(unit[2:]) in (1, 2, 4, 5, 7, 43):
            assert np.array_equal(moved.mouth.top, rest.mouth.top), unit
        if int(unit[2:]) >= 10 and unit != "AU43":
            assert np.array_equal(moved.brow, rest.brow), unit
            assert np.array_equal(moved.eye.upper, rest.eye.upper), unit


def test_lips_and_lids_never_cross_whatever_is_done() -> None:
    draw_ = np.random.default_rng(5)
    for _ in range(300):
        levels = draw_.uniform(0, 1, len(DRAWN)) * (draw_.uniform(0, 1, len(DRAWN)) < 0.5)
        form = still(**dict(zip(DRAWN, levels, strict=True)))
        mouth = form.mouth
        assert np.all(mouth.upper[:, 1] <= mouth.lower[:, 1] + 1e-12)
        assert np.all(mouth.top[1:-1, 1] < mouth.upper[1:-1, 1] + 0.02)
        assert mouth.bottom[:, 1].max() < form.chin - 0.05
        assert np.all(form.eye.upper[1:-1, 1] < form.eye.lower[1:-1, 1])
        assert np.all(form.brow[:, 1] < 0)


@pytest.mark.parametrize("tone", TONES)
@pytest.mark.parametrize("unit", DRAWN)
def test_the_weakest_unit_can_be_seen_on_every_tone(unit: str, tone: str) -> None:
    look = person("male", "20-29", tone, "no", seed=3)
    before, after = (draw(Scene(look, actions), 112).astype(int) for actions in ({}, {unit: WEAKEST}))
    changed = np.abs(after - before).max(axis=2) > 8
    assert changed.sum() >= 12
    assert changed[:20].sum() == 0, "nothing above the forehead moves"


def darkest(pixels: np.ndarray, middle: np.ndarray, half: int) -> np.ndarray:
    """(x, y) centre of what is dark around a place."""
    x, y = np.rint(middle).astype(int)
    part = 255.0 - pixels[y - half : y + half + 1, x - half : x + half + 1].mean(axis=2)
    part = np.clip(part - 215, 0, None)
    rows, columns = np.mgrid[y - half : y + half + 1, x - half : x + half + 1]
    return np.array([(part * columns).sum(), (part * rows).sum()]) / part.sum()


@pytest.mark.parametrize("yaw", [-18.0, 0.0, 11.0])
@pytest.mark.parametrize("pitch", [-10.0, 0.0, 10.0])
@pytest.mark.parametrize("size", [112, 224])
def test_pupils_are_where_the_landmarks_say(yaw: float, pitch: float, size: int) -> None:
    look = person("male", "03-09", "light", "no")
    scene = Scene(look, {"AU5": 1.0}, Pose(yaw, pitch, 7.0, 1.03, 0.015, -0.01), FLAT)
    pixels, where = draw(scene, size), place(scene, size)
    for eye in (LEFT_EYE, RIGHT_EYE):
        found = darkest(pixels, where.landmarks[eye], 3 * size // 112)
        assert np.abs(found - where.landmarks[eye]).max() < 0.6 * size / 112


def seam(pixels: np.ndarray, landmarks: np.ndarray) -> np.ndarray:
    """(2, 2) left and right end of the dark line between the lips, found in the pixels around them."""
    corners = landmarks[[LEFT_MOUTH, RIGHT_MOUTH]]
    (left, top), (right, bottom) = corners.min(axis=0).astype(int) - 5, corners.max(axis=0).astype(int) + 6
    rows, columns = np.nonzero(pixels[top:bottom, left:right, 1] < 100)
    ends = [(left + edge, top + rows[columns == edge].mean()) for edge in (columns.min(), columns.max())]
    return np.array(ends)


@pytest.mark.parametrize("actions", [{}, {"AU12": 1.0}, {"AU20": 1.0}, {"AU23": 0.3}, {"AU12": 0.6, "AU25": 1.0}])
def test_the_ends_of_the_mouth_are_where_the_landmarks_say(actions: dict[str, float]) -> None:
    look = person("male", "20-29", "light", "no", seed=2)
    scene = Scene(look, actions, light=FLAT)
    pixels, where = draw(scene, 112)[..., 1].astype(float), place(scene, 112).landmarks
    for corner, away in ((where[LEFT_MOUTH], -1), (where[RIGHT_MOUTH], 1)):
        x, y = np.rint(corner).astype(int)
        assert pixels[y - 1 : y + 2, x - 1 : x + 2].min() < 120, "the line between the lips reaches the landmark"
        beyond = np.rint(corner + np.array((5 * away, 0))).astype(int)
        assert pixels[beyond[1] - 1 : beyond[1] + 2, beyond[0]].min() > 140, "and ends there"


def test_a_smile_moves_the_corners_of_the_mouth_up_and_out_in_the_pixels() -> None:
    rest, smile = Scene(person(), light=FLAT), Scene(person(), {"AU12": 1.0}, light=FLAT)
    found = [seam(draw(scene, 112), place(scene, 112).landmarks) for scene in (rest, smile)]
    moved = found[1] - found[0]
    assert moved[0, 0] < -2 < 2 < moved[1, 0]
    assert np.all(moved[:, 1] < -3)
    known = [place(scene, 112).landmarks[[LEFT_MOUTH, RIGHT_MOUTH]] for scene in (rest, smile)]
    assert moved == pytest.approx(known[1] - known[0], abs=2.5), "dimples lie beyond the corners"


def brow_height(pixels: np.ndarray, columns: slice) -> float:
    dark = np.clip(190.0 - pixels[30:52, columns].mean(axis=2), 0, None)
    return float((dark * np.arange(30, 52)[:, None]).sum() / dark.sum())


@pytest.mark.parametrize(("unit", "columns", "sign"), [("AU4", slice(62, 82), 1), ("AU2", slice(72, 82), -1)])
def test_brows_move_in_the_pixels(unit: str, columns: slice, sign: int) -> None:
    look = person("male", "20-29", "light", "no", seed=1)
    before, after = (draw(Scene(look, act, light=FLAT), 112) for act in ({"AU43": 1.0}, {"AU43": 1.0, unit: 1.0}))
    assert sign * (brow_height(after, columns) - brow_height(before, columns)) > 1.0


@pytest.mark.parametrize(("unit", "less"), [("AU5", False), ("AU7", True), ("AU43", True)])
def test_lids_show_more_or_less_of_the_white_of_the_eyes(unit: str, less: bool) -> None:
    look = person("female", "20-29", "dark", "no")
    white = [int((draw(Scene(look, act), 112)[44:66, 30:82].min(axis=2) > 150).sum()) for act in ({}, {unit: 0.8})]
    assert white[1] < 0.8 * white[0] if less else white[1] > 1.2 * white[0]


def test_parted_lips_and_a_dropped_jaw_show_the_dark_of_the_mouth() -> None:
    acts: list[dict[str, float]] = [{}, {"AU25": 1.0}, {"AU25": 1.0, "AU26": 1.0}]
    opening = [features(person().shape, act).mouth.opening for act in acts]
    assert opening[0] == 0
    assert opening == sorted(opening)
    lips = [draw(Scene(person(), act), 112)[80:104, 44:68].astype(int) for act in acts]
    dark = [int((part.sum(axis=2) < 200).sum()) for part in lips]
    assert dark[2] > dark[0] + 20


def test_the_nose_stands_out_when_the_head_turns() -> None:
    landmarks = {yaw: place(Scene(person(), pose=Pose(yaw)), 112).landmarks for yaw in (-15, 0, 15)}
    eyes = {yaw: points[[LEFT_EYE, RIGHT_EYE], 0].mean() for yaw, points in landmarks.items()}
    assert landmarks[15][NOSE, 0] - eyes[15] > 1 > -1 > landmarks[-15][NOSE, 0] - eyes[-15]
    assert landmarks[0][NOSE, 0] == pytest.approx(eyes[0])


def test_a_turn_to_the_other_side_mirrors_the_landmarks() -> None:
    look, size = person(), 160
    one, other = (
        place(Scene(look, {"AU12": 0.5}, Pose(yaw, 5.0, roll)), size).landmarks for yaw, roll in ((12, 4), (-12, -4))
    )
    mirrored = other[[RIGHT_EYE, LEFT_EYE, NOSE, RIGHT_MOUTH, LEFT_MOUTH]] * (-1, 1) + np.array((size - 1, 0))
    assert one == pytest.approx(mirrored)


def test_sizes_scale_places_about_the_edges_of_pixels() -> None:
    scene = Scene(person(), {"AU12": 0.5}, Pose(9.0, -4.0, 3.0))
    small, large = place(scene, 112), place(scene, 336)
    assert (small.landmarks + 0.5) * 3 == pytest.approx(large.landmarks + 0.5)
    assert (np.array(small.box) + 0.5) * 3 == pytest.approx(np.array(large.box) + 0.5)


def test_the_units_of_an_expression_are_those_of_its_recipe() -> None:
    for expression, recipe in RECIPES.items():
        may = {*recipe.always, *recipe.either, *recipe.stray, *(unit for unit, _ in recipe.chances), "AU25"}
        for number in range(200):
            actions = draw_actions(expression, 0.8, rng(number, expression))
            present = {unit for unit, level in actions.items() if level}
            assert list(actions) == list(DRAWN)
            assert set(recipe.always) <= present <= may
            assert all(level == 0 or WEAKEST <= level <= 1 for level in actions.values())
            assert not recipe.either or present & set(recipe.either)
            assert actions["AU26"] == 0 or actions["AU25"] > 0
            must = {*recipe.always, *recipe.either, *(unit for unit, _ in recipe.chances), "AU25"}
            assert all(actions[unit] <= STRAY_STRONGEST for unit in present - must)


def test_strength_changes_how_strong_units_are_and_not_which() -> None:
    weak, strong = (draw_actions("fear", strength, rng(1, "fear")) for strength in (0.5, 0.9))
    assert [unit for unit, level in weak.items() if level] == [unit for unit, level in strong.items() if level]
    assert all(weak[unit] < strong[unit] for unit in RECIPES["fear"].always)


def test_valence_and_arousal_are_sums_over_intensities() -> None:
    assert affect_of({}) == Affect(0.0, 0.0)
    one, other = affect_of({"AU12": 0.5}), affect_of({"AU5": 0.5, "AU26": 0.5})
    both = affect_of({"AU12": 0.5, "AU5": 0.5, "AU26": 0.5})
    assert both.valence == pytest.approx(one.valence + other.valence)
    assert both.arousal == pytest.approx(one.arousal + other.arousal)
    assert affect_of(dict.fromkeys(DRAWN, 10.0)).arousal == 1.0


def test_expressions_lie_where_they_belong() -> None:
    pictures = plan(Design(subjects=32, takes=2))
    middle = {
        expression: np.mean([(p.affect.valence, p.affect.arousal) for p in pictures if p.expression == expression], 0)
        for expression in RECIPES
    }
    assert all(middle[expression][0] < -0.2 for expression in ("anger", "disgust", "fear", "sadness"))
    assert middle["happiness"][0] > 0.4
    assert abs(middle["neutral"]).max() < 0.15
    assert abs(middle["surprise"][0]) < 0.15
    assert middle["sadness"][1] < -0.1
    assert all(middle[expression][1] > 0.2 for expression in ("anger", "fear", "surprise"))


@pytest.mark.parametrize("glasses", GLASSES)
@pytest.mark.parametrize("age", AGES)
@pytest.mark.parametrize("gender", GENDERS)
def test_groups_can_be_seen(gender: str, age: str, glasses: str) -> None:
    colours = []
    for tone in TONES:
        pixels = draw(Scene(person(gender, age, tone, glasses), light=FLAT), 112)
        assert pixels.shape == (112, 112, 3)
        assert pixels.dtype == np.uint8
        colours.append(pixels[68:72, 52:60].mean())
    assert colours == sorted(colours, reverse=True)
    assert np.all(np.diff(colours) < -12)


def test_light_and_background_change_what_they_should() -> None:
    base = Scene(person(), light=FLAT)
    plain = draw(base, 112).astype(float)
    dim = draw(Scene(person(), light=Light(gain=0.5, side=0.0)), 112)
    whole = plain < 255
    assert dim[whole] == pytest.approx(plain[whole] / 2, abs=0.51)
    right = draw(Scene(person(), light=Light(side=0.3, angle_deg=0.0)), 112).astype(float)
    assert right[40:80, 65:80].mean() > right[40:80, 32:47].mean() + 20
    warm = draw(Scene(person(), light=Light(side=0.0, warmth=0.08)), 112).astype(float)
    assert (warm[..., 0] >= plain[..., 0]).all()
    assert (warm[..., 2] <= plain[..., 2]).all()
    green = draw(Scene(person(), light=FLAT, background=(20, 200, 20)), 112)
    assert green[2, 2, 1] > 150 > green[2, 2, 0]
    assert np.array_equal(green[60, 56], plain[60, 56].astype(np.uint8))
