"""A protocol in any spelling is one protocol; one that does not add up is told its sum."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.errors import InputError
from affectcheck.partitions import Budget, PartitionOptions, parse_protocol
from affectcheck.partitions.protocol import read_protocol


@pytest.mark.parametrize(
    "text", ["55-15-30", "55,15,30", "55, 15, 30", "55/15/30", "55:15:30", "55 15 30", ".55-.15-.30", "0.55,0.15,0.3", "55.0-15.00-30"]
)  # fmt: skip
def test_every_spelling_is_one_protocol(text: str) -> None:
    found = read_protocol(text)
    assert found.text == "55-15-30"
    assert found.ratios == (0.55, 0.15, 0.3)
    assert PartitionOptions(protocol=text) == PartitionOptions()


@pytest.mark.parametrize(
    ("text", "total"), [("55-15-20", "90"), (".55-.15-.2", "0.9"), ("60-60", "120"), ("33.3-33.3-33.3", "99.9"), ("1-1", "2")]
)  # fmt: skip
def test_shares_that_do_not_add_up_are_told_their_sum(text: str, total: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_protocol(text)
    assert caught.value.what.endswith(f"its shares do not sum to 100, but to {total}")


@pytest.mark.parametrize("text", ["inf-50-50", "55-15-nan", "-55-15-30", "a", "100", "1", "", "-"])
def test_what_is_no_list_of_shares(text: str) -> None:
    with pytest.raises(InputError, match="not a protocol"):
        parse_protocol(text)


@given(st.lists(st.integers(1, 1000), min_size=2, max_size=9))
def test_the_text_reads_back_to_the_same_shares(weights: list[int]) -> None:
    text = "-".join(repr(100 * weight / sum(weights)) for weight in weights)
    found = read_protocol(text)
    assert read_protocol(found.text) == found
    assert abs(sum(found.ratios) - 1) < 1e-9


@pytest.mark.parametrize(
    ("protocol", "names"),
    [
        ("55-15-30", ("train", "validation", "test")),
        ("80-20", ("train", "test")),
        ("40-30-20-10", ("set-1", "set-2", "set-3", "set-4")),
    ],
)
def test_sets_have_names_of_their_own(protocol: str, names: tuple[str, ...]) -> None:
    assert PartitionOptions(protocol=protocol).names == names


@pytest.mark.parametrize("name", [" train", "", "tr\nain"])
def test_names_that_no_file_should_hold(name: str) -> None:
    with pytest.raises(InputError, match="names of sets: "):
        PartitionOptions(protocol="80-20", names=(name, "test"))


def test_names_that_differ_in_case_alone_are_one() -> None:
    with pytest.raises(InputError, match="one distinct name a set"):
        PartitionOptions(protocol="80-20", names=("Test", "test"))


SEVERAL = ("names", "targets", "groups", "together", "provenance")


def test_names_in_a_list_are_those_in_a_tuple() -> None:
    listed = {name: ["manual"] for name in SEVERAL} | {"names": ["a", "b"], "protocol": "80-20"}
    found = PartitionOptions(**listed)
    assert found == PartitionOptions(**{k: tuple(v) if isinstance(v, list) else v for k, v in listed.items()})
    assert hash(found)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"provenance": ()}, "no provenance is allowed"),
        ({"provenance": ("manual", "guess")}, "unknown provenance 'guess'"),
        ({"subjects": ""}, "finds one in the empty text"),
        ({"subjects": r"(SN\d+)?"}, "finds one in the empty text"),
        ({"subjects": r"\d*"}, r"the rule for subjects, '\d*', finds one"),
        ({"targets": ("mood", "mood", "au")}, "targets: 'mood' named more than once"),
        ({"groups": ("sex", "age", "sex")}, "groups: 'sex' named more than once"),
        ({"together": ("media", "media")}, "together: 'media' named more than once"),
        ({"provenance": ("manual", "manual")}, "provenance: 'manual' named more than once"),
        ({"tolerance_pp": float("inf")}, "tolerance_pp is inf"),
        *(({name: "mood"}, f"{name} is one text, 'mood'") for name in SEVERAL),
    ],
)
def test_options_that_would_do_something_else(options: dict, message: str) -> None:
    with pytest.raises(InputError) as caught:
        PartitionOptions(**options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "budget",
    [
        {"nodes": -1},
        {"effort": 0},
        {"effort": float("nan")},
        {"effort": float("inf")},
        {"seconds": 0},
        {"seconds": float("inf")},
        {"seconds": float("nan")},
    ],
)
def test_work_is_a_positive_and_finite_amount(budget: dict) -> None:
    with pytest.raises(InputError, match="a budget of"):
        Budget(**budget)
