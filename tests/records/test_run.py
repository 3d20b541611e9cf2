from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from affectcheck.errors import InputError, MissingPathError
from affectcheck.records import (
    Fault,
    Header,
    Interval,
    NoiseFloor,
    Place,
    RunRecord,
    Score,
    Signature,
    Threshold,
    Undefined,
    Verdict,
    find_runs,
    load_run,
    parse_strict_json,
    read_header,
    run_digest,
    save_run,
    strict_json,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def record() -> RunRecord:
    signature = Signature("uar", labels="anger,fear", data="d|x:y@1", model="BaNaNa-Infinity-v2")
    return RunRecord(
        header=Header(command="audit", model={"name": "BaNaNa-Infinity-v2"}, seed=3, times={"seconds": 1.5}),
        scores=(
            Score(
                "uar", 1 / 3, 10, signature, interval=Interval(0.1, 0.5, clusters=7), undefined_parts=1, notes=("n",)
            ),
            Score("eop", 0.2, 10, signature, Place("sex"), floor=NoiseFloor(0.1, 0.2, 1000)),
            Undefined("ccc", "both constant and equal", 2, signature, Place("sex", "female", "valence")),
        ),
        verdicts=(
            Verdict("t", "fairness", "uar", "failed", "too far", value=0.3, threshold=Threshold(0.1, "abs_lt", "x")),
            Verdict("t", "fairness", "uar", "not applicable", "12 items, 67 needed"),
        ),
        faults=(Fault("a.wav", "unreadable audio", "score NaN means none"),),
        tables={"confusion": {"columns": ["truth"], "rows": [["anger"]]}},
    )


def test_a_record_reads_back_equal(record: RunRecord, tmp_path: Path) -> None:
    save_run(record, tmp_path)
    back = load_run(tmp_path)
    assert back.with_header(digest="") == record
    assert back.header.digest == run_digest(record)
    assert load_run(tmp_path / "run.json") == back


def test_undefined_is_null_with_its_reason_and_names_are_left_alone(record: RunRecord, tmp_path: Path) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    data = json.loads(save_run(record, tmp_path).read_text(), parse_constant=refuse)
    assert data["scores"][2]["value"] is None
    assert data["scores"][2]["reason"] == "both constant and equal"
    assert data["header"]["model"]["name"] == "BaNaNa-Infinity-v2"
    assert data["faults"][0]["message"] == "score NaN means none"


def test_the_header_is_read_without_the_rest_of_the_file(record: RunRecord, tmp_path: Path) -> None:
    path = save_run(record, tmp_path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:3], "this is no JSON at all"]))
    assert read_header(tmp_path).model["name"] == "BaNaNa-Infinity-v2"


def test_a_header_whose_record_is_nothing_else_is_read_too(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"format": "affectcheck-run",\n"version": 1,\n"header": {"command": "x"}}\n')
    assert read_header(tmp_path).command == "x"


def test_the_digest_ignores_times_and_where_it_ran_and_nothing_else(record: RunRecord) -> None:
    assert run_digest(record) == run_digest(record.with_header(times={"seconds": 99.0}, digest="old"))
    assert run_digest(record) != run_digest(record.with_header(seed=4))
    for name in ("command", "status", "message"):
        assert run_digest(record) != run_digest(record.with_header(**{name: "another"}))
    for name in ("model", "partition", "suite", "versions", "counts"):
        assert run_digest(record) != run_digest(record.with_header(**{name: {"digest": "another"}}))
    assert run_digest(record) != run_digest(replace(record, verdicts=()))


def test_the_digest_does_not_depend_on_the_spelling_of_paths(record: RunRecord) -> None:
    def ran(data: str, mode: str = "corrected", **header: Any) -> str:
        arguments = {"passed": {"data": data}, "effective": {"data": data, "mode": mode, "partition": f"{data}/p"}}
        return run_digest(record.with_header(arguments=arguments, **header))

    assert ran("emodb:/data/emodb") == ran("emodb:emodb/") == ran("emodb:/data/emodb", git={"commit": "abc"})
    assert ran("emodb:/data/emodb") != ran("emodb:/data/emodb", mode="published")


def test_fields_of_a_newer_minor_record_are_ignored_and_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text('{"format": "affectcheck-run",\n"version": 1,\n"header": {"command": "x", "colour": 1}}')
    assert load_run(path).header.command == "x"
    path.write_text('{"format": "affectcheck-run",\n"version": 99,\n"header": {}}')
    with pytest.raises(InputError, match="upgrade this one"):
        load_run(path)


@pytest.mark.parametrize("text", ["[]", '{"a": 1}', "{", '{"a": 1, "a": 2}', '{"a": NaN}'])
def test_other_files_are_refused_with_their_name(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(InputError, match=r"run\.json"):
        load_run(tmp_path)


@pytest.mark.parametrize(
    "text", ['"header": {"command": "x"}, "scores": [{"value": 1}]', '"header": []', '"faults": 1']
)
def test_a_record_that_lacks_something_is_refused_with_its_name(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(f'{{"format": "affectcheck-run", "version": 1, {text}}}')
    with pytest.raises(InputError, match=r"run\.json: a run record that cannot be read"):
        load_run(tmp_path)


def test_a_header_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"format": "affectcheck-run",\n"version": 1,\n"other": {"command": "x"}}\n')
    with pytest.raises(InputError, match="cannot be read"):
        read_header(tmp_path)


def test_a_missing_run_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError, match="run not found"):
        load_run(tmp_path / "nothing")


def test_runs_are_listed_and_a_broken_one_is_listed_with_its_fault(record: RunRecord, tmp_path: Path) -> None:
    save_run(record, tmp_path / "b")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "run.json").write_text("nothing")
    broken, sound = find_runs(tmp_path)
    assert broken.header is None
    assert "not JSON" in broken.fault
    assert sound.header is not None
    assert sound.header.command == "audit"
    with pytest.raises(MissingPathError):
        list(find_runs(tmp_path / "none"))


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, np.float64("nan")])
def test_non_finite_numbers_are_never_written(value: float) -> None:
    with pytest.raises(InputError, match="cannot be written as JSON"):
        strict_json({"x": value})


def test_arrays_are_written_and_strange_objects_are_not() -> None:
    assert strict_json({"x": np.arange(2), "y": np.int64(3)}) == '{"x": [0, 1], "y": 3}'
    with pytest.raises(TypeError, match="not serialisable"):
        strict_json(object())


def test_positions_of_faults_in_json_are_given() -> None:
    with pytest.raises(InputError, match="line 2"):
        parse_strict_json('{"a": 1,\n"b": -Infinity}')
    with pytest.raises(InputError, match="twice: a"):
        parse_strict_json('{"a": 1, "a": 2}')
    with pytest.raises(InputError, match="line 1, column 2"):
        parse_strict_json("{")


@pytest.mark.shared
def test_the_collected_non_strict_file_is_refused_with_its_position(cases: Path) -> None:
    path = cases / "A28_results.json"
    with pytest.raises(InputError, match="is not JSON"):
        parse_strict_json(path.read_text(), where=str(path))
