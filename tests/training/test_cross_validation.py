from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.errors import InputError
from affectcheck.predictions import no_progress
from affectcheck.training import Fold, TrainOptions, cross_validate, load_recipe

if TYPE_CHECKING:
    from affectcheck.annotations import AnnotationTable

QUIET = TrainOptions(progress=no_progress)
Folds = list[tuple[list[str], list[str]]]


def test_every_item_is_predicted_by_a_model_without_its_subject(corpus: AnnotationTable, folds: Folds) -> None:
    found = cross_validate(corpus, folds, options=QUIET)
    assert found.predictions.items.to_list() == corpus.items.to_list()
    assert (found.predictions.frame["prediction"].cast(pl.String) == corpus.frame["pitch"].cast(pl.String)).all()
    assert [fold.subjects for fold in found.folds] == [("s1",), ("s2",), ("s3",), ("s4",)]
    assert {(fold.trained, fold.tested, fold.absent) for fold in found.folds} == {(18, 6, ("shrill",))}
    assert len({fold.digest for fold in found.folds}) == 4
    assert found.strength == load_recipe("baseline").categories.strength


def test_folds_of_a_partition(corpus: AnnotationTable, folds: Folds) -> None:
    from affectcheck.partitions import folds as folds_of

    one = cross_validate(corpus, folds, options=QUIET).predictions
    assert cross_validate(corpus, folds_of(corpus), options=QUIET).predictions.digest == one.digest


def test_the_card(corpus: AnnotationTable, folds: Folds) -> None:
    card = cross_validate(corpus, folds, options=QUIET).predictions.card
    assert card.name == "baseline (cross-validated)"
    assert card.training_data == "4 folds: buzzes, target 'pitch'"
    assert card.digest


def test_dimensions(corpus: AnnotationTable, folds: Folds) -> None:
    found = cross_validate(corpus, (Fold(*fold) for fold in folds), options=replace(QUIET, target="affect"))
    assert found.predictions.parts == ("up", "down")
    assert found.predictions.height == corpus.height


def test_items_without_a_label_are_predicted_and_not_learned(corpus: AnnotationTable, folds: Folds) -> None:
    label = pl.when(pl.col("item") != "s1-low-1.wav").then("pitch")
    some = replace(corpus, frame=corpus.frame.with_columns(pitch=label))
    found = cross_validate(some, folds, options=QUIET)
    assert found.predictions.height == corpus.height
    assert [fold.trained for fold in found.folds] == [18, 17, 17, 17]


def test_an_unreadable_clip_has_no_prediction(corpus: AnnotationTable, folds: Folds) -> None:
    media = pl.when(pl.col("item") != "s1-low-1.wav").then("media").otherwise(pl.lit("missing.wav"))
    broken = replace(corpus, frame=corpus.frame.with_columns(media=media))
    found = cross_validate(broken, folds, options=QUIET)
    assert found.predictions.height == corpus.height - 1
    assert [fault.item for fault in found.predictions.faults] == ["s1-low-1.wav"]


def test_without_subjects_folds_are_taken_as_they_are(corpus: AnnotationTable, folds: Folds) -> None:
    anonymous = replace(corpus, frame=corpus.frame.drop("subject"))
    assert cross_validate(anonymous, folds, options=QUIET).folds[0].subjects == ()


def test_a_subject_on_both_sides(corpus: AnnotationTable) -> None:
    keys = corpus.items.to_list()
    with pytest.raises(InputError, match="on both sides of fold 1: s1"):
        cross_validate(corpus, [(keys[1:], keys[:1]), (keys[:1], keys[1:])], options=QUIET)


def test_an_item_on_both_sides(corpus: AnnotationTable) -> None:
    keys = corpus.items.to_list()
    anonymous = replace(corpus, frame=corpus.frame.drop("subject"))
    with pytest.raises(InputError, match=r"on both sides of fold 1: s1-low-1\.wav"):
        cross_validate(anonymous, [(keys, keys[:1]), (keys[:1], keys[1:])], options=QUIET)


def test_items_tested_twice_or_never(corpus: AnnotationTable, folds: Folds) -> None:
    with pytest.raises(InputError, match="6 items are tested more than once and 0 never"):
        cross_validate(corpus, [*folds, folds[0]], options=QUIET)
    with pytest.raises(InputError, match="0 items are tested more than once and 6 never"):
        cross_validate(corpus, folds[1:], options=QUIET)


def test_units(corpus: AnnotationTable, folds: Folds) -> None:
    with pytest.raises(InputError, match="recipe 'baseline' learns no units"):
        cross_validate(corpus, folds, options=replace(QUIET, target="aus"))
