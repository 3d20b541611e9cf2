"""Several perturbations in one run: decoded once, each set what it is alone, and nothing is made twice."""

from __future__ import annotations

import json
import weakref
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from small_models import CARD, SILENT, ByKey, Louder, Loudness
from small_perturbations import InPlace, Noise, Same, Times, write_sounds

from affectcheck.annotations.table import AnnotationTable
from affectcheck.digest import digest_bytes, digest_file
from affectcheck.errors import ExtraMissingError, InputError, UnknownNameError
from affectcheck.media.audio import decode_audio
from affectcheck.media.clip import Item
from affectcheck.predictions import NOT_APPLICABLE, PredictOptions, kept, no_progress, predict, predict_sets
from affectcheck.predictions.journal import Journal
from affectcheck.predictions.work import model_digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.predictions import PredictionTable

OPEN = Path("/proc/self/fd")

SETS = (None, Times(2.0), Noise(), Louder(refuses=("clip1.wav",)))


@pytest.fixture
def sounds(tmp_path: Path) -> AnnotationTable:
    return write_sounds(tmp_path / "sounds")


def assert_same(first: dict[str, PredictionTable], second: dict[str, PredictionTable]) -> None:
    assert first.keys() == second.keys()
    for key, one in first.items():
        assert one.frame.equals(second[key].frame), key
        assert one.faults == second[key].faults
        assert one.card == second[key].card


@dataclass
class Overwriting:
    """Writes into what it hears."""

    card = CARD

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        values = Loudness().predict(items)
        for item in items:
            item.audio.samples[:] = 9.0
        return values


class TestWhatIsMade:
    def test_each_set_is_what_it_is_alone(self, sounds: AnnotationTable) -> None:
        together = predict_sets(Loudness(), sounds, SETS)
        assert list(together) == ["", "times|factor=2.0", "noise|seed=0", "louder|gain=2"]
        alone = [predict(Loudness(), sounds, options=PredictOptions(perturbation=one)) for one in SETS]
        assert_same(together, dict(zip(together, alone, strict=True)))
        assert [fault.kind for fault in together["louder|gain=2"].faults] == [NOT_APPLICABLE]

    @pytest.mark.parametrize("batch", [1, 3])
    @pytest.mark.parametrize(
        "workers", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(4, marks=pytest.mark.slow)]
    )
    def test_order_batches_and_processes_change_nothing(
        self, sounds: AnnotationTable, tmp_path: Path, batch: int, workers: int
    ) -> None:
        expected = predict_sets(Loudness(), sounds, SETS)
        options = PredictOptions(batch=batch, workers=workers, cache=tmp_path / "cache", progress=no_progress)
        backwards = predict_sets(Loudness(), sounds, SETS[::-1], options=options)
        assert list(backwards) == list(expected)[::-1]
        assert_same(expected, {key: backwards[key] for key in expected})
        model = Loudness()
        assert_same(expected, predict_sets(model, sounds, SETS, options=options))
        assert model.calls == []

    def test_an_item_is_decoded_once(self, sounds: AnnotationTable, monkeypatch: pytest.MonkeyPatch) -> None:
        from affectcheck.media import loader

        decoded: list[str] = []
        plain = loader.load_item

        def counted(row: dict[str, object], *given: object, **named: object) -> Item:
            decoded.append(str(row["item"]))
            return plain(row, *given, **named)  # type: ignore[arg-type]

        monkeypatch.setattr(loader, "load_item", counted)
        predict_sets(Loudness(), sounds, SETS)
        assert decoded == sounds.items.to_list()

    def test_foreign_code_that_writes_into_samples_disturbs_no_other(self, sounds: AnnotationTable) -> None:
        expected = predict_sets(Loudness(), sounds, [None, Times(2.0)])
        for sets in ([InPlace(), None, Times(2.0)], [None, InPlace(), Times(2.0)]):
            made = predict_sets(Loudness(), sounds, sets)
            assert made["in place"].frame["level"].to_list() == pytest.approx([0.25] * 4)
            assert_same(expected, {key: made[key] for key in expected})
        assert_same(expected, predict_sets(Overwriting(), sounds, [None, Times(2.0)]))

    def test_the_same_clip_may_come_back(self, sounds: AnnotationTable) -> None:
        made = predict_sets(Loudness(), sounds, [None, Same()])
        assert made["same"].frame.equals(made[""].frame)

    def test_a_perturbation_that_is_there_twice_counts_once(self, sounds: AnnotationTable) -> None:
        first, second = Times(2.0), Times(2.0)
        assert list(predict_sets(Loudness(), sounds, [first, None, second, None])) == [first.key, ""]
        assert len(first.asked) == 4
        assert second.asked == []

    def test_nothing_is_asked_for(self, sounds: AnnotationTable) -> None:
        assert predict_sets(Loudness(), sounds, []) == {}

    def test_a_model_that_does_not_hear_has_one_set(self) -> None:
        table = AnnotationTable(pl.DataFrame({"item": ["a", "b"]}), name="made")
        made = predict_sets(ByKey(), table, [None, Times(2.0)])
        assert made[""].height == 2
        assert made["times|factor=2.0"].height == 0
        assert [fault.kind for fault in made["times|factor=2.0"].faults] == [NOT_APPLICABLE] * 2

    def test_a_perturbation_among_the_options_too_is_refused(self, sounds: AnnotationTable) -> None:
        with pytest.raises(InputError, match="among the options"):
            predict_sets(Loudness(), sounds, [None], options=PredictOptions(perturbation=Noise()))
        with pytest.raises(InputError, match="empty key"):
            predict_sets(Loudness(), sounds, [Same(key="")])
        with pytest.raises(UnknownNameError, match="engine 'rya'"):
            PredictOptions(engine="rya")  # type: ignore[arg-type]

    def test_no_more_than_a_batch_of_items_is_held(self, tmp_path: Path) -> None:
        heard: list[weakref.ref[object]] = []
        most = 0

        class Watching(Loudness):
            def predict(self, items: Sequence[Item]) -> np.ndarray:
                nonlocal most
                heard.extend(weakref.ref(item.audio.samples) for item in items)
                most = max(most, sum(one() is not None for one in heard))
                return super().predict(items)

        predict_sets(Watching(), write_sounds(tmp_path / "many", 20), [None, Times(2.0), Noise()])
        assert len(heard) == 60
        assert most <= 2


class TestFaults:
    def test_what_cannot_be_read_is_a_fault_of_every_set(self, sounds: AnnotationTable) -> None:
        assert sounds.root is not None
        (sounds.root / "clip2.wav").unlink()
        made = predict_sets(Loudness(), sounds, [None, Noise()], options=PredictOptions(max_fault_share=0.25))
        assert [[fault.kind for fault in one.faults] for one in made.values()] == [["unreadable media"]] * 2

    def test_sets_do_not_add_up_their_faults(self) -> None:
        table = AnnotationTable(pl.DataFrame({"item": [f"i{n}" for n in range(4)]}), name="made")
        made = predict_sets(ByKey(fails=("i2",)), table, [None], options=PredictOptions(max_fault_share=0.25))
        assert made[""].height == 3

    def test_each_set_may_have_its_share(self, sounds: AnnotationTable) -> None:
        broken = [Failing(f"fails {n}", (f"clip{n}.wav",)) for n in range(4)]
        made = predict_sets(Loudness(), sounds, [None, *broken], options=PredictOptions(max_fault_share=0.25))
        assert [one.height for one in made.values()] == [4, 3, 3, 3, 3]

    def test_too_many_in_one_set_stop_the_run_and_it_is_named(self, sounds: AnnotationTable, tmp_path: Path) -> None:
        broken = Failing("fails twice", ("clip1.wav", "clip2.wav"))
        options = PredictOptions(max_fault_share=0.25, cache=tmp_path / "cache")
        with pytest.raises(InputError, match="under fails twice: 2 of 4 items have no prediction"):
            predict_sets(Loudness(), sounds, [None, broken, Noise()], options=options)
        model = Loudness()
        predict_sets(model, sounds, [None, Noise()], options=options)
        assert model.calls == ["clip2.wav", "clip3.wav", "clip3.wav"], "what was finished before is made again"

    def test_an_extra_that_a_perturbation_needs_is_no_fault_of_an_item(self, sounds: AnnotationTable) -> None:
        with pytest.raises(ExtraMissingError):
            predict_sets(Loudness(), sounds, [None, Failing("extra", ("clip0.wav",), ExtraMissingError)])


@dataclass(frozen=True)
class Failing:
    """Raises for items of some keys."""

    media = ("audio",)
    key: str
    items: tuple[str, ...]
    error: type[Exception] = InputError

    def __call__(self, clip: object, item_key: str) -> object:
        if item_key in self.items:
            raise self.error(f"no {item_key}")
        return clip


class TestCache:
    def test_only_what_a_set_lacks_is_made(self, sounds: AnnotationTable, tmp_path: Path) -> None:
        options = PredictOptions(cache=tmp_path / "cache")
        predict(Loudness(), sounds, options=options)
        few = sounds.select(["clip0.wav", "clip3.wav"])
        predict(Loudness(), few, options=replace(options, perturbation=Times(2.0)))
        model, twice, more = Loudness(), Times(2.0), Times(3.0)
        made = predict_sets(model, sounds, [None, twice, more], options=options)
        assert twice.asked == ["clip1.wav", "clip2.wav"]
        assert more.asked == sounds.items.to_list()
        assert sorted(model.calls) == sorted(twice.asked + more.asked)
        assert_same(made, predict_sets(Loudness(), sounds, [None, Times(2.0), Times(3.0)]))

    def test_a_cache_of_before_is_read(self, sounds: AnnotationTable, tmp_path: Path) -> None:
        """The layout that journals have had since the first release: they must not become worthless.

        Answers to changed media are read from the second form on, since what perturbations draw was another before.
        """
        assert sounds.root is not None
        cache = tmp_path / "cache"
        predict_sets(Loudness(), sounds, [None], options=PredictOptions(cache=cache))
        media = (cache / "media.jsonl").read_text()
        folder = cache / "predictions" / model_digest(CARD)
        perturbed = Times(2.0)
        journal = Journal(folder / f"{digest_bytes(perturbed.key)}.jsonl")
        for name in sounds.items:
            heard = Item(name, {"audio": decode_audio(sounds.root / name)})
            assert heard.digest in media
            assert digest_file(sounds.root / name) not in media  # its digest is part of a key
            for form, value in (("1", 0.0), ("2", 7.0)):
                key = digest_bytes(form, name, heard.digest, perturbed.key)
                journal.put([{"key": key, "values": [value, 8.0]}])
            assert digest_bytes("1", name, heard.digest, "") in (folder / "as-recorded.jsonl").read_text()
        journal.close()
        model = Loudness()
        made = predict_sets(model, sounds, [None, perturbed], options=PredictOptions(cache=cache))
        assert model.calls == []
        assert made[perturbed.key].frame["level"].to_list() == [7.0] * 4
        assert {path.name for path in folder.iterdir()} == {"as-recorded.jsonl", journal.path.name}

    def test_what_is_not_applicable_is_settled_too(self, sounds: AnnotationTable, tmp_path: Path) -> None:
        options = PredictOptions(cache=tmp_path / "cache")
        refusing = Louder(refuses=("clip1.wav", "clip2.wav"))
        first = predict_sets(Loudness(), sounds, [refusing], options=options)
        seen: list[tuple[int, int]] = []
        told = replace(options, progress=lambda done, total: seen.append((done, total)))
        again = predict_sets(Loudness(), sounds, [Louder()], options=told)
        assert seen == [(4, 4)]
        assert_same(first, again)

    def test_lost_knowledge_of_media_costs_decoding_only(self, sounds: AnnotationTable, tmp_path: Path) -> None:
        options = PredictOptions(cache=tmp_path / "cache")
        expected = predict_sets(Loudness(), sounds, SETS, options=options)
        (tmp_path / "cache" / "media.jsonl").unlink()
        for workers in (1, 2):
            model = Loudness()
            told = replace(options, workers=workers, progress=no_progress)
            assert_same(expected, predict_sets(model, sounds, SETS, options=told))
            assert model.calls == []

    def test_media_that_are_gone_or_never_were_are_told_again(self, sounds: AnnotationTable, tmp_path: Path) -> None:
        assert sounds.root is not None
        options = PredictOptions(cache=tmp_path / "cache", max_fault_share=0.5)
        predict_sets(Loudness(), sounds, [None], options=options)
        (sounds.root / "clip0.wav").unlink()
        lost = pl.when(pl.col("item") == "clip1.wav").then(None).otherwise("media")
        table = replace(sounds, frame=sounds.frame.with_columns(media=lost))
        model = Loudness()
        made = predict_sets(model, table, [None, Noise()], options=options)
        assert [one.items.to_list() for one in made.values()] == [["clip2.wav", "clip3.wav"]] * 2
        assert [[fault.item for fault in one.faults] for one in made.values()] == [["clip0.wav", "clip1.wav"]] * 2
        assert model.calls == ["clip2.wav", "clip3.wav"], "the noise alone was missing"

    def test_labels_do_not_travel_and_change_nothing(self, sounds: AnnotationTable, tmp_path: Path) -> None:
        options = PredictOptions(cache=tmp_path / "cache")
        expected = predict_sets(Loudness(), sounds, SETS, options=options)
        labelled = replace(sounds, frame=sounds.frame.with_columns(expression=pl.lit("anger")))
        model = Loudness()
        assert_same(expected, predict_sets(model, labelled, SETS, options=options))
        assert model.calls == []

    def test_an_interruption_loses_the_prediction_in_flight_only(self, sounds: AnnotationTable, tmp_path: Path) -> None:
        options = PredictOptions(cache=tmp_path / "cache", progress=no_progress)
        expected = predict_sets(Loudness(), sounds, [None, Times(2.0), Noise()])
        done = 0
        while True:
            model = Interrupted(after=5)
            try:
                made = predict_sets(model, sounds, [None, Times(2.0), Noise()], options=options)
            except KeyboardInterrupt:
                done += 5
                continue
            done += len(model.calls)
            break
        assert done == 12
        assert_same(expected, made)

    @pytest.mark.parametrize("cut", [3, 40])
    def test_a_torn_record_is_made_again(self, sounds: AnnotationTable, tmp_path: Path, cut: int) -> None:
        options = PredictOptions(cache=tmp_path / "cache")
        expected = predict_sets(Loudness(), sounds, SETS, options=options)
        torn = tmp_path / "cache" / "predictions" / model_digest(CARD) / f"{digest_bytes(Noise().key)}.jsonl"
        torn.write_bytes(torn.read_bytes()[:-cut])
        model = Loudness()
        assert_same(expected, predict_sets(model, sounds, SETS, options=options))
        assert model.calls == ["clip3.wav"]

    @pytest.mark.skipif(not OPEN.exists(), reason="no list of open files on this system")
    def test_few_journals_are_open_at_a_time(
        self, sounds: AnnotationTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(kept, "MOST_OPEN", 2)
        sets = [None, *(Times(float(n)) for n in range(1, 7))]
        options = PredictOptions(cache=tmp_path / "cache")
        most = 0

        def look(done: int, total: int) -> None:
            nonlocal most
            most = max(most, len(open_journals(tmp_path)))

        expected = predict_sets(Loudness(), sounds, sets, options=replace(options, progress=look))
        assert most <= 2
        assert open_journals(tmp_path) == []
        model = Loudness()
        assert_same(expected, predict_sets(model, sounds, sets, options=options))
        assert model.calls == []

    def test_records_say_what_they_are(self, sounds: AnnotationTable, tmp_path: Path) -> None:
        predict_sets(Loudness(), sounds, [Louder(refuses=("clip0.wav",))], options=PredictOptions(cache=tmp_path / "c"))
        (journal,) = (tmp_path / "c" / "predictions" / model_digest(CARD)).iterdir()
        records = [json.loads(line.partition(" ")[2]) for line in journal.read_text().splitlines() if line]
        assert [sorted(set(record) - {"key"}) for record in records] == [["refused"], *[["values"]] * 3]


def open_journals(folder: Path) -> list[str]:
    """Journals that this process has open now."""
    links = [str(link.readlink()) for link in OPEN.iterdir() if link.is_symlink()]
    return [link for link in links if link.startswith(str(folder)) and link.endswith(".jsonl")]


@dataclass
class Interrupted(Loudness):
    """Ctrl-C comes with the prediction after so many."""

    after: int = 1
    calls: list[str] = field(default_factory=list)

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        if len(self.calls) == self.after:
            raise KeyboardInterrupt
        return super().predict(items)


def test_progress_is_over_items_and_sets(sounds: AnnotationTable, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    options = PredictOptions(cache=tmp_path / "cache", progress=lambda done, total: seen.append((done, total)))
    predict_sets(Loudness(), sounds, [None, Noise()], options=options)
    assert seen == [(done, 8) for done in range(9)]
    seen.clear()
    predict_sets(Loudness(), sounds, [None, Noise(), Times(2.0)], options=options)
    assert seen == [(done, 12) for done in range(8, 13)]
    with pytest.raises(InputError):
        predict_sets(Loudness(), sounds, [Failing("all", tuple(sounds.items))], options=options)


def test_a_model_without_digest_says_so_in_every_set(sounds: AnnotationTable, tmp_path: Path) -> None:
    made = predict_sets(
        Loudness(replace(CARD, digest="")), sounds, [None, Noise()], options=PredictOptions(cache=tmp_path)
    )
    assert [[fault.kind for fault in one.faults] for one in made.values()] == [["not cached"]] * 2
    assert not (tmp_path / "predictions").exists()


class TestOutsideRange:
    CARD = replace(CARD, low=0.2, high=1650.0)

    def test_it_is_a_finding_with_its_numbers_and_the_values_stay(self, sounds: AnnotationTable) -> None:
        made = predict_sets(Loudness(self.CARD), sounds, [None, Times(4.0)])
        plain = made[""]
        assert plain.height == 4
        assert plain.frame["length"].to_list() == [1600, 1700, 1800, 1900]
        assert [(fault.item, fault.kind, fault.severity) for fault in plain.faults] == [
            (f"clip{n}.wav", "outside the declared range", "warning") for n in range(4)
        ]
        assert plain.faults[0].message.startswith("level 0.088")
        assert plain.faults[1].message.startswith("level 0.176")
        assert plain.faults[2].message == "length 1800: the model declares 0.2 to 1650; kept as it is"
        assert made["times|factor=4.0"].faults[0].item == "clip1.wav", "0.35 and 1600 lie inside"

    def test_it_is_told_from_the_cache_too_and_stops_no_strict_run(
        self, sounds: AnnotationTable, tmp_path: Path
    ) -> None:
        options = PredictOptions(cache=tmp_path / "cache", strict=True)
        first = predict(Loudness(self.CARD), sounds, options=options)
        model = Loudness(self.CARD)
        assert predict(model, sounds, options=options).faults == first.faults
        assert model.calls == []

    def test_the_ends_belong_to_the_range(self) -> None:
        card = replace(SILENT, kind="dimensions", parts=("v", "a"), output="value", low=-1.0)
        table = AnnotationTable(pl.DataFrame({"item": ["a", "b", "c"]}), name="made")
        values = np.array([[-1.0, 1.0], [1.0000001, 0.0], [-1.5, 2.0]])

        class Listed:
            def predict(self, items: Sequence[Item]) -> np.ndarray:
                return np.array([values["abc".index(item.key)] for item in items])

        Listed.card = card  # type: ignore[attr-defined]
        made = predict(Listed(), table)  # type: ignore[arg-type]
        assert [fault.item for fault in made.faults] == ["b", "c"]
        assert made.faults[1].message == "v -1.5, a 2: the model declares -1 to 1; kept as it is"

    def test_scores_of_classes_have_no_range(self) -> None:
        table = AnnotationTable(pl.DataFrame({"item": ["a long key"]}), name="made")
        assert predict(ByKey(), table).faults == ()
