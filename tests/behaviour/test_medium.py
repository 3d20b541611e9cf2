"""Which suite a model gets when none is named."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from affectcheck.behaviour.medium import suites_for


@pytest.mark.parametrize(
    ("media", "suites"),
    [
        (("audio",), ("ser",)),
        (("image",), ("faces",)),
        (("frames",), ("faces",)),
        (("frames", "audio"), ("ser", "faces")),
    ],
)
def test_the_media_of_the_model_choose(speech: Any, media: tuple[str, ...], suites: tuple[str, ...]) -> None:
    assert suites_for(speech.card(media=media), speech.table) == suites


@pytest.mark.parametrize(("file", "suite"), [("a.wav", "ser"), ("a.JPG", "faces"), ("a.mp4", "faces"), (None, "ser")])
def test_files_tell_the_medium_of_finished_predictions(speech: Any, file: str | None, suite: str) -> None:
    table = replace(speech.table, frame=speech.table.frame.with_columns(media=pl.lit(file, pl.String)))
    assert suites_for(speech.card(media=()), table) == (suite,)
    bare = replace(table, frame=table.frame.drop("media"))
    assert suites_for(speech.card(media=()), bare) == ("ser",)
