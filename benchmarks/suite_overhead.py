"""What a run of many perturbations costs beyond decoding, perturbing and the model: CPU seconds, and their shares.

    python benchmarks/suite_overhead.py [--clips 120] [--workers 1 2] [--sounds ROLE=FOLDER …] [--model FILE.npz]

The model is the baseline, trained on the first 200 clips unless a file is named. Journals are kept, as in an audit. The
clips are those of RAVDESS in AFFECTCHECK_SHARED (default ../shared); with --data any other spec. What the processes of a
pool take to start is shown apart, since it does not grow with the work.
"""

# ruff: noqa: E402  # threads are limited before NumPy is imported

from __future__ import annotations

import argparse
import json
import os
import resource
import tempfile
import time
from dataclasses import dataclass
from multiprocessing import parent_process, util
from pathlib import Path
from typing import TYPE_CHECKING, Any

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(_variable, "1")

from affectcheck.augmentations import AUGMENTATIONS, Perturbation, Sounds, make_augmentation, read_sounds
from affectcheck.augmentations.collection import SoundsMissingError
from affectcheck.datasets import load_dataset
from affectcheck.media import loader
from affectcheck.models import Baseline
from affectcheck.predictions import PredictOptions, no_progress, predict_sets
from affectcheck.training import TrainOptions, train

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.media.clip import Clip, Item
    from affectcheck.models.card import ModelCard

BAR = 0.15
PARTS = ("decode", "perturb", "model")
#: Cheap ones, beside which overhead weighs most; those that mix in sounds want --sounds.
NAMES = (
    "white-noise", "tone", "append-zeros", "crop-beginning", "clip", "gain", "highpass", "lowpass", "tilt-up",
    "tilt-down", "babble", "environment", "cough",
)  # fmt: skip
#: CPU seconds of each part in this process.
SPENT = dict.fromkeys((*PARTS, "start"), 0.0)


def timed(part: str, call: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """Call something, and add its CPU time to a part."""
    before = time.process_time()
    try:
        return call(*given, **named)
    finally:
        SPENT[part] += time.process_time() - before


@dataclass
class TimedModel:
    """A model whose time is taken; in another process it reports what was spent there when that ends."""

    model: Baseline
    folder: str

    @property
    def card(self) -> ModelCard:
        return self.model.card

    def predict(self, items: Sequence[Item]) -> Any:
        return timed("model", self.model.predict, items)

    def __reduce__(self) -> tuple[object, ...]:
        return _arrived, (self.model, self.folder)


def _arrived(model: Baseline, folder: str) -> TimedModel:
    if parent_process() is not None:
        SPENT["start"] = time.process_time()
        instrument()
        util.Finalize(None, _report, args=(folder,), exitpriority=1)
    return TimedModel(model, folder)


def _report(folder: str) -> None:
    Path(folder, f"{os.getpid()}.json").write_text(json.dumps(SPENT))


@dataclass(frozen=True)
class TimedPerturbation:
    """A perturbation whose time is taken."""

    media = ("audio",)
    perturbation: Perturbation

    @property
    def key(self) -> str:
        return self.perturbation.key

    def __call__(self, clip: Clip, item_key: str) -> Clip | None:
        return timed("perturb", self.perturbation, clip, item_key)


def instrument() -> None:
    """Take the time of decoding in this process from now on."""
    plain = loader.load_item
    loader.load_item = lambda *given, **named: timed("decode", plain, *given, **named)


def perturbations(sounds: Sounds) -> list[TimedPerturbation]:
    """Those that there are, and what is left out."""
    found, left_out = [], []
    for name in NAMES:
        try:
            AUGMENTATIONS.get(name)
            found.append(TimedPerturbation(Perturbation(make_augmentation(name, {}, sounds))))
        except (LookupError, SoundsMissingError) as error:
            left_out.append(f"{name} ({str(error).splitlines()[0]})")
    print(f"{len(found)} perturbations; left out: {'; '.join(left_out) or 'none'}")
    return found


def trained(table: AnnotationTable) -> Baseline:
    """The baseline, trained on the first clips; how well it does is not asked here."""
    items = table.items.head(200).to_list()
    return train(table, {"train": items}, options=TrainOptions(progress=no_progress)).model.with_cache(None)


def cpu_s() -> float:
    """CPU seconds of this process and of those of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def measure(model: Baseline, table: AnnotationTable, sets: Sequence[Any], workers: int) -> None:
    """One run with an empty cache, and its split."""
    SPENT.update(dict.fromkeys(SPENT, 0.0))
    with tempfile.TemporaryDirectory(prefix="affectcheck-") as folder:
        options = PredictOptions(cache=Path(folder) / "cache", workers=workers, progress=no_progress)
        before, wall = cpu_s(), time.perf_counter()
        made = predict_sets(TimedModel(model, folder), table, sets, options=options)
        total, wall = cpu_s() - before, time.perf_counter() - wall
        reports = [SPENT, *(json.loads(path.read_text()) for path in Path(folder).glob("*.json"))]
        predictions = sum(one.height for one in made.values())
        again = time.process_time()
        predict_sets(TimedModel(model, folder), table, sets, options=options)
        again = time.process_time() - again
    spent = {name: sum(one[name] for one in reports) for name in SPENT}
    overhead = total - sum(spent.values())
    work = total - spent["start"]
    print(f"{workers} worker{'s' * (workers > 1)}: {predictions} predictions of {table.height} clips")
    print(f"  total: {total:.2f} CPU s, {wall:.2f} s; {1000 * work / predictions:.2f} CPU ms a prediction")
    for name in PARTS:
        print(f"  {name}: {spent[name]:.2f} CPU s, {spent[name] / work:.1%}")
    print(f"  overhead: {overhead:.2f} CPU s, {overhead / work:.1%} (bar {BAR:.0%})")
    if spent["start"]:
        print(f"  start: {spent['start']:.2f} CPU s until processes have their model, not in the shares")
    print(f"  again: {again:.2f} CPU s for the same run with everything finished")


def main() -> None:
    """Print a split for each number of workers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = Path(os.environ.get("AFFECTCHECK_SHARED", "../shared")) / "data"
    parser.add_argument("--data", default=f"ravdess:{shared / 'ravdess-speech'}")
    parser.add_argument("--clips", type=int, default=120)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--sounds", nargs="*", default=[])
    parser.add_argument("--model", type=Path, default=None)
    told = parser.parse_args()
    sounds = Sounds()
    for spec in told.sounds:
        sounds += read_sounds(spec)
    table = load_dataset(told.data)
    model = Baseline.load(told.model) if told.model else trained(table)
    sets = [None, *perturbations(sounds)]
    chosen = table.select(table.items.gather_every(max(table.height // told.clips, 1)).head(told.clips))
    instrument()
    measure(model, chosen.select(chosen.items.head(4)), sets, 1)  # what is loaded once is loaded now
    for workers in told.workers:
        measure(model, chosen, sets, workers)


if __name__ == "__main__":
    main()
