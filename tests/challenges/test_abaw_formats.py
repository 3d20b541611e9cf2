"""Files of C-EXPR-DB and Hume-Vidmimic2 as teams and organisers have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.challenges.catalogue import load_track, parse_track
from affectcheck.challenges.checking import check
from affectcheck.challenges.labels import read_labels
from affectcheck.challenges.scoring import ScoringOptions, headline, score
from affectcheck.challenges.track import plain
from affectcheck.challenges.wanted import Wanted, read_wanted, wanted_of
from affectcheck.errors import InputError
from affectcheck.records import Score

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from affectcheck.challenges.track import Track

    Write = Callable[[str, str | bytes], Path]

CLASSES = "Fearfully_Surprised,Happily_Surprised,Sadly_Surprised,Disgustedly_Surprised,Angrily_Surprised,Sadly_Fearful,Sadly_Angry"
EMOTIONS = "Admiration,Amusement,Determination,Empathic Pain,Excitement,Joy"


@pytest.fixture(scope="module")
def ce() -> Track:
    return load_track("abaw6-ce")


@pytest.fixture(scope="module")
def emi() -> Track:
    return load_track("abaw6-emi")


def rows_of(numbers: list[int]) -> str:
    return "".join(f"v/{n:05d}.jpg,{','.join(str(int(k == c)) for k in range(7))}\n" for n, c in enumerate(numbers, 1))


def test_compound_expressions_one_hot_by_number_and_by_video(write: Write, ce: Track) -> None:
    labels = read_labels(write("labels/v.txt", f"{CLASSES}\n0\n-1\n6\n3\n").parent, ce)
    wanted = wanted_of(labels, ce)
    forms = {
        "one-hot.txt": f"image_location,{CLASSES}\n{rows_of([0, 1, 6, 3])}",
        "spelled.csv": f"Image Location,{CLASSES.replace('_', ' ')}\n{rows_of([0, 1, 6, 3])}",
        "numbers.txt": f"image_location,{CLASSES}\nv/1.jpg,0\nv/2.jpg,1\nv/3.jpg,6\nv/4.jpg,3\n",
        "v.txt": f"{CLASSES}\n0\n1\n6\n3\n",
    }
    found = {name: check(write(name, text), ce, wanted=wanted) for name, text in forms.items()}
    assert {tuple(one.values.tolist()) for one in found.values()} == {(0, 1, 6, 3)}
    scored = headline(score(found["v.txt"], labels, ce, ScoringOptions(resamples=0)), ce)
    assert isinstance(scored, Score)
    assert scored.value == pytest.approx(3 / 7)  # three classes are right, four do not occur
    assert scored.support == 3


def test_numbers_of_classes_go_by_the_files_own_header(write: Write, ce: Track) -> None:
    turned = ",".join(reversed(CLASSES.split(",")))
    sent = check(write("p.txt", f"image_location,{turned}\nv/1.jpg,0\nv/2.jpg,6\n"), ce)
    assert sent.values.tolist() == [6, 0]


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ("v/1.jpg,0\nv/2.jpg,7\n", r"p\.txt:3: 1 class number out of range, 7\n.*expected: 0 to 6.*\n.*counted from 1"),
        ("v/1.jpg,0\nv/2.jpg,-1\n", r"p\.txt:3: 1 class number out of range, -1"),
        ("v/1.jpg,0\nv/2.jpg,\n", r"p\.txt"),
        ("v/1.jpg,0\nv/2.jpg,Sadly_Angry\n", r"p\.txt"),
        ("v/1.jpg,0,0\nv/2.jpg\n", r"p\.txt"),
    ],
)
def test_numbers_of_classes_that_are_none(rows: str, fault: str, write: Write, ce: Track) -> None:
    with pytest.raises(InputError, match=fault):
        check(write("p.txt", f"image_location,{CLASSES}\n{rows}"), ce)


def test_a_key_that_is_not_the_first_column_has_no_numbers(write: Write, ce: Track) -> None:
    with pytest.raises(InputError, match=r"p\.txt"):
        check(write("p.txt", f"{CLASSES},image_location\n0,v/1.jpg\n"), ce)


def clips(*names: str, header: str = EMOTIONS) -> str:
    return f"Filename,{header}\n" + "".join(f"{name},0.1,0.2,0.3,0.4,{n / 10},0.{n}\n" for n, name in enumerate(names))


def test_mimicry_with_names_of_clips_as_tables_leave_them(write: Write, emi: Track) -> None:
    labels = read_labels(write("valid_split.csv", clips("00007", "00013", "01000")), emi)
    wanted = wanted_of(labels, emi)
    for header in (EMOTIONS, EMOTIONS.replace(" ", "_"), EMOTIONS.replace(" ", "-"), EMOTIONS.replace(" ", "").lower()):
        sent = check(write("p.csv", clips("00007", "00013", "01000", header=header)), emi, wanted=wanted)
        assert sent.notes == ()
    spoiled = check(write("p.csv", clips("7", "13.mp4", "01000")), emi, wanted=wanted)
    assert spoiled.items.to_list() == ["00007", "00013", "01000"]
    assert spoiled.notes == ("2 keys told by the number: zeros in front and endings do not count",)
    assert np.array_equal(spoiled.values, sent.values)
    moved = check(write("p.csv", clips("01000", "7", "13")), emi, wanted=wanted)
    assert moved.values[:, 5].tolist() == [0.1, 0.2, 0.0]


def test_a_clip_under_two_spellings_is_told(write: Write, emi: Track) -> None:
    path = write("p.csv", clips("7", "00007"))
    with pytest.raises(InputError, match="2 rows with a key that another row has"):
        check(path, emi)
    with pytest.raises(InputError, match="00007"):
        check(path, emi, wanted=read_wanted(write("test.csv", "Filename\n00007\n"), emi))


def test_two_items_of_one_number_are_told_apart_by_their_spelling(write: Write) -> None:
    told = plain(load_track("abaw6-emi"))
    track = parse_track(told)
    alike = Wanted(pl.Series("item", ["7", "07", "8"]), None, "list")
    with pytest.raises(InputError, match="007"):
        check(write("p.csv", clips("7", "007", "8")), track, wanted=alike)


def test_only_items_are_numbers(emi: Track) -> None:
    told = plain(emi)
    with pytest.raises(InputError, match="keys that are numbers, but its rows are frames"):
        parse_track(told | {"file": told["file"] | {"unit": "frame"}})
