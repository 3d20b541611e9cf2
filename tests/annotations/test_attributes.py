"""Several things that the same raters say of the same items, as two annotators of gender, race and age do."""

from __future__ import annotations

import pytest

from affectcheck.annotations import read_attributes
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import scheme

LONG = {
    "item": ["a", "a", "b", "b"],
    "rater": ["r1", "r2"] * 2,
    "gender": ["Male", "Male", "Female", "Male"],
    "age": ["3-9", "10-19", "70+", "70+"],
}


def test_a_row_is_a_rating():
    found = read_attributes(LONG, ("gender", "age"), schemes={"age": scheme("age-9")})
    assert list(found) == ["gender", "age"]
    assert found["age"].target.name == "age"
    assert found["age"].parts[1] == "03-09"
    assert found["gender"].parts == ("Female", "Male")
    named = read_attributes(LONG, {"sex": "gender"})
    assert named["sex"].target.name == "sex"


def test_a_row_is_an_item():
    table = {"item": ["a"], "Gender-r1": ["f"], "Gender-r2": ["m"], "x": ["y"], "z": ["y"]}
    found = read_attributes(table, {"gender": ("Gender-r1", "Gender-r2"), "hair": ("x", "z")})
    assert found["gender"].raters == ("r1", "r2")
    assert found["hair"].raters == ("x", "z")
    alike = read_attributes({"item": ["a"], "g": ["f"], "g1": ["m"]}, {"g": ("g", "g1")})
    assert alike["g"].raters == ("g", "g1")


def test_what_is_no_attribute():
    with pytest.raises(InputError, match="each attribute once"):
        read_attributes(LONG, ("gender", "gender"))
    with pytest.raises(InputError, match="none"):
        read_attributes(LONG, ())
    with pytest.raises(UnknownNameError, match="rase"):
        read_attributes(LONG, ("gender",), schemes={"rase": ("a", "b")})
    with pytest.raises(UnknownNameError, match=r"votes\.csv: gender: "):
        read_attributes(LONG, ("gender",), schemes={"gender": ("female", "nobody")}, where="votes.csv")
