"""What the verdicts of a run rest on, in files: every verdict, every prediction, the items behind failures, sounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.atomic import write_text
from affectcheck.audits.clips import clip_of
from affectcheck.audits.pipeline import quiet
from affectcheck.behaviour import items_behind, verdicts_frame
from affectcheck.digest import digest_bytes
from affectcheck.errors import ExtraMissingError
from affectcheck.media.clip import Clip
from affectcheck.reports import BEHAVIOUR_FOLDER, SHOWN, ItemsShown, write_behaviour_pages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from affectcheck.audits.options import Progress
    from affectcheck.audits.pipeline import Audit
    from affectcheck.behaviour import PlannedTest
    from affectcheck.records import Verdict

VERDICTS: Final = "verdicts.csv"
PREDICTIONS: Final = "predictions.parquet"
#: Items of a failed verdict that are listed, those of them that can be heard (so many of all verdicts together, but
#: the worst of each), and examples of every test.
LISTED: Final = 500
HEARD: Final = 5
HEARD_IN_ALL: Final = 1000
EXAMPLES: Final = 2


def save_evidence(done: Audit, folder: Path, progress: Progress = quiet) -> None:
    """Write what the verdicts of an audit rest on: files in ``behaviour`` and ``audio``.

    Args:
        done: the audit.
        folder: of the run.
        progress: shows how far the items behind failures are.
    """
    if done.plan is None or not done.record.verdicts:
        return
    place = folder / BEHAVIOUR_FOLDER
    place.mkdir(parents=True, exist_ok=True)
    write_text(place / VERDICTS, verdicts_frame(done.record.verdicts).write_csv())
    if done.examined.predictions:
        _predictions(done).write_parquet(place / PREDICTIONS)
    with progress("items behind failures") as update:
        behind = tuple(_failures(done, folder, update))
    examples = {test.definition.name: _examples(test, done, folder) for test in done.plan.applicable}
    try:
        write_behaviour_pages(
            done.record,
            folder,
            [test.definition for test in done.plan.tests],
            behind,
            {name: found for name, found in examples.items() if found},
        )
    except ExtraMissingError:  # the lists and the record are there without HTML
        return


def _predictions(done: Audit) -> pl.DataFrame:
    """Every prediction: one row an item and perturbation, which is empty for the sound as recorded."""
    frames = [
        one.frame.with_columns(perturbation=pl.lit(key)).cast({"item": pl.String})
        for key, one in done.examined.predictions.items()
    ]
    return pl.concat(frames).select("item", "perturbation", pl.exclude("item", "perturbation"))


def _failures(done: Audit, folder: Path, update: Callable[[int, int], None]) -> Iterator[ItemsShown]:
    tests = {test.definition.name: test for test in (done.plan.tests if done.plan else ())}
    failed = [one for one in done.record.verdicts if one.status == "failed" and one.test in tests]
    heard = max(1, min(HEARD, HEARD_IN_ALL // max(len(failed), 1)))
    for place, verdict in enumerate(failed):
        update(place, len(failed))
        yield _shown(verdict, tests[verdict.test], done, folder, heard)


def _shown(verdict: Verdict, test: PlannedTest, done: Audit, folder: Path, heard: int) -> ItemsShown:
    behind = items_behind(verdict, test, done.examined)
    name = digest_bytes(verdict.test, verdict.metric, *vars(verdict.place).values())[:12]
    path = f"{BEHAVIOUR_FOLDER}/items/{verdict.test}-{name}.csv"
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    write_text(folder / path, behind.frame.head(LISTED).write_csv())
    first, count = behind.frame.head(SHOWN), behind.frame.height
    sounds = {item: _sounds(item, test, done, folder) for item in first.head(heard).get_column("item")}
    return ItemsShown(verdict, first, count, path, min(count, LISTED), sounds)


def _examples(test: PlannedTest, done: Audit, folder: Path) -> dict[str, dict[str, str]]:
    """Some items as the test changes them."""
    if test.perturbation is None or done.examined.table is None:
        return {}
    items = test.items if test.items is not None else tuple(done.examined.table.items.head(EXAMPLES))
    found = {item: _sounds(item, test, done, folder) for item in items[:EXAMPLES]}
    return {item: paths for item, paths in found.items() if "changed" in paths}


def _sounds(item: str, test: PlannedTest, done: Audit, folder: Path) -> dict[str, str]:
    """Write an item's sound as recorded and, where a test changes it, as changed; none where it has no sound.

    The sounds are what the model was given: mono, at its rate, 16 bits in FLAC, scaled down only where they would clip.
    """
    table = done.examined.table
    if table is None:
        return {}
    row = table.frame.row(by_predicate=pl.col("item") == item, named=True)
    clip = clip_of(row, table, done.subject.model.card)
    if clip is None:
        return {}
    written = {"as recorded": _write(folder, item, "", clip.samples, clip.rate_hz)}
    for version, change in (("reference", test.reference), ("changed", test.perturbation)):
        changed = change(clip, item) if change is not None and "audio" in change.media else None
        if change is not None and isinstance(changed, Clip):
            written[version] = _write(folder, item, change.key, changed.samples, changed.rate_hz)
    return written


def _write(folder: Path, item: str, change: str, samples: object, rate_hz: int) -> str:
    import numpy as np  # noqa: PLC0415
    import soundfile  # noqa: PLC0415  # an optional package, there where sound was decoded

    path = f"audio/{digest_bytes(item, change)[:16]}.flac"
    if not (folder / path).exists():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        values = np.asarray(samples, np.float32)
        peak = float(np.max(np.abs(values), initial=0.0))
        soundfile.write(folder / path, values / peak if peak > 1 else values, rate_hz, subtype="PCM_16")
    return path
