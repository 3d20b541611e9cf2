"""Runs beside each other: read their folders, compare the models, and keep what was found as a record."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from affectcheck.audits.header import Clock, begun, counts_of
from affectcheck.audits.saving import CROSS_VALIDATED_ITEMS
from affectcheck.errors import MissingPathError
from affectcheck.evaluation import ITEMS_FILE, CompareOptions, Entrant, ScoredItems, compare
from affectcheck.records import RunRecord, load_run, run_path

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from affectcheck.evaluation import Compared
    from affectcheck.records import Header


@dataclass(frozen=True, eq=False)
class StoredEntrant:
    """A run that is compared.

    Attributes:
        entrant: its model, scores and items.
        header: what the run was.
    """

    entrant: Entrant
    header: Header


def read_entrants(runs: Sequence[Path], *, cross_validated: bool = False) -> tuple[StoredEntrant, ...]:
    """Read run folders.

    Args:
        runs: folders, or the run records in them.
        cross_validated: take the items and scores of cross-validation instead of those of the tested set.

    Raises:
        MissingPathError: a folder holds no run, or no scored items.
        InputError: a file in it is no such file.
    """
    folders = [run_path(run).parent for run in runs]
    often = Counter(folder.resolve().name for folder in folders)
    found = []
    for folder, run in zip(folders, runs, strict=True):
        record = load_run(run)
        items = _items(folder, record.header, cross_validated=cross_validated)
        name = folder.resolve().name
        entrant = Entrant.of_run(record, items, run=name if often[name] == 1 else str(folder))
        found.append(StoredEntrant(entrant, record.header))
    return tuple(found)


def _items(folder: Path, header: Header, *, cross_validated: bool) -> ScoredItems:
    """The table of items of a run.

    Raises:
        MissingPathError: the run has none, and why.
    """
    try:
        return ScoredItems.read(folder / (CROSS_VALIDATED_ITEMS if cross_validated else ITEMS_FILE))
    except MissingPathError as error:
        cause = error.cause
        if cross_validated:
            cause = "a run that was not cross-validated; `affectcheck audit --cv subject` does it"
        elif header.command == "compare":
            cause = "a run of `compare`, which scores nothing; name the runs that it compared"
        raise MissingPathError(error.what, where=error.where, expected=error.expected, cause=cause) from error


def compare_runs(
    runs: Sequence[Path],
    options: CompareOptions | None = None,
    *,
    cross_validated: bool = False,
    passed: dict[str, Any] | None = None,
) -> tuple[Compared, RunRecord]:
    """Compare the models of run folders, and keep what was found as a record.

    Args:
        runs: folders of runs that scored the same items.
        options: metrics, groups, draws.
        cross_validated: compare the scores of cross-validation instead of those of the tested set.
        passed: the arguments as they were given, for the record.

    Returns:
        Comparisons and ranks, and the record that reports are written from.

    Raises:
        InputError: the runs may not be compared; the message names what differs.
    """
    clock, chosen = Clock(), options or CompareOptions()
    stored = read_entrants(runs, cross_validated=cross_validated)
    clock.stage("runs")
    found = compare([one.entrant for one in stored], chosen)
    clock.stage("comparisons")
    effective = _plain(asdict(chosen)) | {"cross_validated": cross_validated}
    effective["runs"] = [one.header.digest for one in stored]
    layout, first = stored[0].entrant.items.layout, stored[0].header
    items = stored[0].entrant.items.frame.height
    header = replace(
        begun("compare", seed=chosen.seed, passed=passed or {}, effective=effective),
        model={
            "name": ", ".join(found.models),
            "kind": layout.kind,
            "parts": list(layout.parts),
            "models": [
                {"name": name, "run": one.entrant.run, "digest": one.header.model.get("digest", "")}
                for name, one in zip(found.models, stored, strict=True)
            ],
        },
        data=first.data,
        counts=counts_of(items, items, (), ()),
        times=clock.plain(),
        message=" ".join(f"{note[:1].upper()}{note[1:]}." for note in found.notes),
    )
    return found, RunRecord(header=header, comparisons=found.comparisons, ranks=found.ranks)


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
