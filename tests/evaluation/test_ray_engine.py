"""Shards counted in tasks of Ray give what shards counted here give, to the last bit."""

from __future__ import annotations

import os
import sys
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING

import polars as pl
import pytest
from streams import AFFECT_COLUMNS, UNIT_COLUMNS, affect, assert_same, coded_units, labelled, write

from affectcheck.errors import ExtraMissingError, InputError
from affectcheck.evaluation import EvaluationOptions, score_folder, shards
from affectcheck.evaluation import batches as batches_module

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OPTIONS = EvaluationOptions(by=("sex", "age"), resamples=20)


def test_without_ray_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ExtraMissingError, match="ray") as caught:
        score_folder(write(labelled(30), tmp_path / "data"), options=OPTIONS, engine="ray")
    assert "affectcheck[ray]" in str(caught.value)


class FakeRay:
    """As much of Ray as the engine uses, in this process."""

    def __init__(self) -> None:
        self.told: dict[str, object] | None = None
        self.ended = False

    def is_initialized(self) -> bool:
        return False

    def init(self, **told: object) -> None:
        self.told = told

    def shutdown(self) -> None:
        self.ended = True

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 1.0}

    def put(self, value: object) -> object:
        return value

    def get(self, call: object) -> object:
        return call()  # type: ignore[operator]

    def remote(self, function: object) -> SimpleNamespace:
        return SimpleNamespace(remote=lambda *given: partial(function, *given))  # type: ignore[arg-type]


@pytest.mark.parametrize("address", ["", "head:6379"])
def test_a_cluster_is_joined_and_a_ray_of_our_own_is_small(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakeRay()
    monkeypatch.setitem(sys.modules, "ray", fake)
    monkeypatch.setenv("RAY_ADDRESS", address)
    monkeypatch.setattr(batches_module, "BATCH", 97)
    monkeypatch.setattr(shards, "LARGEST_SHARD", 1)
    folder = write(labelled(600), tmp_path / "data")
    assert_same(score_folder(folder, options=OPTIONS), score_folder(folder, options=OPTIONS, engine="ray"))
    assert fake.ended
    assert fake.told is not None
    assert ("num_cpus" in fake.told) == (not address)
    assert fake.told["log_to_driver"] is False


@pytest.fixture(scope="module")
def ray() -> Iterator[SimpleNamespace]:
    library = pytest.importorskip("ray")
    # The workers find what the tests import where the tests find it.
    paths = os.pathsep.join(sys.path)
    quiet = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}
    library.init(num_cpus=2, runtime_env={"env_vars": {"PYTHONPATH": paths, "POLARS_MAX_THREADS": "1"}}, **quiet)
    yield library
    library.shutdown()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::FutureWarning", "ignore::DeprecationWarning")
class TestRay:
    def test_the_engine_changes_no_bit(
        self, ray: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert ray.is_initialized()
        monkeypatch.setattr(batches_module, "BATCH", 97)
        monkeypatch.setattr(shards, "LARGEST_SHARD", 2)
        for name, frame, columns in (
            ("classes", labelled(600), None),
            ("units", coded_units(600), UNIT_COLUMNS),
            ("dimensions", affect(600), AFFECT_COLUMNS),
        ):
            folder = write(frame, tmp_path / name)
            seen: list[tuple[int, int]] = []
            here = score_folder(folder, columns=columns, options=OPTIONS)
            there = score_folder(
                folder, columns=columns, options=OPTIONS, engine="ray", progress=lambda *at, s=seen: s.append(at)
            )
            assert_same(here, there)
            assert [one.signature for one in here] == [one.signature for one in there]
            assert seen[-1] == (600, 600)

    def test_a_fault_names_its_file_and_row(self, ray: SimpleNamespace, tmp_path: Path) -> None:
        del ray
        place = pl.int_range(600) == 350
        frame = affect(600).with_columns(valence=pl.when(place).then(1.5).otherwise("valence"))
        with pytest.raises(InputError, match=r"part-1\.parquet: 1 cell of column 'valence' outside") as caught:
            score_folder(write(frame, tmp_path / "data"), columns=AFFECT_COLUMNS, options=OPTIONS, engine="ray")
        assert "(row 151)" in str(caught.value)

    def test_a_task_that_fails_names_its_file(
        self, ray: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(job: object, shard: object) -> None:
            del job, shard
            raise ZeroDivisionError("of ours")

        del ray
        monkeypatch.setattr(shards, "_count", fail)
        with pytest.raises(InputError, match=r"part-0\.parquet: the task that counts it failed.*of ours"):
            score_folder(write(labelled(90), tmp_path / "data"), options=OPTIONS, engine="ray")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::FutureWarning", "ignore::DeprecationWarning")
def test_a_ray_of_our_own_is_ended_afterwards(tmp_path: Path) -> None:
    library = pytest.importorskip("ray")
    if library.is_initialized():
        library.shutdown()
    folder = write(labelled(90), tmp_path / "data")
    here = score_folder(folder, options=OPTIONS)
    assert_same(here, score_folder(folder, options=OPTIONS, engine="ray"))
    assert not library.is_initialized()
