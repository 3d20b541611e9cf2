"""A record, indexed for its report: signatures numbered, random model found, scores sorted by what they are of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

from affectcheck.records import Place, Score
from affectcheck.reports.wording import clean, count_text, method_text, place_text, score_title
from affectcheck.schemes.tasks import TASKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from affectcheck.records import RunRecord, Scored, Verdict

Key: TypeAlias = tuple[str, ...]
#: Fields of a signature that set two scores of one metric and place apart, beside the convention.
_SETTING: Final = ("data", "target", "part")
NAMED: Final = 3  # scores named beside a sentence that is about many
_EXECUTED: Final = ("passed", "failed", "inconclusive")


@dataclass(frozen=True)
class Tally:
    """Verdicts of one family or test, counted.

    Attributes:
        counts: by state, all four named.
        executed: comparisons that were made: all but the not applicable ones.
        random_passed: of those that the random model made too, how many it would pass.
        random_made: how many it made.
    """

    counts: dict[str, int]
    executed: int
    random_passed: int
    random_made: int


class Reading:
    """What the sections of a report read a record by.

    Args:
        record: the run.
    """

    def __init__(self, record: RunRecord) -> None:
        self.record = clean(record)
        self.header = self.record.header

    @cached_property
    def signatures(self) -> dict[str, int]:
        """Every signature of the record, numbered from 1 in the order of first use."""
        scores = (*self.record.scores, *self.record.baseline_scores)
        lines = [*(str(score.signature) for score in scores), *(v.signature for v in self.record.verdicts)]
        return {line: index for index, line in enumerate(dict.fromkeys(line for line in lines if line), start=1)}

    def link(self, signature: object) -> str:
        """Fragment of a signature's line; empty where there is none."""
        index = self.signatures.get(str(signature))
        return f"sig-{index}" if index else ""

    @cached_property
    def _baselines(self) -> dict[Key, Scored]:
        return {_key(score): score for score in self.record.baseline_scores}

    def baseline(self, score: Scored) -> Scored | None:
        """The random model's score of the same metric and place, if it was run."""
        return self._baselines.get(_key(score))

    @property
    def has_baseline(self) -> bool:
        """Whether the random model was scored."""
        return bool(self.record.baseline_scores)

    @cached_property
    def _varying(self) -> tuple[str, ...]:
        scores = self.record.scores
        return tuple(name for name in _SETTING if len({getattr(score.signature, name) for score in scores}) > 1)

    def setting(self, score: Scored) -> str:
        """What sets a score apart from others of its metric and place; empty in a run of one data set."""
        return ", ".join(filter(None, (getattr(score.signature, name) for name in self._varying)))

    def variant(self, score: Scored) -> str:
        """Title of the metric with convention and setting."""
        setting = self.setting(score)
        return f"{score_title(score)} · {setting}" if setting else score_title(score)

    @property
    def kind(self) -> str:
        """Kind of prediction, from the model's card or, failing that, from the metrics that are there."""
        declared = str(self.header.model.get("kind", ""))
        if declared in ("categories", "units", "dimensions"):
            return declared
        metrics = {score.metric for score in self.record.scores}
        return "dimensions" if metrics & {"ccc", "pcc", "mae", "rmse"} else "categories"

    @property
    def part(self) -> str:
        """What a part of the prediction is called."""
        return {"units": "action unit", "dimensions": "dimension"}.get(self.kind, "class")

    @property
    def headline(self) -> str:
        """The metric that a summary shows."""
        wanted = TASKS[self.kind].headline if self.kind in TASKS else "f1_macro"
        metrics = [score.metric for score in self.record.scores]
        return wanted if wanted in metrics or not metrics else metrics[0]

    def select(self, wanted: Callable[[Place], bool]) -> tuple[Scored, ...]:
        """Scores whose place is wanted, in the record's order."""
        return tuple(score for score in self.record.scores if wanted(score.place))

    @cached_property
    def overall(self) -> tuple[Scored, ...]:
        """Scores of the whole set over all parts."""
        return self.select(lambda place: place == Place())

    @cached_property
    def parts(self) -> tuple[Scored, ...]:
        """Scores of the whole set by class, unit or dimension."""
        return self.select(lambda place: not place.attribute and bool(place.part))

    @cached_property
    def headlines(self) -> tuple[Scored, ...]:
        """Scores that stand first: the headline metric, over all parts or else of each."""
        for scores in (self.overall, self.parts):
            found = tuple(score for score in scores if score.metric == self.headline)
            if found:
                return found
        return self.overall[:1]

    @cached_property
    def attributes(self) -> tuple[str, ...]:
        """Group attributes that were scored, in the record's order."""
        return tuple(dict.fromkeys(s.place.attribute for s in self.record.scores if s.place.attribute))

    @cached_property
    def families(self) -> tuple[str, ...]:
        """Families of behaviour tests that have verdicts, in the record's order."""
        return tuple(dict.fromkeys(verdict.family for verdict in self.record.verdicts))

    def verdicts_of(self, family: str, test: str = "") -> tuple[Verdict, ...]:
        """Verdicts of a family, or of one test of it."""
        return tuple(v for v in self.record.verdicts if v.family == family and test in ("", v.test))


def _key(score: Scored) -> Key:
    place, signature = score.place, score.signature
    setting = (getattr(signature, name) for name in ("convention", *_SETTING))
    return (score.metric, place.attribute, place.group, place.part, *setting)


def tally(verdicts: Iterable[Verdict]) -> Tally:
    """Count verdicts by state, and how many the random model would pass."""
    rows = tuple(verdicts)
    counts = dict.fromkeys((*_EXECUTED, "not applicable"), 0)
    for verdict in rows:
        counts[verdict.status] = counts.get(verdict.status, 0) + 1
    random = [
        v.threshold.met_by(v.baseline)
        for v in rows
        if v.status in _EXECUTED and v.threshold is not None and v.baseline is not None
    ]
    return Tally(counts, sum(counts[status] for status in _EXECUTED), sum(random), len(random))


def methods(scores: Iterable[Scored]) -> str:
    """How the intervals of some scores were made, each way once; empty where none has one."""
    found = [method_text(s.interval) for s in scores if isinstance(s, Score) and s.interval is not None]
    return "; ".join(dict.fromkeys(found))


def notes(scores: Iterable[Scored], name: Callable[[Scored], str] = score_title) -> tuple[str, ...]:
    """Sentences that belong to some scores: each once, with the scores that it is about."""
    about: dict[str, dict[str, None]] = {}
    for score in scores:
        where = place_text(score.place)
        label = f"{name(score)} ({where})" if where else name(score)
        for sentence in _said(score):
            about.setdefault(sentence, {})[label] = None
    return tuple(f"{_some(tuple(labels))}: {sentence}" for sentence, labels in about.items())


def _said(score: Scored) -> tuple[str, ...]:
    if not isinstance(score, Score):
        return score.notes
    said = list(score.notes)
    if score.undefined_parts:
        said.append(f"{count_text(score.undefined_parts, 'undefined part')}, treated as the signature says")
    if score.interval and score.interval.note:
        said.append(score.interval.note)
    if score.interval and score.interval.undefined_resamples:
        said.append(f"undefined in {count_text(score.interval.undefined_resamples, 'resample')}")
    return tuple(said)


def _some(labels: tuple[str, ...]) -> str:
    rest = len(labels) - NAMED
    shown = labels if rest <= 1 else labels[:NAMED]
    return ", ".join(shown) + (f" and {rest} more" if rest > 1 else "")
