from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.errors import InputError, UnknownNameError
from affectcheck.models import Baseline, feature_sets
from affectcheck.predictions import PredictOptions, no_progress, predict
from affectcheck.records import strict_json
from affectcheck.training import TrainOptions, train

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

QUIET = TrainOptions(progress=no_progress)
Parts = dict[str, list[str]]


def with_labels(table: AnnotationTable, label: pl.Expr) -> AnnotationTable:
    dtype = table.frame.schema["pitch"]
    return replace(table, frame=table.frame.with_columns(pitch=label.cast(pl.String).cast(dtype)))


def test_learns_from_speakers_it_is_not_tested_on(corpus: AnnotationTable, parts: Parts) -> None:
    trained = train(corpus, parts, options=QUIET)
    found = predict(trained.model, corpus.select(parts["test"]), options=PredictOptions(progress=no_progress))
    truth = corpus.select(parts["test"]).frame.get_column("pitch").cast(pl.String).to_list()
    assert found.frame.get_column("prediction").cast(pl.String).to_list() == truth


def test_the_report(corpus: AnnotationTable, parts: Parts) -> None:
    report = train(corpus, parts, options=replace(QUIET, seed=5)).report
    assert (report.recipe, report.target, report.seed, report.faults) == ("baseline", "pitch", 5, ())
    assert (report.train.items, report.train.used, report.validation.used) == (12, 12, 6)
    assert report.fitted_on == ("train", "validation")
    assert report.absent == ("shrill",)
    assert report.choice.metric == "uar"
    assert [c.value for c in report.choice.candidates] == sorted(c.value or 0.0 for c in report.choice.candidates)
    assert strict_json(report.as_dict())


def test_the_card_says_how_it_came_about(corpus: AnnotationTable, parts: Parts) -> None:
    card = train(corpus, parts, options=QUIET).model.card
    assert card.training_data == "18 items of buzzes, target 'pitch'"
    text = "; ".join(card.notes)
    assert "fitted on train and validation; strength chosen by uar on the validation part" in text
    assert "never predicts shrill" in text


def test_of_equal_strengths_the_strongest_regularisation(corpus: AnnotationTable, parts: Parts) -> None:
    choice = train(corpus, parts, options=QUIET).report.choice
    best = max(candidate.value or 0.0 for candidate in choice.candidates)
    assert choice.strength == min(c.strength for c in choice.candidates if c.value == best)


def test_the_same_again_is_the_same_file(corpus: AnnotationTable, parts: Parts, tmp_path: Path) -> None:
    for name, seed in (("a", 0), ("b", 1)):
        train(corpus, parts, options=replace(QUIET, seed=seed)).model.save(tmp_path / f"{name}.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_the_order_of_the_items_does_not_matter(corpus: AnnotationTable, parts: Parts) -> None:
    reversed_parts = {name: keys[::-1] for name, keys in parts.items()}
    assert train(corpus, parts, options=QUIET).model.card == train(corpus, reversed_parts, options=QUIET).model.card


def test_the_test_part_is_never_read(corpus: AnnotationTable, parts: Parts) -> None:
    without = {name: keys for name, keys in parts.items() if name != "test"}
    assert train(corpus, parts, options=QUIET).model.card == train(corpus, without, options=QUIET).model.card


def test_without_validation_the_recipe_decides(corpus: AnnotationTable, parts: Parts) -> None:
    report = train(corpus, {"train": parts["train"]}, options=QUIET).report
    assert report.choice.candidates == ()
    assert "recipe's own strength" in report.choice.reason
    assert report.fitted_on == ("train",)


def test_a_recipe_may_fit_on_train_alone(corpus: AnnotationTable, parts: Parts, tmp_path: Path) -> None:
    path = tmp_path / "strict.toml"
    search = 'strength = 0.01\nstrengths = [0.01]\nmetric = "{}"\n'
    path.write_text(
        'title = "strict"\nfinal_fit = "train"\n'
        f"[categories]\n{search.format('uar')}[dimensions]\n{search.format('ccc')}"
    )
    trained = train(corpus, parts, options=replace(QUIET, recipe=path))
    assert trained.report.fitted_on == ("train",)
    assert "12 items" in trained.model.card.training_data


@pytest.mark.parametrize(
    ("metric", "words"),
    [("ccc", "cannot be chosen by 'ccc'"), ("recall", "cannot be chosen by"), ("uarr", "did you mean 'uar'")],
)
def test_a_metric_that_does_not_choose(
    corpus: AnnotationTable, parts: Parts, tmp_path: Path, metric: str, words: str
) -> None:
    path = tmp_path / "odd.toml"
    search = 'strength = 0.01\nstrengths = [0.01]\nmetric = "{}"\n'
    path.write_text(f'title = "odd"\n[categories]\n{search.format(metric)}[dimensions]\n{search.format("ccc")}')
    with pytest.raises(InputError, match=words):
        train(corpus, parts, options=replace(QUIET, recipe=path))


def test_dimensions(corpus: AnnotationTable, parts: Parts) -> None:
    trained = train(corpus, parts, options=replace(QUIET, target="affect"))
    assert trained.model.card.parts == ("up", "down")
    assert trained.report.choice.metric == "ccc"
    assert trained.report.absent == ()
    found = predict(trained.model, corpus.select(parts["test"]), options=PredictOptions(progress=no_progress))
    assert np.corrcoef(found.frame["up"], corpus.select(parts["test"]).frame["up"])[0, 1] > 0.9


def test_units_are_refused_before_anything_is_measured(corpus: AnnotationTable, parts: Parts) -> None:
    with pytest.raises(InputError, match="recipe 'baseline' learns no units"):
        train(replace(corpus, root=None), parts, options=replace(QUIET, target="aus"))


def test_items_without_a_label_are_counted(corpus: AnnotationTable, parts: Parts) -> None:
    some = with_labels(corpus, pl.when(pl.col("item") != parts["train"][0]).then("pitch"))
    report = train(some, parts, options=QUIET).report
    assert (report.train.items, report.train.used, report.train.unlabelled) == (12, 11, 1)


def test_no_label_at_all(corpus: AnnotationTable, parts: Parts) -> None:
    with pytest.raises(InputError, match="no training item has a label of 'pitch'"):
        train(with_labels(corpus, pl.lit(None)), parts, options=QUIET)


def test_a_single_class(corpus: AnnotationTable, parts: Parts) -> None:
    with pytest.raises(InputError, match="1 class: low"):
        train(with_labels(corpus, pl.lit("low")), parts, options=QUIET)


def test_an_undefined_metric_leaves_the_choice_to_the_recipe(corpus: AnnotationTable, parts: Parts) -> None:
    one = {"train": parts["train"], "validation": parts["validation"][:1]}
    choice = train(corpus, one, options=replace(QUIET, target="affect")).report.choice
    assert "undefined on the validation part" in choice.reason
    assert all(candidate.value is None for candidate in choice.candidates)


def test_an_unreadable_clip_is_a_fault(corpus: AnnotationTable, parts: Parts) -> None:
    key = parts["train"][0]
    media = pl.when(pl.col("item") != key).then("media").otherwise(pl.lit("missing.wav"))
    broken = replace(corpus, frame=corpus.frame.with_columns(media=media))
    report = train(broken, parts, options=replace(QUIET, max_fault_share=0.1)).report
    assert [fault.item for fault in report.faults] == [key]
    assert (report.train.items, report.train.used, report.train.faulty) == (12, 11, 1)
    with pytest.raises(InputError, match=r"missing\.wav"):
        train(broken, parts, options=replace(QUIET, max_fault_share=0.0))


@pytest.mark.parametrize(
    ("changes", "kind", "words"),
    [
        ({"train": []}, InputError, "no items to train on"),
        ({"validation": ["s1-low-1.wav"]}, InputError, "1 items are in both train and validation: s1-low-1.wav"),
        ({"validaton": []}, UnknownNameError, "did you mean 'validation'"),
        ({"train": ["nobody.wav"]}, UnknownNameError, "not in the table"),
    ],
)
def test_parts_that_are_not_sound(
    corpus: AnnotationTable, parts: Parts, changes: Parts, kind: type[Exception], words: str
) -> None:
    with pytest.raises(kind, match=words):
        train(corpus, parts | changes, options=QUIET)


def test_a_killed_run_resumes(
    corpus: AnnotationTable, parts: Parts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = replace(QUIET, cache=tmp_path)
    measure = feature_sets.features
    done: list[str] = []

    def dying(*args: object, **more: object) -> object:
        if len(done) == 10:
            raise KeyboardInterrupt
        done.append("one")
        return measure(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(feature_sets, "features", dying)
    with pytest.raises(KeyboardInterrupt):
        train(corpus, parts, options=options)
    done.clear()
    trained = train(corpus, parts, options=options)
    assert len(done) == 8, "18 clips, of which 10 were measured before"
    monkeypatch.undo()
    assert trained.model.card == train(corpus, parts, options=QUIET).model.card
    assert trained.model.cache == tmp_path


def test_prediction_uses_what_training_measured(
    corpus: AnnotationTable, parts: Parts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = train(corpus, parts, options=replace(QUIET, cache=tmp_path)).model

    def never(*_: object, **__: object) -> None:
        raise AssertionError("measured again")

    monkeypatch.setattr(feature_sets, "features", never)
    found = predict(model, corpus.select(parts["train"]), options=PredictOptions(progress=no_progress))
    assert found.height == 12


def test_the_level_sensitive_recipe_depends_on_gain(corpus: AnnotationTable, parts: Parts) -> None:
    from affectcheck.media.clip import Clip, Item
    from affectcheck.media.loader import load_item

    row = corpus.frame.row(0, named=True)
    clip = load_item(row, corpus.root).audio
    quiet = Clip((clip.samples * np.float32(0.05)).astype(np.float32), clip.rate_hz)
    change = {}
    for recipe in ("baseline", "baseline-level-sensitive"):
        model = train(corpus, parts, options=replace(QUIET, recipe=recipe)).model
        assert model.card.name == recipe
        one, two = (model.predict([Item("a", {"audio": heard})]) for heard in (clip, quiet))
        change[recipe] = np.abs(one - two).max()
    assert change["baseline"] < 1e-5
    assert change["baseline-level-sensitive"] > 0.01


@pytest.mark.slow
def test_workers_change_nothing(corpus: AnnotationTable, parts: Parts, tmp_path: Path) -> None:
    alone = train(corpus, parts, options=QUIET).model
    together = train(corpus, parts, options=replace(QUIET, workers=2, cache=tmp_path)).model
    assert alone.card == together.card
    together.save(tmp_path / "m.npz")
    assert Baseline.load(tmp_path / "m.npz").card == alone.card
