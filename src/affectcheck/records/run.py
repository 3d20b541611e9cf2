"""The record of a run: a header that says what was done with what, then scores, verdicts and faults.

The order of the keys matters: ``format`` and ``version`` come first and ``header`` second, so that a listing reads
the first lines of a file and stops. A field is never renamed or reused; a new one has a default, so that every
record ever written loads.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from affectcheck.records.comparison import Comparison, Rank
    from affectcheck.records.fault import Fault
    from affectcheck.records.score import Scored
    from affectcheck.records.verdict import Verdict

FORMAT: Final = "affectcheck-run"
FORMAT_VERSION: Final = 1


@dataclass(frozen=True)
class Header:
    """What a run was, readable without its scores.

    Attributes:
        status: ``done``, or ``interrupted`` with the reason in ``message``.
        command: the verb, such as ``audit``.
        model: name, digest, kind, parameter count, training data: the card of the model as plain values.
        data: one entry a data set: name, digest, items, card fields as plain values.
        partition: protocol, seed, digest and sizes of the partition that was used, empty if none.
        suite: suites and mode, empty if none was run.
        arguments: ``passed`` as given and ``effective`` after defaults.
        seed: the run's seed.
        versions: affectcheck, Python and the packages that can change a number.
        git: commit and whether the tree was dirty, of the folder the run was started in; empty outside git.
        counts: items, scored, faults by kind, verdicts by status.
        digest: digest of everything below the header, and of the header without times and without where it ran:
            paths, the arguments as they were typed, and git.
        times: started, ended (ISO 8601, UTC) and seconds by stage: the only fields that differ between equal runs of
            one folder.
        message: a sentence for the reader.
    """

    status: str = "done"
    command: str = ""
    model: dict[str, Any] = field(default_factory=dict)
    data: list[dict[str, Any]] = field(default_factory=list)
    partition: dict[str, Any] = field(default_factory=dict)
    suite: dict[str, Any] = field(default_factory=dict)
    arguments: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    versions: dict[str, str] = field(default_factory=dict)
    git: dict[str, Any] = field(default_factory=dict)
    counts: dict[str, Any] = field(default_factory=dict)
    digest: str = ""
    times: dict[str, Any] = field(default_factory=dict)
    message: str = ""


@dataclass(frozen=True)
class RunRecord:
    """A whole run.

    Attributes:
        header: what was done.
        scores: every score of the model under test.
        baseline_scores: the same scores of the random model, shown beside them.
        verdicts: every comparison of the behaviour tests.
        faults: faults of single items.
        tables: named tables of plain values that figures are drawn from: confusion counts, histograms, balance.
            Each is ``{"columns": [...], "rows": [[...], ...]}``.
        before_scores: where predictions were post-processed, the scores of what the model itself returned.
        ceiling_scores: where several raters' votes exist, the scores of a human in the model's place.
        comparisons: where models are compared, each pair on each metric.
        ranks: where models are compared, the rank of each.
    """

    header: Header
    scores: tuple[Scored, ...] = ()
    baseline_scores: tuple[Scored, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    faults: tuple[Fault, ...] = ()
    tables: dict[str, dict[str, list[Any]]] = field(default_factory=dict)
    before_scores: tuple[Scored, ...] = ()
    ceiling_scores: tuple[Scored, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    ranks: tuple[Rank, ...] = ()

    def with_header(self, **changes: Any) -> RunRecord:
        """A copy with some header fields changed."""
        return replace(self, header=replace(self.header, **changes))
