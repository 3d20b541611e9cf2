from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.audits import AuditOptions, audit, compare_runs, require_free, run_name, save_audit
from affectcheck.audits.folder import run_folder
from affectcheck.datasets import load_dataset
from affectcheck.errors import AffectcheckError, InputError, WriteError
from affectcheck.evaluation import CompareOptions
from affectcheck.models import Baseline
from affectcheck.records import Score, load_run, read_header
from affectcheck.records.codec import run_digest

if TYPE_CHECKING:
    from affectcheck.audits import Audit


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def options(tones: Path, cache: Path) -> AuditOptions:
    light = ("correctness-classification", "fairness-sex", "robustness-gain", "robustness-white-noise")
    return AuditOptions(data=f"table:{tones}", suites=light, reruns=0, resamples=50, workers=1, cache=cache)


@pytest.fixture(scope="module")
def done(options: AuditOptions) -> Audit:
    return audit(replace(options, cross_validation="subject", repeats=(1, 2)))


def value(done: Audit, metric: str, part: str) -> float:
    found = [
        s
        for s in done.record.scores
        if s.metric == metric and s.signature.part == part and not s.place.attribute and not s.place.part
    ]
    assert isinstance(found[0], Score)
    return found[0].value


def test_a_model_is_trained_scored_and_tested_on_subjects_it_never_heard(done: Audit) -> None:
    subjects = done.table.frame.select("item", "subject")
    sets = {
        name: set(subjects.filter(pl.col("item").is_in(list(items))).get_column("subject"))
        for name, items in done.division.sets.items()
    }
    assert sets["train"].isdisjoint(sets["test"])
    assert sets["train"].isdisjoint(sets["validation"])
    assert value(done, "uar", "test") > 0.6
    assert value(done, "uar", "cross-validation by subject") > 0.6
    assert done.predictions is not None
    assert set(done.predictions.items) == set(done.division.test_items)
    assert done.cross_validated is not None
    assert done.cross_validated.height == done.table.height
    assert {v.family for v in done.record.verdicts} == {"correctness", "fairness", "robustness"}


def test_the_random_model_stands_beside_every_overall_score(done: Audit) -> None:
    mine = {(s.metric, s.place, s.signature.part) for s in done.record.scores}
    assert {(s.metric, s.place, s.signature.part) for s in done.record.baseline_scores} >= {
        key for key in mine if not key[0].endswith("_difference")
    }


def test_the_header_says_what_was_done_with_what(done: Audit) -> None:
    header = done.record.header
    assert header.command == "audit"
    assert header.model["kind"] == "categories"
    assert header.model["training"]["recipe"] == "baseline"
    assert header.data[0]["digest"] == done.table.digest
    assert header.data[0]["used"] == len(done.division.test_items)
    assert header.partition["protocol"] == "55-15-30"
    assert header.partition["repeats"]["n"] == 2
    assert header.partition["cross_validation"]["folds"] == 10
    assert header.arguments["effective"]["seed"] == 0
    assert "cache" not in header.arguments["effective"]
    assert header.counts["scored"] == len(done.division.test_items)
    assert {"confusion", "balance", "partitions", "groups"} <= set(done.record.tables)


def test_the_same_audit_gives_the_same_record_bar_times(options: AuditOptions, tmp_path: Path) -> None:
    first = audit(options)
    again = audit(replace(options, cache=tmp_path))
    assert run_digest(first.record) == run_digest(again.record)
    assert run_digest(first.record) != run_digest(audit(replace(options, seed=1)).record)


def test_everything_is_written_and_the_record_reads_back(done: Audit, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    report = save_audit(done, folder)
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "run.json",
        "items.parquet",
        "items-cross-validated.parquet",
        "scores.csv",
        "report.html",
        "report.md",
        "junit.xml",
        "predictions.parquet",
        "predictions-cross-validated.parquet",
        "partition",
        "model.npz",
        "behaviour",
        "audio",
    }
    assert report == folder / "report.html"
    assert load_run(folder).scores == done.record.scores
    assert read_header(folder).digest == run_digest(done.record)
    assert (tmp_path / "latest").read_text() == "run\n"
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
    json.loads((folder / "run.json").read_text(), parse_constant=pytest.fail)
    assert Baseline.load(folder / "model.npz").card.digest == done.subject.model.card.digest


@pytest.mark.parametrize("cross_validated", [False, True])
def test_audits_are_compared_on_the_tested_set_or_on_all_that_was_cross_validated(
    done: Audit, tmp_path: Path, cross_validated: bool
) -> None:
    save_audit(done, tmp_path / "run")
    found, record = compare_runs([tmp_path / "run"] * 2, CompareOptions(resamples=0), cross_validated=cross_validated)
    part = "cross-validation by subject" if cross_validated else "test"
    assert {c.signature.part for c in found.comparisons} == {part}
    assert {c.difference for c in found.comparisons} == {0.0}
    assert record.header.counts["items"] == done.items[int(cross_validated)].frame.height


def test_a_saved_model_and_a_manifest_give_the_same_scores(done: Audit, options: AuditOptions, tmp_path: Path) -> None:
    save_audit(done, tmp_path / "run")
    model, manifest = str(tmp_path / "run" / "model.npz"), str(tmp_path / "run" / "partition")
    again = audit(replace(options, model=model, partition=manifest, suites=()))
    assert value(again, "uar", "test") == value(done, "uar", "test")
    assert again.record.header.suite == {}
    assert not again.failed


@pytest.mark.parametrize(
    ("labels", "words"), [("cat,dog", "none of the classes"), ("anger,dog", "does not have: 'dog'")]
)
def test_a_model_of_other_classes_is_refused_before_it_predicts(
    options: AuditOptions, tmp_path: Path, labels: str, words: str
) -> None:
    path = tmp_path / "model.py"
    path.write_text("def f(samples, rate_hz):\n    raise AssertionError('predicted')\n")
    with pytest.raises(InputError, match=words):
        audit(replace(options, model=f"{path}:f?labels={labels}"))


def test_shuffled_labels_end_at_chance_and_the_report_says_so(options: AuditOptions) -> None:
    control = [
        value(audit(replace(options, shuffle_labels=True, seed=seed, suites=(), resamples=0)), "uar", "test")
        for seed in range(8)
    ]
    assert 0.15 < sum(control) / len(control) < 0.5
    done = audit(replace(options, shuffle_labels=True, suites=(), resamples=0))
    assert "at chance" in done.record.header.message


def test_without_a_partition_every_item_is_tested(options: AuditOptions) -> None:
    done = audit(replace(options, model="random-categorical", partition="none", suites=(), resamples=0))
    assert done.predictions is not None
    assert done.predictions.height == done.table.height
    assert done.record.header.partition["protocol"].startswith("none")
    assert "balance" not in done.record.tables


def test_strict_counts_inconclusive_as_failed(done: Audit) -> None:
    from affectcheck.records import Verdict

    record = replace(done.record, verdicts=(Verdict("t", "fairness", "uar", "inconclusive"),))
    assert not replace(done, record=record).failed
    assert replace(done, record=record, strict=True).failed


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"data": "no-such-set"}, "unknown data set"),
        ({"model": "no-such-model"}, "unknown model"),
        ({"target": "no-such-target"}, "unknown target"),
        ({"by": ("no-such-group",)}, "no-such-group"),
        ({"suites": ("no-such-suite",)}, "no-such-suite"),
        ({"partition": "no-such-folder"}, "no-such-folder"),
        ({"partition": "own"}, "no partition of its own"),
        ({"tested": "holdout"}, "no set 'holdout'"),
        ({"model": "random-categorical", "cross_validation": "subject"}, "trained here"),
        ({"cross_validation": "speaker_name"}, "speaker_name"),
        ({"model": "random-gaussian"}, "predicts dimensions"),
    ],
)
def test_wrong_options_are_one_clear_error(options: AuditOptions, change: dict, message: str) -> None:
    with pytest.raises(AffectcheckError, match=message) as caught:
        audit(replace(options, **change))
    assert caught.value.exit_code == 2


def test_a_manifest_of_other_data_is_refused(done: Audit, options: AuditOptions, tmp_path: Path) -> None:
    from corpora import write_corpus

    save_audit(done, tmp_path / "run")
    other = write_corpus(tmp_path / "other", subjects=4)
    with pytest.raises(InputError, match="does not fit the data"):
        audit(replace(options, data=f"table:{other}", partition=str(tmp_path / "run" / "partition")))


def test_the_data_sets_own_partition_is_used_by_its_names(tones: Path, options: AuditOptions, tmp_path: Path) -> None:
    from affectcheck.annotations import write_table

    table = load_dataset(f"table:{tones}")
    code = pl.col("subject").str.slice(1).cast(pl.Int64)
    names = pl.when(code < 6).then(pl.lit("train")).when(code < 8).then(pl.lit("dev")).otherwise(pl.lit("test"))
    own = replace(table, frame=table.frame.with_columns(partition=names))
    write_table(own, tmp_path / "own.csv")
    for clip in tones.parent.glob("*.wav"):
        (tmp_path / clip.name).symlink_to(clip)
    done = audit(replace(options, data=f"table:{tmp_path / 'own.csv'}", partition="own", suites=(), resamples=0))
    assert set(done.division.sets) == {"train", "validation", "test"}
    assert len(done.division.test_items) == 24


def test_a_taken_folder_is_refused_before_any_work(tmp_path: Path) -> None:
    require_free(tmp_path / "new", overwrite=False)
    (tmp_path / "run").mkdir()
    require_free(tmp_path / "run", overwrite=False)
    (tmp_path / "run" / "thing").touch()
    with pytest.raises(InputError, match="holds no run"):
        require_free(tmp_path / "run", overwrite=True)
    (tmp_path / "run" / "run.json").touch()
    with pytest.raises(InputError, match="already holds a run"):
        require_free(tmp_path / "run", overwrite=False)
    require_free(tmp_path / "run", overwrite=True)


@pytest.mark.parametrize("read", ["run", "run/thing", "table:{}/run/thing"])
def test_a_run_is_not_replaced_by_one_that_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run").mkdir()
    for name in ("run.json", "thing"):
        (tmp_path / "run" / name).touch()
    with pytest.raises(InputError, match="what is read would be lost"):
        require_free(Path("run"), overwrite=True, reads=(None, read.format(tmp_path)))
    require_free(Path("run"), overwrite=True, reads=("make", tmp_path, "table:other"))


def fail_halfway(folder: Path) -> None:
    with run_folder(folder) as partial:
        (partial / "half").touch()
        raise RuntimeError("halfway")


def test_no_half_written_run_is_left(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="halfway"):
        fail_halfway(tmp_path / "run")
    assert not list(tmp_path.iterdir())


def test_an_overwritten_run_is_replaced_whole(tmp_path: Path) -> None:
    for name in ("old", "new"):
        with run_folder(tmp_path / "run", overwrite=True) as partial:
            (partial / name).touch()
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["new"]


def put_in_front(folder: Path) -> None:
    with run_folder(folder) as partial:
        (partial / "mine").touch()
        folder.mkdir()
        (folder / "run.json").touch()


def test_a_run_that_another_process_put_there_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="already holds a run"):
        put_in_front(tmp_path / "run")
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["run.json"]
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_only_what_killed_runs_left_behind_is_cleared(tmp_path: Path) -> None:
    gone, alive = tmp_path / ".run.999999999.partial", tmp_path / f".run.{os.getppid()}.partial"
    gone.mkdir()
    alive.mkdir()
    with run_folder(tmp_path / "run"):
        pass
    assert alive.is_dir()
    assert not gone.exists()


@pytest.mark.parametrize("name", ["file/run", "x" * 300])
def test_a_folder_that_cannot_be_made_is_the_users_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(WriteError, match="cannot write"), run_folder(tmp_path / name):
        pass
    with pytest.raises(WriteError, match="too long"):
        require_free(tmp_path / ("x" * 300), overwrite=False)


def test_run_names_sort_by_time_and_are_safe_file_names() -> None:
    name = run_name("audit", "models/my model.py:object?x=1", "0123456789abcdef")
    assert name.endswith("_01234567")
    assert all(c.isalnum() or c in "-_." for c in name)
    assert run_name("audit", "///", "0" * 8).split("_")[2] == "model"
