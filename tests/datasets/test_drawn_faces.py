"""Drawn faces: the same pixels in any order and process, runs that go on where they stopped, truth in the table."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, replace
from multiprocessing import get_context
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.datasets import Making, load_dataset
from affectcheck.datasets.drawn_faces import CARD, folder_of, read
from affectcheck.datasets.drawn_faces_actions import ANNOTATED, RECIPES, affect_of
from affectcheck.datasets.drawn_faces_bias import Bias, parse_biases
from affectcheck.datasets.drawn_faces_canvas import pillow
from affectcheck.datasets.drawn_faces_design import CROSSED, Design, group_of, people, plan
from affectcheck.datasets.drawn_faces_drawing import draw, place
from affectcheck.datasets.drawn_faces_making import MANIFEST, Manifest, generate, read_manifest
from affectcheck.datasets.drawn_faces_worker import draw_pictures, main, picture_path, read_picture
from affectcheck.digest import digest_array
from affectcheck.errors import ExtraMissingError, InputError, UnknownNameError
from affectcheck.media.loader import load_items

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("PIL", reason="Pillow is of the extra 'image'")

SMALL = Design(subjects=4, takes=1, size=64)  # 28 pictures
OPTIONS = {"subjects": 4, "takes": 1, "size": 64}
SPEC = "drawn-faces?subjects=4&takes=1&size=64"


def drawn(numbers: list[int]) -> dict[int, str]:
    """Picture number to digest of its pixels, drawn in the order given, in this process."""
    pictures = plan(Design(subjects=16, takes=2))
    return {number: digest_array(draw(pictures[number].scene, 112)) for number in numbers}


def test_pixels_depend_neither_on_the_order_nor_on_the_process() -> None:
    numbers = list(range(0, 200, 4))
    shuffled = list(np.random.default_rng(1).permutation(numbers))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        forward, back, mixed = pool.map(drawn, [numbers, numbers[::-1], shuffled])
        halves = list(pool.map(drawn, [numbers[::2], numbers[1::2]]))
    assert forward == back == mixed == halves[0] | halves[1]
    assert len(set(forward.values())) == 50


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ExtraMissingError, match="drawing faces needs the package") as caught:
        generate(SMALL, tmp_path)
    assert "affectcheck[image]" in str(caught.value)


def test_the_plan_is_balanced() -> None:
    pictures = plan(Design())
    assert len(pictures) == CARD.items == 5376
    assert len({picture.item for picture in pictures}) == 5376
    assert len({picture.person.name for picture in pictures}) == CARD.speakers == 128
    assert set(Counter(picture.expression for picture in pictures).values()) == {768}
    assert set(Counter((picture.expression, picture.strength) for picture in pictures).values()) == {384}


def test_every_combination_of_groups_is_there_equally_often() -> None:
    assert set(Counter(group_of(number) for number in range(2 * CROSSED)).values()) == {2}
    assert len({group_of(number) for number in range(CROSSED)}) == CROSSED == 64
    for many in (8, 16, 32):
        for column in zip(*(group_of(number) for number in range(many)), strict=True):
            assert len(set(Counter(column).values())) == 1, many


def test_people_look_the_same_in_all_their_pictures_and_unlike_each_other() -> None:
    design = Design(subjects=64, takes=2)
    looks: dict[str, set[object]] = {}
    for picture in plan(design):
        looks.setdefault(picture.person.name, set()).add(picture.scene.look)
    assert all(len(found) == 1 for found in looks.values())
    assert len({person.look.shape for person in people(design)}) == 64


def test_a_larger_design_keeps_the_pictures_of_a_smaller_one() -> None:
    small = {picture.item: picture for picture in plan(Design(subjects=3, takes=2))}
    large = {picture.item: picture for picture in plan(Design(subjects=5, takes=3))}
    assert all(large[item] == picture for item, picture in small.items())
    larger = {picture.item: picture.scene for picture in plan(Design(subjects=3, takes=2, size=224))}
    assert all(larger[item] == picture.scene for item, picture in small.items())


def test_strong_units_are_stronger_than_normal_ones() -> None:
    levels = {"normal": [], "strong": []}
    for picture in plan(Design(subjects=32)):
        if picture.expression == "happiness":
            levels[picture.strength].append(picture.scene.actions["AU12"])
    assert np.mean(levels["strong"]) > np.mean(levels["normal"]) + 0.2


def test_another_seed_makes_other_people_and_pictures() -> None:
    one, other = (plan(replace(SMALL, seed=seed))[0] for seed in (1, 2))
    assert one.person != other.person
    assert one.scene.pose != other.scene.pose


def test_turns_and_light_are_as_the_options_say() -> None:
    poses = [picture.scene.pose for picture in plan(Design(subjects=16, turn=10.0))]
    assert 9 < max(abs(pose.yaw_deg) for pose in poses) <= 10
    assert 5 < max(abs(pose.pitch_deg) for pose in poses) <= 6
    assert 4 < max(abs(pose.roll_deg) for pose in poses) <= 5
    still = plan(Design(subjects=2, turn=0.0, light=0.0))
    assert {picture.scene.pose.yaw_deg for picture in still} == {0.0}
    assert len({picture.scene.light for picture in still}) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"subjects": 1}, "1 subjects"),
        ({"subjects": 5000}, "5000 subjects"),
        ({"takes": 0}, "0 takes"),
        ({"size": 20}, "20 pixels"),
        ({"turn": 40.0}, "40 degrees"),
        ({"turn": float("nan")}, "nan degrees"),
        ({"light": 1.5}, "variation of light"),
    ],
)
def test_designs_that_cannot_be_drawn(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Design(**options)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished small data set."""
    folder = tmp_path_factory.mktemp("made")
    generate(SMALL, folder, workers=2)
    return folder


def test_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFECTCHECK_CACHE", str(tmp_path))
    table = load_dataset(SPEC)
    assert table.height == 28
    assert list(table.targets) == ["expression", "au", "affect"]
    assert table.groups == ("gender", "age", "tone", "glasses")
    assert "partition" not in table.frame.columns
    assert table.frame["expression"].dtype.categories.to_list() == list(RECIPES)
    assert table.root.parent == tmp_path
    again = load_dataset("drawn-faces", root=table.root, **OPTIONS)
    assert again.digest == table.digest


def test_the_truth_in_the_table_is_what_was_drawn(tmp_path: Path) -> None:
    table = load_dataset(SPEC, tmp_path)
    pictures = {picture.item: picture for picture in plan(SMALL)}
    for row, item in zip(table.frame.iter_rows(named=True), load_items(table), strict=True):
        scene = pictures[row["item"]].scene
        assert np.array_equal(item.image.pixels, draw(scene, 64))
        where = place(scene, 64)
        assert item.image.landmarks == pytest.approx(where.landmarks, abs=1e-3)
        assert [row[f"box_{side}"] for side in ("left", "top", "right", "bottom")] == pytest.approx(where.box, abs=1e-3)
        assert [row[unit] for unit in ANNOTATED] == [int(scene.actions[unit] > 0) for unit in ANNOTATED]
        intensities = {name.removesuffix("_intensity"): row[name] for name in row if name.endswith("_intensity")}
        assert intensities == scene.actions
        assert (row["valence"], row["arousal"]) == (affect_of(intensities).valence, affect_of(intensities).arousal)


def test_landmarks_and_boxes_lie_in_the_picture_and_in_order() -> None:
    for picture in plan(Design(subjects=64, takes=2)):
        where = place(picture.scene, 112)
        left_eye, right_eye, nose, left_mouth, right_mouth = where.landmarks
        left, top, right, bottom = where.box
        assert 0 < left < left_eye[0] < nose[0] < right_eye[0] < right < 111
        assert left_mouth[0] < nose[0] + 6 < right_mouth[0] + 6
        assert 0 < top < min(left_eye[1], right_eye[1]) < nose[1] < min(left_mouth[1], right_mouth[1])
        assert max(left_mouth[1], right_mouth[1]) < bottom < 118


def test_the_result_does_not_depend_on_the_number_of_processes(made: Path, tmp_path: Path) -> None:
    assert generate(SMALL, tmp_path, workers=1) == read_manifest(made)


def test_pictures_go_up_to_the_last_in_progress(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    read(tmp_path, **OPTIONS, progress=lambda done, every: seen.append((done, every)))
    assert seen == [(done, 28) for done in range(1, 29)]


def test_a_run_killed_halfway_goes_on_to_the_same_data(made: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from affectcheck.datasets.drawn_faces_making import *\n"
        "generate(Design(subjects=4, takes=1, size=64), Path(sys.argv[1]), workers=1)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)])
    deadline = time.monotonic() + 30
    while len(list(tmp_path.glob("pictures/*/p*.png"))) < 3 and time.monotonic() < deadline:
        time.sleep(0.002)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not (tmp_path / MANIFEST).exists()
    assert generate(SMALL, tmp_path) == read_manifest(made)


def test_what_is_there_is_read_not_drawn(made: Path, tmp_path: Path) -> None:
    pictures = plan(SMALL)[:3]
    first = list(draw_pictures(tmp_path, pictures, 64))
    picture_path(tmp_path, pictures[1].item).write_bytes(b"\x89PNG, cut off")
    whole = picture_path(tmp_path, pictures[2].item)
    whole.write_bytes(whole.read_bytes()[:-20])
    times = {each.item: picture_path(tmp_path, each.item).stat().st_mtime_ns for each in pictures}
    assert list(draw_pictures(tmp_path, pictures, 64)) == first
    changed = {item for item, when in times.items() if picture_path(tmp_path, item).stat().st_mtime_ns != when}
    assert changed == {pictures[1].item, pictures[2].item}
    assert first == [read_manifest(made).pictures[each.item] for each in pictures]
    assert read_picture(picture_path(tmp_path, pictures[0].item), 112) is None, "a picture of another size"


@pytest.mark.parametrize("content", [b"junk", b"", None])
def test_pictures_that_were_damaged_are_drawn_again(tmp_path: Path, content: bytes | None) -> None:
    manifest = generate(SMALL, tmp_path)
    path = picture_path(tmp_path, plan(SMALL)[4].item)
    before = path.read_bytes()
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    assert generate(SMALL, tmp_path) == manifest
    assert path.read_bytes() == before


def test_pictures_are_made_where_they_are_wanted_and_seen(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    table = load_dataset(SPEC, making=Making(tmp_path, lambda done, total: seen.append((done, total))))
    assert table.root is not None
    assert table.root.parent == tmp_path
    assert seen[-1] == (28, 28)


def test_pictures_that_come_out_different_are_an_error(tmp_path: Path) -> None:
    generate(SMALL, tmp_path)
    path, item = tmp_path / MANIFEST, plan(SMALL)[4].item
    data = json.loads(path.read_text())
    data["pictures"][item][0] = "0" * 32
    path.write_text(json.dumps(data))
    picture_path(tmp_path, item).unlink()
    with pytest.raises(InputError, match="came out different"):
        generate(SMALL, tmp_path)


def test_a_folder_of_other_options_is_refused(made: Path) -> None:
    with pytest.raises(InputError, match="other options") as caught:
        load_dataset(f"drawn-faces:{made}?seed=3&subjects=4&takes=1&size=64")
    assert "seed=3" in caught.value.expected


def test_another_file_is_no_manifest(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text("{}")
    with pytest.raises(InputError, match="not a manifest of drawn faces"):
        read_manifest(tmp_path)


def test_a_failing_process_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "pictures").write_text("a file where the folder belongs")
    with pytest.raises(InputError, match="cannot write") as caught:
        generate(SMALL, tmp_path)
    assert caught.value.cause
    assert not (tmp_path / MANIFEST).exists()


@pytest.mark.parametrize("damage", ["design", "pictures", "engine", "short", "list"])
def test_a_damaged_manifest_is_one_clear_error(tmp_path: Path, made: Path, damage: str) -> None:
    data = json.loads((made / MANIFEST).read_text(encoding="utf-8"))
    if damage in data:
        del data[damage]
    elif damage == "list":
        data["pictures"] = []
    else:
        data["pictures"] = {item: values[:2] for item, values in data["pictures"].items()}
    (tmp_path / MANIFEST).write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(InputError, match="a manifest that cannot be read") as caught:
        read_manifest(tmp_path)
    assert "delete it" in caught.value.cause


def test_the_worker_draws_its_share(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), json.dumps(asdict(SMALL)), "3", "14"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    pictures = plan(SMALL)
    assert [line["item"] for line in lines] == [pictures[3].item, pictures[17].item]


def test_the_digest_of_a_manifest_counts_pixels_and_keys(made: Path) -> None:
    manifest = read_manifest(made)
    first = next(iter(manifest.pictures))
    changed = manifest.pictures | {first: replace(manifest.pictures[first], digest="0")}
    assert Manifest(manifest.design, manifest.engine, changed).digest != manifest.digest


def test_folders_differ_by_what_is_drawn(tmp_path: Path) -> None:
    assert folder_of(SMALL, tmp_path) != folder_of(replace(SMALL, seed=1), tmp_path)
    assert folder_of(SMALL, tmp_path) == folder_of(SMALL, tmp_path)


def test_the_card_says_that_it_is_synthetic() -> None:
    assert CARD.description.startswith("SYNTHETIC")
    assert "No score here may be quoted" in CARD.cannot_show
    assert "not a race" in CARD.cannot_show
    assert not CARD.needs_root


def test_a_mislabelling_changes_as_many_labels_as_it_says_and_no_picture(tmp_path: Path) -> None:
    plain = load_dataset("drawn-faces?subjects=8&takes=5&size=48", tmp_path)
    biased = load_dataset(
        "drawn-faces?subjects=8&takes=5&size=48&bias=mislabel:gender:female:0.25:anger:neutral", tmp_path
    )
    assert biased.root == plain.root
    assert biased.notes == ("a planted bias: mislabel:gender:female:0.25:anger:neutral",)
    changed = biased.frame.filter(pl.col("expression").cast(pl.String) != pl.col("expression_drawn"))
    assert changed.height == 5
    assert set(changed["gender"]) == {"female"}
    assert set(changed["expression_drawn"]) == {"anger"}
    assert set(changed["expression"]) == {"neutral"}
    others = [name for name in plain.frame.columns if name != "expression"]
    assert biased.frame.select(others).equals(plain.frame.select(others))


def test_a_rarity_leaves_pictures_out(tmp_path: Path) -> None:
    plain = load_dataset("drawn-faces?subjects=8&takes=5&size=48", tmp_path)
    bias = "rare:tone:dark:0.6:happiness,rare:tone:light:1:fear"
    rare = load_dataset("drawn-faces", tmp_path, subjects=8, takes=5, size=48, bias=bias)
    left = plain.frame.join(rare.frame, on="item", how="anti")
    assert Counter(zip(left["tone"], left["expression"].cast(pl.String), strict=True)) == {
        ("dark", "happiness"): 6,
        ("light", "fear"): 10,
    }
    assert len(rare.notes) == 2


def test_faint_and_dim_faces_are_drawn_otherwise_and_the_others_the_same() -> None:
    bias = "faint:age:70+:0.5,dim:glasses:yes:0.4"
    plain, planted = plan(Design(subjects=16, takes=1)), plan(Design(subjects=16, takes=1, bias=bias))
    for one, other in zip(plain, planted, strict=True):
        group = one.person.look.group
        faint, dim = 0.5 if group.age == "70+" else 1.0, 0.6 if group.glasses == "yes" else 1.0
        assert other.scene.light.gain == pytest.approx(one.scene.light.gain * dim, abs=1e-4)
        for unit, level in one.scene.actions.items():
            assert other.scene.actions[unit] == pytest.approx(level * faint, abs=1e-4)
            assert (other.scene.actions[unit] > 0) == (level > 0), "units are as present as before"
        if faint == dim == 1:
            assert one == other
    assert folder_of(Design(bias=bias)) != folder_of(Design())


def test_a_bias_of_pictures_is_drawn_in_a_folder_of_its_own(tmp_path: Path) -> None:
    plain = load_dataset("drawn-faces?subjects=2&takes=1&size=48", tmp_path)
    dim = load_dataset("drawn-faces?subjects=2&takes=1&size=48&bias=dim:gender:male:0.50", tmp_path)
    assert dim.root != plain.root
    bright, dark = (np.mean([item.image.pixels.mean() for item in load_items(table)]) for table in (plain, dim))
    assert dark < 0.9 * bright


def test_biases_are_read_as_they_are_written() -> None:
    text = "faint:tone:dark:0.5, mislabel:age:03-09:0.2:fear:surprise,"
    faint, mislabel = parse_biases(text)
    assert faint == Bias("faint", "tone", "dark", 0.5)
    assert mislabel.expressions == ("fear", "surprise")
    assert parse_biases(",".join(map(str, (faint, mislabel)))) == (faint, mislabel)
    assert parse_biases("") == ()


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("vague:tone:dark:0.5", UnknownNameError, "kind of planted bias 'vague'"),
        ("faint:race:dark:0.5", UnknownNameError, "group of drawn faces 'race'"),
        ("faint:tone:drk:0.5", UnknownNameError, "did you mean 'dark'"),
        ("faint:tone:dark", InputError, "not a planted bias"),
        ("faint:tone:dark:0.5:anger", InputError, "not a planted bias"),
        ("mislabel:tone:dark:0.5:anger", InputError, "not a planted bias"),
        ("mislabel:tone:dark:0.5:anger:anger", InputError, "stays as it is"),
        ("rare:tone:dark:0.5:joy", UnknownNameError, "expression 'joy'"),
        ("faint:tone:dark:half", InputError, "is no share"),
        ("faint:tone:dark:0", InputError, "is no share"),
        ("faint:tone:dark:nan", InputError, "is no share"),
        ("faint:tone:dark:1.01", InputError, "is no share"),
        ("dim:tone:dark:1", InputError, "is no share"),
    ],
)
def test_biases_that_cannot_be_planted(text: str, error: type[Exception], message: str, tmp_path: Path) -> None:
    with pytest.raises(error, match=message):
        load_dataset("drawn-faces", tmp_path, bias=text)
    assert not list(tmp_path.iterdir())


def test_pillow_is_not_loaded_by_reading_the_card() -> None:
    code = "import affectcheck.datasets as d, sys; d.DATASETS.get('drawn-faces'); sys.exit('PIL' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert pillow().Image
