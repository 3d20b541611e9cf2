"""The header of a run: who was audited on what, by which rules, with which software."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affectcheck.datasets import DATASETS
from affectcheck.records import Header, count, git_state, versions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.models import ModelCard
    from affectcheck.records import Fault, Verdict


class Clock:
    """Seconds by stage, and when the run began and ended."""

    def __init__(self) -> None:
        self.started = datetime.now(UTC)
        self.stages: dict[str, float] = {}
        self._last = self.started

    def stage(self, name: str) -> None:
        """The stage that has just ended."""
        now = datetime.now(UTC)
        self.stages[name] = round((now - self._last).total_seconds(), 3)
        self._last = now

    def plain(self) -> dict[str, Any]:
        """The times of a header."""
        ended = datetime.now(UTC)
        return {
            "started": self.started.isoformat(timespec="seconds"),
            "ended": ended.isoformat(timespec="seconds"),
            "seconds": round((ended - self.started).total_seconds(), 3),
            "stages": self.stages,
        }


def model_values(card: ModelCard, training: dict[str, Any]) -> dict[str, Any]:
    """A model's card as plain values, with what its training did."""
    values = {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(card).items()}
    return values | ({"training": training} if training else {})


def data_values(table: AnnotationTable, *, used: int, part: str) -> dict[str, Any]:
    """A data set's card and size as plain values."""
    values: dict[str, Any] = {
        "name": table.name,
        "digest": table.digest,
        "items": table.height,
        "used": used,
        "part": part,
        "targets": {name: target.scheme.name for name, target in table.targets.items()},
        "groups": list(table.groups),
        "notes": list(table.notes),
    }
    if table.has_subjects:
        values["subjects"] = table.frame.get_column("subject").n_unique()
    if table.name in DATASETS:
        card = DATASETS.get(table.name).card
        values |= {
            name: getattr(card, name)
            for name in ("title", "licence", "citation", "url", "description", "can_show", "cannot_show")
        }
        values["notes"] += list(card.notes)
    return values


def counts_of(items: int, scored: int, faults: Iterable[Fault], verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Items, scored items, faults by kind and verdicts by state."""
    return {
        "items": items,
        "scored": scored,
        "faults": dict(sorted(Counter(fault.kind for fault in faults).items())),
        "verdicts": dict(count(verdicts)),
    }


def begun(command: str, *, seed: int, passed: dict[str, Any], effective: dict[str, Any]) -> Header:
    """A header with what is known before anything is computed."""
    return Header(
        command=command,
        seed=seed,
        arguments={"passed": passed, "effective": effective},
        versions=versions(),
        git=git_state(Path.cwd()),
    )
