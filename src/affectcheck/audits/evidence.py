"""What the verdicts of a run rest on, in files: every verdict, every prediction, the items behind failures, examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.atomic import write_text
from affectcheck.audits.examples import versions_of
from affectcheck.audits.pipeline import quiet
from affectcheck.behaviour import items_behind, verdicts_frame
from affectcheck.digest import digest_bytes
from affectcheck.errors import ExtraMissingError
from affectcheck.reports import BEHAVIOUR_FOLDER, CHANGED, SHOWN, ItemsShown, write_behaviour_pages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from affectcheck.audits.options import Progress
    from affectcheck.audits.pipeline import Audit
    from affectcheck.behaviour import PlannedTest
    from affectcheck.records import Verdict

VERDICTS: Final = "verdicts.csv"
PREDICTIONS: Final = "predictions.parquet"
#: Items of a failed verdict that are listed, those of them that can be heard or seen (so many of all verdicts together,
#: but the worst of each), and examples of every test.
LISTED: Final = 500
PRESENTED: Final = 5
PRESENTED_IN_ALL: Final = 1000
EXAMPLES: Final = 2


def save_evidence(done: Audit, folder: Path, progress: Progress = quiet) -> None:
    """Write what the verdicts of an audit rest on: files in ``behaviour``, ``audio`` and ``pictures``.

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
    """Every prediction: one row an item and perturbation, which is empty for the media as they are."""
    frames = [
        one.frame.with_columns(perturbation=pl.lit(key)).cast({"item": pl.String})
        for key, one in done.examined.predictions.items()
    ]
    return pl.concat(frames).select("item", "perturbation", pl.exclude("item", "perturbation"))


def _failures(done: Audit, folder: Path, update: Callable[[int, int], None]) -> Iterator[ItemsShown]:
    tests = {test.definition.name: test for test in (done.plan.tests if done.plan else ())}
    failed = [one for one in done.record.verdicts if one.status == "failed" and one.test in tests]
    presented = max(1, min(PRESENTED, PRESENTED_IN_ALL // max(len(failed), 1)))
    for place, verdict in enumerate(failed):
        update(place, len(failed))
        yield _shown(verdict, tests[verdict.test], done, folder, presented)


def _shown(verdict: Verdict, test: PlannedTest, done: Audit, folder: Path, presented: int) -> ItemsShown:
    behind = items_behind(verdict, test, done.examined)
    name = digest_bytes(verdict.test, verdict.metric, *vars(verdict.place).values())[:12]
    path = f"{BEHAVIOUR_FOLDER}/items/{verdict.test}-{name}.csv"
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    write_text(folder / path, behind.frame.head(LISTED).write_csv())
    first, count = behind.frame.head(SHOWN), behind.frame.height
    versions = {item: _versions(item, test, done, folder) for item in first.head(presented).get_column("item")}
    return ItemsShown(verdict, first, count, path, min(count, LISTED), versions)


def _examples(test: PlannedTest, done: Audit, folder: Path) -> dict[str, dict[str, str]]:
    """Some items as the test changes them."""
    if test.perturbation is None or done.examined.table is None:
        return {}
    items = test.items if test.items is not None else tuple(done.examined.table.items.head(EXAMPLES))
    found = {item: _versions(item, test, done, folder) for item in items[:EXAMPLES]}
    return {item: paths for item, paths in found.items() if CHANGED in paths}


def _versions(item: str, test: PlannedTest, done: Audit, folder: Path) -> dict[str, str]:
    """The item in files, as it is and as the test changes it; none where it has nothing to be heard or seen."""
    table = done.examined.table
    return {} if table is None else versions_of(item, test, table, done.subject.model, folder)
