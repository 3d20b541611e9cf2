"""A user's runs as rows of the published tables."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from affectcheck.behaviour.published_layout import layout
from affectcheck.behaviour.published_shares import BLOCKS, TWIN, Tally, table_five
from affectcheck.behaviour.published_values import TASKS
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.records import Score

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from affectcheck.records import RunRecord, Verdict

    Row = tuple[float | None, ...]

SENTIMENTS: Final = ("negative", "neutral", "positive")
SENTIMENT_TEST: Final = "fairness-linguistic-sentiment"
#: Names of English, the one language that the paper shows, in the tables of data sets.
ENGLISH: Final = ("en", "english", "eng")


class NothingToShowError(InputError, LookupError):
    """No run holds what a table shows."""


def own_rows(table: str, records: Sequence[RunRecord]) -> dict[str, dict[str, Row]]:
    """The rows of one model on a board.

    Args:
        table: ``V``, ``VI`` or ``VII``.
        records: runs of one model, or of a model and of its twin that predicts categories; the first names the row.

    Raises:
        UnknownNameError: there is no such table.
        InputError: two runs hold the same task.
        NothingToShowError: no run holds what the table shows.
    """
    makers = {"V": _passed, "VI": _benchmarks, "VII": _sentiments}
    if table not in makers:
        raise UnknownNameError.of("table", table, makers)
    return makers[table](model_name(records[0]), records) if records else {}


def model_name(record: RunRecord) -> str:
    """What the model of a run is called."""
    return str(record.header.model.get("name") or "this model")


def tally_verdicts(record: RunRecord, model: str) -> tuple[Tally, ...]:
    """Verdicts of a run, counted as the paper groups its tests; tests that it does not have are left out."""
    names, counted = layout(), Counter[tuple[str, str, str, str]]()
    for verdict in record.verdicts:
        test, task = names.published_name(verdict.test), task_of(verdict, record)
        if test and task:
            counted[task, test, verdict.family, verdict.status] += 1
    kinds = ("passed", "failed", "not applicable", "absent", "inconclusive")
    keys = dict.fromkeys(key[:3] for key in counted)
    return tuple(Tally(model, *key, *(counted[*key, kind] for kind in kinds)) for key in keys)


def task_of(verdict: Verdict, record: RunRecord) -> str:
    """What a verdict is about: a dimension of the paper, ``emotion``, or nothing of the paper's.

    Values that were derived from classes are nothing of the paper's, which asks consistency of values alone.
    """
    if record.header.model.get("kind") == "categories":
        return "" if verdict.metric == "in_range" else "emotion"
    said = f"{verdict.place.part} {verdict.place.group}".split()
    return next((word for word in said if TASKS.get(word) == "dimensions"), "")


def _passed(name: str, records: Sequence[RunRecord]) -> dict[str, dict[str, Row]]:
    tallies: list[Tally] = []
    for record in records:
        categories = record.header.model.get("kind") == "categories"
        found = tally_verdicts(record, name + (TWIN if categories and len(records) > 1 else ""))
        twice = {one.task for one in found} & {one.task for one in tallies}
        if twice:
            raise InputError(
                f"two runs hold verdicts on {' and '.join(sorted(twice))}",
                expected="runs of one model, or of a model and of its twin that predicts categories",
            )
        tallies += found
    if not any(one.executed for one in tallies):
        raise NothingToShowError(
            "no run holds an executed behaviour test of paper 2",
            expected="a run of `affectcheck test` or `affectcheck audit` with a suite",
        )
    rows = table_five(tallies)
    return {block: {name: next(iter(rows[block].values()))} for block in BLOCKS}


def _benchmarks(name: str, records: Sequence[RunRecord]) -> dict[str, dict[str, Row]]:
    found: dict[str, dict[str, float]] = {}
    for record in records:
        for task, one in _scores(record):
            on_data = found.setdefault(task, {})
            if one.signature.data in on_data:
                raise InputError(
                    f"two runs hold a score of {task} on the same data", expected="one run a task and data set"
                )
            on_data[one.signature.data] = one.value
    if not found:
        raise NothingToShowError(
            "no run holds a concordance correlation of arousal, dominance or valence, nor a recall of categories",
            expected="a run with scores: of `affectcheck score` or `affectcheck audit`",
        )
    means = {task: sum(values.values()) / len(values) for task, values in found.items()}
    cells = [round(means[task], 2) if task in means else None for task in TASKS]
    known = [cell for cell in cells if cell is not None]
    mean = round(sum(known) / len(known), 2) if len(known) == len(cells) else None
    return {"": {name: (*cells, mean)}}


def _scores(record: RunRecord) -> Iterable[tuple[str, Score]]:
    """Scores that the table shows; of a task, one for each data set, whose mean it is."""
    for one in record.scores:
        if not isinstance(one, Score) or one.place.group or one.place.attribute:
            continue
        if one.metric == "ccc" and TASKS.get(one.place.part) == "dimensions":
            yield one.place.part, one
        elif one.metric == "uar" and not one.place.part and record.header.model.get("kind") == "categories":
            yield "emotion", one


def _sentiments(name: str, records: Sequence[RunRecord]) -> dict[str, dict[str, Row]]:
    shifts: dict[str, dict[str, float]] = {}
    for record in records:
        for verdict in record.verdicts:
            placed = _shift(verdict)
            if placed is not None and verdict.value is not None:
                language, sentiment = placed
                shifts.setdefault(language, {})[sentiment] = verdict.value
    if not shifts:
        raise NothingToShowError(
            f"no run holds the mean shift of valence of {SENTIMENT_TEST!r}",
            expected="a run of that test with a model that predicts valence",
        )
    rows = {language: tuple(held.get(one) for one in SENTIMENTS) for language, held in sorted(shifts.items())}
    english = next((row for language, row in rows.items() if language.casefold() in ENGLISH), None)
    return ({} if english is None else {"English": {name: english}}) | {f"{name}, by language": rows}


def _shift(verdict: Verdict) -> tuple[str, str] | None:
    """Language and sentiment of a mean shift of valence; None for any other verdict."""
    if verdict.test != SENTIMENT_TEST or not verdict.metric.startswith("mean"):
        return None
    words = verdict.place.part.split()
    sentiment = next((word for word in words if word in SENTIMENTS), "")
    return (verdict.place.group, sentiment) if sentiment and "valence" in words and verdict.place.group else None
