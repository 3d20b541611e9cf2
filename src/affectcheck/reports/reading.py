"""A record, indexed for its report: signatures numbered, random model found, scores sorted by what they are of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

from affectcheck.records import Place
from affectcheck.reports.glossary import title_of
from affectcheck.reports.wording import clean, score_title
from affectcheck.schemes.tasks import TASKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from affectcheck.records import RunRecord, Scored, Verdict
    from affectcheck.reports.beside import Beside

Key: TypeAlias = tuple[str, ...]
#: Fields of a signature that set two scores of one metric and place apart, beside the convention.
_SETTING: Final = ("data", "target", "part")
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
        whole: the reading that this is a view of: its signatures are numbered there.
        number: which view it is, from 1; 0 for the whole.
        beside: pages that the report may link to.
    """

    def __init__(
        self, record: RunRecord, *, whole: Reading | None = None, number: int = 0, beside: Sequence[Beside] = ()
    ) -> None:
        self.beside = tuple(beside)
        self.record = record if whole else clean(record)
        self.header = self.record.header
        self.whole = whole or self
        self.number = number

    @cached_property
    def settings(self) -> tuple[Key, ...]:
        """Data, target and part of every score, each once: a run may score a test set and cross-validation too."""
        return tuple(dict.fromkeys(_setting(score) for score in self.record.scores))

    @cached_property
    def views(self) -> tuple[Reading, ...]:
        """One reading a setting; the record's tables belong to the first."""
        if len(self.settings) < 2:
            return (self,)
        return tuple(self._view(setting, number) for number, setting in enumerate(self.settings, start=1))

    def _view(self, setting: Key, number: int) -> Reading:
        kept = tuple(score for score in self.record.scores if _setting(score) == setting)
        tables = self.record.tables if number == 1 else {}
        return Reading(replace(self.record, scores=kept, tables=tables), whole=self, number=number)

    @property
    def name(self) -> str:
        """What sets a view apart, such as ``test``; empty for a run of one setting."""
        return self.whole.setting(self.record.scores[0]) if self.number else ""

    def titled(self, title: str) -> str:
        """A title, with the name of the view."""
        return f"{title}: {self.name}" if self.name else title

    def anchored(self, anchor: str) -> str:
        """A fragment that is unique among the views."""
        return f"{anchor}-view-{self.number}" if self.number > 1 else anchor

    @cached_property
    def _signatures(self) -> dict[str, int]:
        record = self.record
        scores = (*record.scores, *record.baseline_scores, *record.before_scores, *record.ceiling_scores)
        lines = [*(str(score.signature) for score in scores), *(v.signature for v in self.record.verdicts)]
        lines += [str(comparison.signature) for comparison in self.record.comparisons]
        return {line: index for index, line in enumerate(dict.fromkeys(line for line in lines if line), start=1)}

    @property
    def signatures(self) -> dict[str, int]:
        """Every signature of the record, numbered from 1 in the order of first use."""
        return self.whole._signatures

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

    @cached_property
    def _before(self) -> dict[Key, Scored]:
        return {_key(score): score for score in self.record.before_scores}

    def before(self, score: Scored) -> Scored | None:
        """The same score of what the model itself returned, where steps were done before scoring."""
        return self._before.get(_key(score))

    @property
    def has_before(self) -> bool:
        """Whether predictions went through steps before they were scored."""
        return bool(self.record.before_scores)

    @cached_property
    def _ceilings(self) -> dict[Key, dict[str, Scored]]:
        found: dict[Key, dict[str, Scored]] = {}
        for score in self.record.ceiling_scores:
            found.setdefault(_key(score), {})[score.signature.model] = score
        return found

    def ceilings(self, score: Scored) -> dict[str, Scored]:
        """The same score of people in the model's place, by who they are; empty where no votes were known."""
        return self._ceilings.get(_key(score), {})

    @property
    def has_ceiling(self) -> bool:
        """Whether people were scored in the model's place."""
        return bool(self.record.ceiling_scores)

    @cached_property
    def people(self) -> tuple[str, ...]:
        """Who was put in the model's place, such as ``left-out rater of votes``."""
        return tuple(dict.fromkeys(score.signature.model for score in self.record.ceiling_scores))

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps, each line once."""
        return tuple(dict.fromkeys(s.signature.steps for s in self.record.scores if s.signature.steps))

    @property
    def has_baseline(self) -> bool:
        """Whether the random model was scored."""
        return bool(self.record.baseline_scores)

    @cached_property
    def _telling(self) -> tuple[int, ...]:
        """Places of the fewest fields that tell the settings apart."""
        choices = ((2,), (1,), (0,), (1, 2), (0, 2), (0, 1), (0, 1, 2))
        wanted = len(self.settings)
        return next(c for c in choices if len({tuple(s[i] for i in c) for s in self.settings}) == wanted)

    def setting(self, score: Scored) -> str:
        """What sets a score apart from others of its metric and place; empty in a run of one setting."""
        if len(self.settings) < 2:
            return ""
        return ", ".join(filter(None, (_setting(score)[place] for place in self._telling)))

    def named(self, score: Scored) -> str:
        """Title of the metric with setting, whatever its convention."""
        setting = self.setting(score)
        return f"{title_of(score.metric)} · {setting}" if setting else title_of(score.metric)

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


def _setting(score: Scored) -> Key:
    return tuple(getattr(score.signature, name) for name in _SETTING)


def _key(score: Scored) -> Key:
    place = score.place
    return (score.metric, place.attribute, place.group, place.part, score.signature.convention, *_setting(score))


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
