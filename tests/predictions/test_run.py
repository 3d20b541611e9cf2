"""Running a model over a table: order, faults, cache, perturbation, processes."""

from __future__ import annotations

import multiprocessing
import signal
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from small_models import (
    CARD,
    SILENT,
    ByKey,
    Deaf,
    Dying,
    Hanging,
    Louder,
    Loudness,
    Returning,
    Saying,
    Unloadable,
    Unwritable,
)
from small_perturbations import write_sounds

from affectcheck.annotations.table import AnnotationTable
from affectcheck.errors import ExtraMissingError, InputError, ModelError, WriteError
from affectcheck.models import ModelRaisedError, load_model, table_model
from affectcheck.models.card import ModelCard
from affectcheck.predictions import PredictOptions, no_progress, predict

if TYPE_CHECKING:
    from pathlib import Path


def keys(count: int = 6) -> AnnotationTable:
    return AnnotationTable(pl.DataFrame({"item": [f"i{n}" for n in range(count)]}), name="made")


@pytest.fixture
def sounds(tmp_path: Path) -> AnnotationTable:
    return write_sounds(tmp_path / "sounds")


def test_rows_stand_in_table_order_with_decisions_and_scores() -> None:
    made = predict(ByKey(), keys())
    assert made.items.to_list() == [f"i{n}" for n in range(6)]
    assert made.frame.columns == ["item", "prediction", "score_anger", "score_neutral"]
    assert made.frame.schema["prediction"] == pl.Enum(["anger", "neutral"])
    assert made.kind == "categories"
    assert made.parts == ("anger", "neutral")
    assert made.data == "made"
    assert made.faults == ()


def test_ties_go_to_the_first_class() -> None:
    made = predict(Returning(np.array([[0.5, 0.5]])), keys(1))
    assert made.frame["prediction"].to_list() == ["anger"]


def test_a_model_of_labels_gets_no_score_columns() -> None:
    card = replace(SILENT, output="label")
    made = predict(Returning(np.array([[0.0, 1.0]]), card), keys(1))
    assert made.frame.columns == ["item", "prediction"]
    assert not made.has_scores


@pytest.mark.parametrize("batch", [1, 4, 100])
@pytest.mark.parametrize("workers", [1, 2])
def test_batches_and_processes_change_nothing(batch: int, workers: int, tmp_path: Path) -> None:
    expected = predict(ByKey(), keys(9)).frame
    options = PredictOptions(batch=batch, workers=workers, cache=tmp_path)
    made = predict(ByKey(), keys(9), options=options)
    assert made.frame.equals(expected)
    again = ByKey()
    assert predict(again, keys(9), options=options).frame.equals(expected)
    assert again.calls == []


class TestMedia:
    def test_sound_reaches_the_model(self, sounds: AnnotationTable) -> None:
        made = predict(Loudness(), sounds)
        assert made.frame["length"].to_list() == [1600, 1700, 1800, 1900]
        assert made.frame["level"].to_list() == pytest.approx([0.125 * n / 2**0.5 for n in (1, 2, 3, 4)], rel=1e-2)

    def test_a_second_run_neither_decodes_nor_predicts(
        self, sounds: AnnotationTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        options = PredictOptions(cache=tmp_path / "cache")
        first = predict(Loudness(), sounds, options=options)
        monkeypatch.setattr("affectcheck.media.loader.load_item", None)
        model = Loudness()
        second = predict(model, sounds, options=options)
        assert model.calls == []
        assert second.frame.equals(first.frame)
        assert second.faults == first.faults

    def test_changed_sound_is_predicted_again(self, sounds: AnnotationTable, tmp_path: Path) -> None:
        import soundfile

        options = PredictOptions(cache=tmp_path / "cache")
        predict(Loudness(), sounds, options=options)
        assert sounds.root is not None
        soundfile.write(sounds.root / "clip2.wav", np.full(800, 0.25), 16_000)
        model = Loudness()
        made = predict(model, sounds, options=options)
        assert model.calls == ["clip2.wav"]
        assert made.frame["length"].to_list() == [1600, 1700, 800, 1900]

    def test_the_same_sound_in_another_container_is_not(self, sounds: AnnotationTable, tmp_path: Path) -> None:
        import soundfile

        options = PredictOptions(cache=tmp_path / "cache")
        predict(Loudness(), sounds, options=options)
        assert sounds.root is not None
        samples, rate = soundfile.read(sounds.root / "clip1.wav", dtype="int16")
        soundfile.write(sounds.root / "clip1.flac", samples, rate)
        moved = replace(
            sounds, frame=sounds.frame.with_columns(media=pl.col("media").replace("clip1.wav", "clip1.flac"))
        )
        model = Loudness()
        predict(model, moved, options=options)
        assert model.calls == []

    def test_missing_and_damaged_files_are_faults(self, sounds: AnnotationTable) -> None:
        assert sounds.root is not None
        (sounds.root / "clip0.wav").unlink()
        (sounds.root / "clip3.wav").write_bytes(b"no sound at all")
        made = predict(Loudness(), sounds, options=PredictOptions(max_fault_share=0.5))
        assert made.items.to_list() == ["clip1.wav", "clip2.wav"]
        assert [(f.item, f.kind, f.severity) for f in made.faults] == [
            ("clip0.wav", "unreadable media", "error"),
            ("clip3.wav", "unreadable media", "error"),
        ]
        with pytest.raises(InputError, match="1 of 4 items have no prediction") as caught:
            predict(Loudness(), sounds)
        assert "clip0.wav" in str(caught.value)

    def test_cautions_are_kept_through_the_cache(self, sounds: AnnotationTable, tmp_path: Path) -> None:
        assert sounds.root is not None
        path = sounds.root / "clip0.wav"
        path.write_bytes(path.read_bytes()[:-400])  # the header claims more than there is
        options = PredictOptions(cache=tmp_path / "cache")
        first = predict(Loudness(), sounds, options=options)
        assert [(f.item, f.kind, f.severity) for f in first.faults] == [("clip0.wav", "media caution", "warning")]
        assert predict(Loudness(), sounds, options=options).faults == first.faults

    def test_another_weights_digest_is_another_model(self, sounds: AnnotationTable, tmp_path: Path) -> None:
        options = PredictOptions(cache=tmp_path / "cache")
        predict(Loudness(), sounds, options=options)
        model = Loudness(replace(CARD, digest="weights-2"))
        predict(model, sounds, options=options)
        assert len(model.calls) == 4


class TestPerturbation:
    def test_the_model_hears_the_change_and_both_are_cached(self, sounds: AnnotationTable, tmp_path: Path) -> None:
        plain = predict(Loudness(), sounds, options=PredictOptions(cache=tmp_path))
        louder = PredictOptions(cache=tmp_path, perturbation=Louder())
        changed = predict(Loudness(), sounds, options=louder)
        assert changed.frame["level"].to_numpy() == pytest.approx(2 * plain.frame["level"].to_numpy(), rel=1e-6)
        model = Loudness()
        assert predict(model, sounds, options=louder).frame.equals(changed.frame)
        assert predict(model, sounds, options=PredictOptions(cache=tmp_path)).frame.equals(plain.frame)
        assert model.calls == []

    def test_not_applicable_is_counted_and_stops_nothing(self, sounds: AnnotationTable, tmp_path: Path) -> None:
        options = PredictOptions(
            cache=tmp_path, strict=True, perturbation=Louder(refuses=("clip0.wav", "clip1.wav", "clip2.wav"))
        )
        for _ in range(2):
            made = predict(Loudness(), sounds, options=options)
            assert made.items.to_list() == ["clip3.wav"]
            assert [f.kind for f in made.faults] == ["perturbation not applicable"] * 3

    def test_a_model_that_does_not_hear_is_not_robust(self) -> None:
        made = predict(ByKey(), keys(2), options=PredictOptions(perturbation=Louder()))
        assert made.height == 0
        assert [f.kind for f in made.faults] == ["perturbation not applicable"] * 2
        assert "gets no audio of this item that could be changed" in made.faults[0].message

    def test_a_refusal_is_a_fault_of_the_item(self, sounds: AnnotationTable) -> None:
        class Broken:
            key = "broken"
            media = ("audio",)

            def __call__(self, clip: object, item_key: str) -> None:
                raise InputError(f"no room for {item_key}")

        options = PredictOptions(perturbation=Broken(), max_fault_share=1.0)
        made = predict(Loudness(), sounds, options=options)
        assert made.height == 0
        assert {f.kind for f in made.faults} == {"perturbation failed"}


class TestFaults:
    @pytest.mark.parametrize("batch", [1, 3])
    def test_the_item_at_fault_is_found_in_its_batch(self, batch: int) -> None:
        made = predict(ByKey(fails=("i2",)), keys(), options=PredictOptions(batch=batch, max_fault_share=0.2))
        assert made.items.to_list() == ["i0", "i1", "i3", "i4", "i5"]
        (fault,) = made.faults
        assert (fault.item, fault.kind) == ("i2", "model raised")
        assert fault.message == "model 'keys': ValueError: cannot do i2"

    def test_strict_stops_at_any(self) -> None:
        with pytest.raises(InputError, match="1 of 6 items have no prediction") as caught:
            predict(ByKey(fails=("i2",)), keys(), options=PredictOptions(strict=True))
        assert "strict" in caught.value.expected

    def test_too_many_stop_and_the_first_are_listed(self) -> None:
        model = ByKey(fails=tuple(f"i{n}" for n in range(40, 60)))
        with pytest.raises(InputError, match="6 of 100 items") as caught:
            predict(model, keys(100))
        assert "cannot do i40" in str(caught.value)
        assert "and 1 more" in str(caught.value)
        assert len(model.calls) == 46

    def test_what_is_said_of_many_items_is_said_once(self) -> None:
        error = ModelRaisedError("the model says: too short", where="a place", expected="a longer clip", cause="a cut")
        with pytest.raises(InputError, match="7 of 100 items") as caught:
            predict(Saying(error), keys(100), options=PredictOptions(max_fault_share=0.06))
        assert str(caught.value).splitlines()[1:4] == [
            "  i0, i1, i2, i3, i4 and 2 more: model raised: model 'keys': the model says: too short",
            "      expected: a longer clip",
            "      likely cause: a cut",
        ]

    def test_what_a_model_says_at_length_is_cut(self) -> None:
        made = predict(Saying(ValueError("x" * 5000)), keys(2), options=PredictOptions(max_fault_share=1.0))
        assert made.faults[0].message.endswith("xxx… (5012 characters)")
        assert len(made.faults[0].message) < 700

    def test_finished_items_survive_the_stop(self, tmp_path: Path) -> None:
        options = PredictOptions(strict=True, cache=tmp_path)
        with pytest.raises(InputError):
            predict(ByKey(fails=("i3",)), keys(), options=options)
        mended = ByKey()
        predict(mended, keys(), options=options)
        assert mended.calls == ["i3", "i4", "i5"]

    @pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
    def test_an_interruption_passes_and_the_cache_is_whole(self, error: type[BaseException], tmp_path: Path) -> None:
        options = PredictOptions(cache=tmp_path)
        with pytest.raises(error):
            predict(ByKey(fails=("i3",), error=error), keys(), options=options)
        again = ByKey()
        assert predict(again, keys(), options=options).height == 6
        assert again.calls == ["i3", "i4", "i5"]

    @pytest.mark.parametrize("error", [ModelError, ExtraMissingError])
    def test_an_error_of_the_whole_model_is_no_fault_of_an_item(self, error: type[Exception]) -> None:
        with pytest.raises(error):
            predict(ByKey(fails=("i3",), error=error), keys(), options=PredictOptions(max_fault_share=1.0))

    def test_an_empty_table_is_refused(self) -> None:
        with pytest.raises(InputError, match="has no items"):
            predict(ByKey(), keys(0))


class TestWrongOutput:
    @pytest.mark.parametrize(
        ("made", "message"),
        [
            (np.zeros((1, 3)), r"shape \(1, 3\)"),
            (np.zeros(2), r"shape \(2,\)"),
            (None, "shape|no array"),
            ("angry", "no array of numbers"),
            (np.array([[np.nan, 1.0]]), "NaN or infinity"),
            (np.array([[np.inf, 1.0]]), "NaN or infinity"),
        ],
    )
    def test_shape_and_finiteness(self, made: object, message: str) -> None:
        with pytest.raises(ModelError, match=message) as caught:
            predict(Returning(made), keys(1))
        assert "model 'keys'" in str(caught.value)
        assert "'i0'" in str(caught.value)
        assert caught.value.exit_code == 2

    @pytest.mark.parametrize(
        ("output", "row", "message"),
        [
            ("probability", [1.5, -0.5], "outside 0 to 1"),
            ("probability", [0.5, 0.4], "sum to 0.9"),
            ("label", [0.5, 0.5], "not 0 and 1 only"),
            ("label", [1.0, 1.0], "exactly one label"),
        ],
    )
    def test_another_kind_of_score_than_declared(self, output: str, row: list[float], message: str) -> None:
        card = replace(SILENT, output=output)  # type: ignore[arg-type]
        with pytest.raises(ModelError, match=message):
            predict(Returning(np.array([row]), card), keys(1))

    def test_float32_probabilities_pass(self) -> None:
        card = replace(SILENT, output="probability")
        third = np.array([[1 / 3, 2 / 3]], dtype=np.float32)
        assert predict(Returning(third, card), keys(1)).height == 1

    def test_negative_zero_is_zero(self) -> None:
        card = ModelCard("m", "dimensions", ("v",), "value", media=())
        made = predict(Returning(np.array([[-0.0]]), card), keys(1))
        assert str(made.frame["v"][0]) == "0.0"


def test_a_model_without_digest_is_not_cached_and_says_so(tmp_path: Path) -> None:
    model = ByKey(replace(SILENT, digest=""))
    made = predict(model, keys(), options=PredictOptions(cache=tmp_path))
    assert [(f.kind, f.severity) for f in made.faults] == [("not cached", "warning")]
    assert list(tmp_path.iterdir()) == []


def test_progress_counts_cached_items_too(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    options = PredictOptions(cache=tmp_path, batch=4, progress=lambda done, total: seen.append((done, total)))
    predict(ByKey(), keys(), options=options)
    predict(ByKey(), keys(8), options=options)
    assert seen == [(0, 6), (4, 6), (6, 6), (6, 8), (8, 8)]


def test_a_bar_is_drawn_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    predict(ByKey(), keys())
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    predict(ByKey(), keys())
    predict(ByKey(), keys(), options=PredictOptions(progress=no_progress))
    captured = capsys.readouterr()
    assert "predicting" in captured.err
    assert captured.out == ""


def test_options_are_checked() -> None:
    for bad in ({"workers": 0}, {"batch": 0}, {"max_fault_share": 5.0}):
        with pytest.raises(InputError):
            PredictOptions(**bad)  # type: ignore[arg-type]


class TestProcesses:
    def test_a_model_that_cannot_travel_is_one_clear_error(self) -> None:
        with pytest.raises(ModelError, match="cannot be sent"):
            predict(Returning(lambda: None), keys(), options=PredictOptions(workers=2))

    def test_errors_come_back_whole(self) -> None:
        with pytest.raises(ModelError, match="NaN or infinity") as caught:
            predict(Returning(np.array([[np.nan, 1.0]])), keys(), options=PredictOptions(workers=2))
        assert "expected: finite numbers" in str(caught.value)

    def test_a_process_that_dies_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(ModelError, match="died"):
            predict(Dying(), keys(), options=PredictOptions(workers=2, cache=tmp_path))

    def test_a_model_that_cannot_be_set_up_there_is_told(self) -> None:
        with pytest.raises(ModelError, match="set up in another process: ImportError: not here"):
            predict(Unloadable(), keys(), options=PredictOptions(workers=2))

    def test_faults_are_counted_over_processes(self) -> None:
        made = predict(ByKey(fails=("i2",)), keys(), options=PredictOptions(workers=2, max_fault_share=0.2))
        assert made.items.to_list() == ["i0", "i1", "i3", "i4", "i5"]
        assert [f.item for f in made.faults] == ["i2"]


def test_wrapped_code_that_raises_on_one_item_is_a_fault_of_that_item(tones: Path) -> None:
    from affectcheck.datasets import load_dataset
    from affectcheck.models import ModelCard, python_model

    def fussy(samples: np.ndarray, rate_hz: int) -> list[float]:
        if abs(float(samples[100])) < 0.01:
            raise ValueError("too quiet for me")
        return [1.0, 0.0, 0.0]

    table = load_dataset(f"table:{tones}")
    card = ModelCard("fussy", "categories", ("anger", "neutral", "sadness"))
    found = predict(
        python_model(fussy, card=card), table, options=PredictOptions(max_fault_share=1.0, progress=no_progress)
    )
    assert 0 < len(found.faults) < table.height
    assert found.height + len(found.faults) == table.height
    assert {fault.kind for fault in found.faults} == {"model raised"}
    assert "ValueError: too quiet for me" in found.faults[0].message


def test_a_model_of_a_python_file_runs_in_other_processes(tmp_path: Path, sounds: AnnotationTable) -> None:
    path = tmp_path / "level.py"
    path.write_text("def level(samples, rate_hz):\n    return float(abs(samples).max())\n")
    model = load_model(f"{path}:level?dimensions=arousal")
    one, two = (predict(model, sounds, options=PredictOptions(workers=n, progress=no_progress)) for n in (1, 2))
    assert one.frame.equals(two.frame)


def test_a_cache_that_cannot_be_written_is_no_fault_of_an_item(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(WriteError, match="cannot write"):
        predict(Unwritable(), keys(), options=PredictOptions(max_fault_share=1.0))
    with pytest.raises(WriteError, match="cannot write"):
        predict(ByKey(), keys(), options=PredictOptions(cache=tmp_path / "file"))


def test_faults_stand_on_lines_of_their_own_with_their_own_cause() -> None:
    with pytest.raises(InputError) as caught:
        predict(ByKey(fails=("i2", "i4")), keys(), options=PredictOptions(max_fault_share=0.2))
    lines = str(caught.value).splitlines()
    assert [line.split(":")[0] for line in lines[1:3]] == ["  i2", "  i4"]
    assert "model's code" in lines[-1]


def test_an_item_that_a_table_lacks_is_that_items_fault() -> None:
    model = table_model(pl.DataFrame({"item": ["i0", "i1", "i2"], "prediction": ["a", "b", "a"]}))
    made = predict(model, keys(4), options=PredictOptions(max_fault_share=0.25, batch=4))
    assert made.items.to_list() == ["i0", "i1", "i2"]
    assert [(fault.item, fault.kind) for fault in made.faults] == [("i3", "no prediction")]
    with pytest.raises(InputError, match="1 of 4 items have no prediction") as caught:
        predict(model, keys(4))
    assert "another folder in front" in caught.value.cause


def test_a_model_of_pictures_is_not_given_sound(sounds: AnnotationTable) -> None:
    with pytest.raises(InputError, match="the model takes image, the file is no picture or video, by its suffix"):
        predict(Loudness(replace(CARD, media=("image",))), sounds)
    with pytest.raises(InputError, match="takes smell"):
        predict(Loudness(replace(CARD, media=("smell",))), sounds)


def test_a_model_that_hangs_holds_up_no_interruption(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("affectcheck.predictions.engines.GRACE_S", 0.3)

    def interrupt(done: int, total: int) -> None:
        del total
        if done == 4:
            raise KeyboardInterrupt

    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        predict(Hanging(), keys(8), options=PredictOptions(workers=2, cache=tmp_path, progress=interrupt))
    assert time.monotonic() - begin < 100
    assert multiprocessing.active_children() == []
    again = ByKey(card=Hanging().card)
    predict(again, keys(8), options=PredictOptions(cache=tmp_path))
    assert again.calls == ["i4", "i5", "i6", "i7"]


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no signal masks on this system")
def test_ctrl_c_never_reaches_the_processes_of_a_pool_and_still_reaches_us() -> None:
    there = predict(Deaf(), keys(2), options=PredictOptions(workers=2, progress=no_progress))
    assert there.frame["prediction"].to_list() == ["anger", "anger"]
    here = predict(Deaf(), keys(2), options=PredictOptions(progress=no_progress))
    assert here.frame["prediction"].to_list() == ["neutral", "neutral"]
