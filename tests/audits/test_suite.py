"""Behaviour tests in an audit: what is chosen, what it costs, what is kept beside the report, several data sets."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from affectcheck.audits import AuditOptions, audit, estimate, joined, save_audit, save_corpora, try_corpora
from affectcheck.audits.spectra import spectra_table
from affectcheck.audits.suite import sounds_of, suite_values
from affectcheck.behaviour import Plan
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.records import load_run
from recorded_sounds import write_sounds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from affectcheck.audits import Audit

LOUDNESS = '''
class Loudness:
    """What is said hangs on the last digit of the level, so that every change of it may change the class."""
    labels = ("anger", "sadness")
    def __call__(self, samples, rate_hz):
        odd = int(float(abs(samples).mean()) * 100000) % 2
        return [odd, 1 - odd]

loudness = Loudness()
'''
LEVEL = '''
class Level:
    """Beyond its range where the sound is a little louder than it was."""
    dimensions = ("arousal", "dominance", "valence")
    low, high = 0.0, 1.0
    def __call__(self, samples, rate_hz):
        return [float(abs(samples).max() * 5), 0.5, 0.5]

level = Level()
'''


@pytest.fixture(scope="module")
def options(tones: Path, tmp_path_factory: pytest.TempPathFactory) -> AuditOptions:
    return AuditOptions(
        data=f"table:{tones}",
        suites=("robustness",),
        tests=("robustness-gain", "robustness-white-noise"),
        partition="none",
        resamples=50,
        workers=1,
        cache=tmp_path_factory.mktemp("cache"),
    )


@pytest.fixture(scope="module")
def done(options: AuditOptions, tmp_path_factory: pytest.TempPathFactory) -> Audit:
    code = tmp_path_factory.mktemp("models") / "loud.py"
    code.write_text(LOUDNESS)
    return audit(replace(options, model=f"{code}:loudness"), scored=False)


def test_patterns_and_metrics_choose(options: AuditOptions, done: Audit) -> None:
    assert {v.test for v in done.record.verdicts} == {"robustness-gain", "robustness-white-noise"}
    only = replace(options, model="random-categorical", only=("unchanged",))
    assert {v.metric for v in audit(only, scored=False).record.verdicts} <= {"unchanged", "all"}
    with pytest.raises(UnknownNameError, match="unknown test 'robustness-gian'"):
        audit(replace(options, tests=("robustness-gian",)))


def test_other_draws_stand_beside_values(done: Audit) -> None:
    drawn = [v for v in done.record.verdicts if v.metric == "unchanged"]
    assert all(len(v.reruns) == 1 for v in drawn)
    assert {v.test for v in drawn if v.reruns[0] != v.value}


def test_the_evidence_lies_beside_the_report(done: Audit, tmp_path: Path) -> None:
    report = save_audit(done, tmp_path / "run")
    folder = report.parent
    assert load_run(folder).verdicts == done.record.verdicts
    verdicts = pl.read_csv(folder / "behaviour" / "verdicts.csv")
    assert verdicts.height == len(done.record.verdicts)
    predictions = pl.read_parquet(folder / "behaviour" / "predictions.parquet")
    assert predictions.get_column("perturbation").n_unique() == 1 + len(done.plan.perturbations)  # type: ignore[union-attr]
    assert predictions.columns[:2] == ["item", "perturbation"]
    assert (folder / "behaviour" / "robustness-gain.html").exists()
    failed = [v for v in done.record.verdicts if v.status == "failed"]
    assert failed
    lists = list((folder / "behaviour" / "items").glob("*.csv"))
    assert len(lists) == len(failed)
    errors = (folder / "behaviour" / "errors.html").read_text(encoding="utf-8")
    played = {part.split('"')[0] for part in errors.split('src="../')[1:]}
    assert played
    assert all((folder / path).exists() for path in played)
    changed = pl.read_csv(lists[0])
    assert (changed.get_column("prediction") != changed.get_column("perturbed")).all()


def test_of_many_failures_the_worst_item_of_each_is_heard(
    done: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from affectcheck.audits import evidence

    monkeypatch.setattr(evidence, "PRESENTED_IN_ALL", 1)
    monkeypatch.setattr(evidence, "LISTED", 2)
    seen: list[tuple[int, int]] = []

    @contextmanager
    def shown(label: str) -> Iterator[Callable[[int, int], None]]:
        assert label == "items behind failures"
        yield lambda done, total: seen.append((done, total))

    evidence.save_evidence(done, tmp_path, shown)
    errors = (tmp_path / "behaviour" / "errors.html").read_text(encoding="utf-8")
    failed = [v for v in done.record.verdicts if v.status == "failed"]
    assert seen == [(place, len(failed)) for place in range(len(failed))]
    assert errors.count("as recorded</span>") + errors.count("as recorded <span") == len(failed)
    assert errors.count("The list of items: the first 2 of ") == len(failed)
    for path in (tmp_path / "behaviour" / "items").glob("*.csv"):
        assert pl.read_csv(path).height == 2


def test_spectra_are_of_sound_that_can_be_decoded(done: Audit) -> None:
    assert done.plan is not None
    card, table = done.subject.model.card, done.table
    rows = spectra_table(done.plan, card, table)["behaviour_spectra"]["rows"]
    assert {row[1] for row in rows} == {"as recorded", "changed"}
    broken = replace(table, frame=table.frame.with_columns(media=pl.lit("absent.wav")))
    assert spectra_table(done.plan, card, broken) == {}
    assert spectra_table(done.plan, replace(card, media=()), table) == {}


def test_pitch_is_measured_with_progress_of_its_own(options: AuditOptions) -> None:
    seen: dict[str, tuple[int, int]] = {}

    @contextmanager
    def shown(label: str) -> Iterator[Callable[[int, int], None]]:
        def update(done: int, total: int) -> None:
            seen[label] = (done, total)

        yield update

    wanted = replace(options, model="random-categorical", suites=("fairness",), tests=("fairness-pitch",))
    made = audit(wanted, scored=False, progress=shown)
    assert seen["pitch"] == (made.table.height, made.table.height)
    assert made.examined.table is not None
    assert made.examined.table.frame.get_column("f0_hz").null_count() < made.table.height


def test_values_out_of_range_on_changed_sound_are_told(options: AuditOptions, tmp_path: Path) -> None:
    code = tmp_path / "level.py"
    code.write_text(LEVEL)
    wanted = replace(options, model=f"{code}:level", tests=("robustness-gain",), reruns=0)
    told = [fault for fault in audit(wanted, scored=False).record.faults if "under gain" in fault.message]
    assert [fault.kind for fault in told] == ["outside the declared range"]


def test_costs_are_told_before_anything_is_done(options: AuditOptions, done: Audit) -> None:
    costs = estimate(options)
    assert costs.seconds is not None
    assert "without the training of 'baseline'" in costs.note
    assert costs.predictions == costs.items * (1 + len(costs.plan.perturbations))
    assert "robustness-gain: will be run" in str(costs)
    assert costs.plain()["tests"][0]["name"] == "robustness-gain"
    silent = estimate(replace(options, model="random-categorical"))
    assert silent.seconds == 0
    heard = estimate(replace(options, model=done.record.header.arguments["effective"]["model"]))
    assert heard.seconds
    assert "training" not in heard.note


def test_a_model_is_tested_on_several_data_sets(
    options: AuditOptions, tones: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    from corpora import write_corpus

    other = write_corpus(tmp_path_factory.mktemp("other"))
    several = [replace(options, model="random-categorical", data=f"table:{path}", reruns=0) for path in (tones, other)]
    several = [replace(one, suites=("correctness",), tests=()) for one in several]
    runs = try_corpora(several)
    record = joined(runs)
    assert len(record.verdicts) == sum(len(run.record.verdicts) for run in runs)
    assert record.header.counts["items"] == sum(run.table.height for run in runs)
    report = save_corpora(runs, tmp_path / "several")
    assert sorted(path.name for path in report.parent.iterdir() if path.is_dir()) == ["1-tones", "2-tones"]
    told = report.read_text(encoding="utf-8")
    for place in ("1-tones", "2-tones"):
        assert f'<a href="{place}/report.html">Report on tones</a>' in told
        assert f'<a href="{place}/behaviour/correctness-classification.html">' in told
    assert [entry["run"] for entry in load_run(report.parent).header.data] == ["1-tones", "2-tones"]
    odd = [replace(run, table=replace(run.table, name='../a "b" <c>/')) for run in runs]
    save_corpora(odd, tmp_path / "odd")
    assert sorted(path.name for path in (tmp_path / "odd").iterdir() if path.is_dir()) == ["1-a-b-c", "2-a-b-c"]
    assert joined(runs[:1]) is runs[0].record
    assert save_corpora(runs[:1], tmp_path / "one").exists()
    with pytest.raises(InputError, match="is named twice"):
        try_corpora([several[0], several[0]])
    with pytest.raises(InputError, match="the recipe 'baseline' would be trained anew"):
        try_corpora([replace(one, model="baseline") for one in several])


def test_headers_name_the_sounds(options: AuditOptions, tmp_path: Path) -> None:
    write_sounds(tmp_path)
    named = replace(options, sounds=tuple(f"{role}={tmp_path / role}" for role in ("cough", "music")))
    sounds = sounds_of(named)
    assert sounds is not None
    plan = Plan((), None, "corrected", "tones", 4, 0)
    assert suite_values(plan, named, sounds)["sounds"] == {
        role: {"name": role, "files": 3, "digest": sounds.by_role[role].digest} for role in ("cough", "music")
    }
    assert len({sounds.by_role[role].digest for role in ("cough", "music")}) == 2


def test_headers_say_nothing_of_what_is_not_there(options: AuditOptions) -> None:
    assert sounds_of(options) is None
    assert suite_values(None, options, None) == {}
    assert "sounds" not in suite_values(Plan((), None, "corrected", "tones", 4, 0), options, None)


def test_no_page_without_the_packages(done: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from affectcheck.audits import evidence
    from affectcheck.errors import ExtraMissingError

    def missing(*values: Any) -> None:
        raise ExtraMissingError.of("the HTML report", "report", "jinja2")

    monkeypatch.setattr(evidence, "write_behaviour_pages", missing)
    evidence.save_evidence(done, tmp_path)
    assert (tmp_path / "behaviour" / "verdicts.csv").exists()
    assert not list((tmp_path / "behaviour").glob("*.html"))


def test_features_of_changed_sound_are_not_kept(options: AuditOptions, tmp_path: Path) -> None:
    wanted = replace(options, cache=tmp_path, partition="make", tests=("robustness-gain",), reruns=0)
    made = audit(wanted, scored=False)
    assert len(made.examined.predictions) > 1
    assert len(list(tmp_path.glob("features/*/*.f8"))) == made.table.height
