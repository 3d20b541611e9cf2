from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affectcheck.errors import InputError, SignatureMismatchError
from affectcheck.records import Signature


def test_fields_stand_in_their_fixed_order_and_empty_ones_are_left_out() -> None:
    signature = Signature("uar", seed="7", labels="anger,fear", model="m")
    assert str(signature) == "uar|labels:anger,fear|seed:7|model:m"


@given(st.dictionaries(st.sampled_from([f.name for f in fields(Signature)]), st.text(min_size=1)))
def test_what_is_written_is_read_back_whatever_the_names_hold(values: dict[str, str]) -> None:
    signature = Signature(**{"metric": "ccc"} | values)
    assert Signature.parse(str(signature)) == signature
    assert "\n" not in str(signature)


@pytest.mark.parametrize("text", ["uar|n", "uar|colour:red", "uar|n:1|n:2"])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="not a signature"):
        Signature.parse(text)


def test_scores_that_differ_in_the_model_alone_may_be_compared() -> None:
    one = Signature("uar", data="d@1", model="a")
    one.require_comparable(one.with_(model="b"))
    assert one.differences(one.with_(model="b")) == ()


def test_other_differences_are_refused_and_named() -> None:
    one = Signature("uar", data="d@1", seed="1")
    other = one.with_(data="d@2", seed="2")
    assert one.differences(other) == ("data", "seed")
    with pytest.raises(SignatureMismatchError, match=r"data: 'd@1' and 'd@2'; seed: '1' and '2'"):
        one.require_comparable(other)
