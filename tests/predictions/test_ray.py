"""Batches in actors of Ray give what they give here, and no process is left behind."""

from __future__ import annotations

import pickle
import sys
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from small_models import SILENT, ByKey, Dying, Louder, Loudness, Returning, Unloadable
from small_perturbations import Noise, Times, write_sounds
from test_sets import Failing, assert_same
from test_sets_resume import Runs

from affectcheck.annotations.table import AnnotationTable
from affectcheck.errors import ExtraMissingError, InputError, ModelError
from affectcheck.predictions import PredictOptions, no_progress, predict, predict_sets, ray_engine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SETS = (None, Times(2.0), Noise(), Louder(refuses=("clip1.wav",)))
OPTIONS = PredictOptions(engine="ray", workers=2, progress=no_progress)


def keys(count: int = 6) -> AnnotationTable:
    return AnnotationTable(pl.DataFrame({"item": [f"i{n}" for n in range(count)]}), name="made")


@pytest.fixture
def sounds(tmp_path: Path) -> AnnotationTable:
    return write_sounds(tmp_path / "sounds", 6)


class TaskError(Exception):
    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


class ActorError(Exception):
    pass


class Call:
    """A call of an actor, made when its result is asked for."""

    def __init__(self, made: Callable[[], Any]) -> None:
        self.made = made

    def result(self) -> Any:
        try:
            return self.made()
        except ActorError:
            raise
        except Exception as error:
            raise TaskError(error) from error


class FakeRay:
    """As much of Ray as the engine uses, in this process; the second actor never gets a place."""

    cloudpickle = pickle
    exceptions = SimpleNamespace(RayTaskError=TaskError, RayActorError=ActorError)

    def __init__(self, *, running: bool = False) -> None:
        self.running, self.told, self.made, self.killed = running, {}, 0, 0

    def is_initialized(self) -> bool:
        return self.running

    def init(self, **told: object) -> None:
        self.running, self.told = True, told

    def shutdown(self) -> None:
        self.running = False

    def put(self, value: object) -> object:
        return value

    def wait(self, calls: list[Call], num_returns: int) -> tuple[list[Call], list[Call]]:
        ready = [call for call in calls if not getattr(call, "waits", False)][:num_returns]
        return ready, [call for call in calls if call not in ready]

    def get(self, call: Call) -> object:
        return call.result()

    def kill(self, actor: object, *, no_restart: bool) -> None:
        self.killed += no_restart

    def remote(self, **told: object) -> Callable[[Any], SimpleNamespace]:
        return lambda made: SimpleNamespace(remote=partial(self._actor, made))

    def _actor(self, made: Any, *given: Any) -> SimpleNamespace:
        actor, self.made = made(*given), self.made + 1
        second = self.made == 2

        def step(batch: object = None) -> Call:
            call = Call(lambda: actor.step(batch))
            call.waits = second  # type: ignore[attr-defined]
            return call

        return SimpleNamespace(step=SimpleNamespace(remote=step))


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    made = FakeRay()
    monkeypatch.setitem(sys.modules, "ray", made)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setattr(ray_engine, "end_with_parent", lambda: None)  # its actors live in this process
    return made


class TestWithoutACluster:
    def test_without_ray_the_extra_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "ray", None)
        with pytest.raises(ExtraMissingError, match="ray") as caught:
            predict(ByKey(), keys(), options=OPTIONS)
        assert "affectcheck[ray]" in str(caught.value)

    @pytest.mark.parametrize("silent_s", [0.0, 60.0])
    def test_actors_without_a_place_are_waited_for_by_nobody(
        self,
        fake: FakeRay,
        sounds: AnnotationTable,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        silent_s: float,
    ) -> None:
        monkeypatch.setattr(ray_engine, "SILENT_S", silent_s)
        options = PredictOptions(engine="ray", workers=3, cache=tmp_path / "cache", progress=no_progress)
        assert_same(predict_sets(Loudness(), sounds, SETS), predict_sets(Loudness(), sounds, SETS, options=options))
        assert (fake.made, fake.killed) == (3, 3)
        assert fake.told == {
            "address": "local",
            "num_cpus": 3,
            "include_dashboard": False,
            "log_to_driver": False,
            "logging_level": "ERROR",
        }
        assert not fake.running

    def test_what_is_finished_is_in_the_journals_and_asks_for_no_cluster(
        self, fake: FakeRay, sounds: AnnotationTable, tmp_path: Path
    ) -> None:
        options = PredictOptions(engine="ray", workers=2, cache=tmp_path / "cache", progress=no_progress)
        expected = predict_sets(Loudness(), sounds, SETS, options=options)
        made = fake.made
        assert_same(expected, predict_sets(Loudness(), sounds, SETS, options=options))
        assert fake.made == made
        model = Loudness()
        local = PredictOptions(cache=tmp_path / "cache", progress=no_progress)
        assert_same(expected, predict_sets(model, sounds, SETS, options=local))
        assert model.calls == []

    def test_a_cluster_that_is_named_is_joined(self, fake: FakeRay, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("RAY_ADDRESS", "head:6379")
        predict(ByKey(), keys(), options=OPTIONS)
        assert fake.told == {"log_to_driver": False, "logging_level": "ERROR"}
        assert not fake.running

    def test_a_ray_that_is_there_is_used_and_left(self, fake: FakeRay) -> None:
        fake.running = True
        predict(ByKey(), keys(), options=OPTIONS)
        assert fake.running
        assert fake.told == {}
        assert fake.killed == fake.made == 2

    def test_errors_come_back_whole(self, fake: FakeRay) -> None:
        with pytest.raises(ModelError, match="NaN or infinity") as caught:
            predict(Returning(np.array([[np.nan, 1.0]])), keys(), options=OPTIONS)
        assert "expected: finite numbers" in str(caught.value)
        assert fake.killed == fake.made
        with pytest.raises(ModelError, match="set up in another process: ImportError: not here"):
            predict(Unloadable(), keys(), options=OPTIONS)
        with pytest.raises(ModelError, match="cannot be sent"):
            predict(Returning(lambda: None), keys(), options=OPTIONS)

    def test_an_actor_that_dies_is_told(self, fake: FakeRay) -> None:
        with pytest.raises(ModelError, match="died"):
            predict(ByKey(fails=("i2",), error=KilledError), keys(), options=OPTIONS)
        assert fake.killed == fake.made

    def test_what_nobody_expected_is_passed_on(self, fake: FakeRay, sounds: AnnotationTable) -> None:
        with pytest.raises(TaskError, match="no clip3"):
            predict_sets(Loudness(), sounds, [Failing("broken", ("clip3.wav",), KeyError)], options=OPTIONS)
        assert fake.killed == fake.made


class KilledError(ActorError, ModelError):
    """Passes through a worker as an error of the whole model does, and is what Ray raises for a dead actor."""


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    library = pytest.importorskip("ray")
    quiet = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}
    library.init(address="local", num_cpus=2, **quiet)
    yield library
    library.shutdown()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::FutureWarning", "ignore::DeprecationWarning")
class TestRay:
    def test_the_engine_changes_no_bit(self, ray: Any, sounds: AnnotationTable, tmp_path: Path) -> None:
        options = PredictOptions(engine="ray", workers=2, cache=tmp_path / "cache", progress=no_progress)
        expected = predict_sets(Loudness(), sounds, SETS)
        assert_same(expected, predict_sets(Loudness(), sounds, SETS, options=options))
        model = Loudness()
        local = PredictOptions(cache=tmp_path / "cache", progress=no_progress)
        assert_same(expected, predict_sets(model, sounds, SETS, options=local))
        assert model.calls == []
        assert ray.is_initialized()

    def test_more_workers_than_processors_do_not_wait_for_ever(self, ray: Any) -> None:
        options = PredictOptions(engine="ray", workers=5, progress=no_progress)
        assert predict(ByKey(), keys(), options=options).frame.equals(predict(ByKey(), keys()).frame)

    def test_faults_are_counted_over_actors(self, ray: Any) -> None:
        options = PredictOptions(engine="ray", workers=2, max_fault_share=0.2, progress=no_progress)
        made = predict(ByKey(fails=("i2",)), keys(), options=options)
        assert [fault.message for fault in made.faults] == ["model 'keys': ValueError: cannot do i2"]
        with pytest.raises(InputError, match="of 6 items have no prediction"):
            predict(ByKey(fails=("i2", "i3")), keys(), options=options)

    def test_errors_come_back_whole(self, ray: Any) -> None:
        with pytest.raises(ModelError, match="NaN or infinity"):
            predict(Returning(np.array([[np.nan, 1.0]])), keys(), options=OPTIONS)
        with pytest.raises(ModelError, match="set up in another process: ImportError: not here"):
            predict(Unloadable(), keys(), options=OPTIONS)
        with pytest.raises(ModelError, match="died"):
            predict(Dying(), keys(), options=OPTIONS)

    def test_a_class_made_in_a_notebook_travels(self, ray: Any) -> None:
        class Local:
            card = SILENT

            def predict(self, items: Any) -> np.ndarray:
                return np.array([[0.25, 0.75]] * len(items))

        assert predict(Local(), keys(), options=OPTIONS).frame["prediction"].to_list() == ["neutral"] * 6

    def test_a_cluster_that_is_named_is_joined_and_lives_on(self, ray: Any, tmp_path: Path) -> None:
        runs = Runs(tmp_path, 2, "ray")
        address = ray.get_runtime_context().gcs_address
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("RAY_ADDRESS", address)
            assert runs.start(pause=0).wait(timeout=180) == 0
        here = str(tmp_path / "here.json")
        local = {"engine": "local", "workers": 1, "cache": str(tmp_path / "other"), "pause": 0, "out": here}
        assert runs.start(**local).wait(timeout=60) == 0
        assert runs.out.read_bytes() == (tmp_path / "here.json").read_bytes()
        assert ray.get(ray.put(1)) == 1
        assert runs.wait_for_silence() == []


@pytest.mark.slow
def test_a_ray_of_our_own_is_ended_with_all_its_processes(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    runs = Runs(tmp_path, 2, "ray")
    process = runs.start(pause=0.1)
    runs.wait_for(3, process)
    assert len(runs.processes()) > 3
    assert process.wait(timeout=180) == 0
    assert runs.wait_for_silence() == []
    assert runs.out.exists()
