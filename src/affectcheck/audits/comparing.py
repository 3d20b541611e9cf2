"""Runs beside each other: read their folders, compare the models, and keep what was found as a record."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from affectcheck.audits.header import Clock, begun, counts_of
from affectcheck.audits.saving import CROSS_VALIDATED_ITEMS
from affectcheck.audits.verdicts_beside import Judged, verdict_tables
from affectcheck.errors import MissingPathError
from affectcheck.evaluation import ITEMS_FILE, Compared, CompareOptions, Entrant, ScoredItems, compare
from affectcheck.records import RunRecord, load_run, run_path

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from affectcheck.records import Header


@dataclass(frozen=True, eq=False)
class StoredEntrant:
    """A run that is compared.

    Attributes:
        entrant: its model, scores and items.
        record: the run.
    """

    entrant: Entrant
    record: RunRecord

    @property
    def header(self) -> Header:
        """What the run was."""
        return self.record.header


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
        found.append(StoredEntrant(entrant, record))
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


def _other_data(models: Sequence[str], stored: Sequence[StoredEntrant]) -> list[str]:
    """What tells that models were given other sounds or pictures under the same keys and labels, one sentence a model."""
    (first, told), said = _digests_and_notes(stored[0].header), []
    for name, one in zip(models[1:], stored[1:], strict=True):
        digests, notes = _digests_and_notes(one.header)
        if digests == first or "score" in (stored[0].header.command, one.header.command):
            continue  # what `score` reads holds predictions too, which differ
        apart = [note for note in (*told, *notes) if (note in told) != (note in notes)]
        said.append(
            f"the data of {name} have the items and labels of {models[0]}, but differ in other columns, so that sounds or "
            f"pictures may too, and what differs need not be the models" + (f": {'; '.join(apart)}" if apart else "")
        )
    return said


def _digests_and_notes(header: Header) -> tuple[list[str], list[str]]:
    """Digests of the data of a run, and what is noted of them."""
    notes = [note for one in header.data for note in one.get("notes", [])]
    return [str(one.get("digest", "")) for one in header.data], notes


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
    if not cross_validated and _tested_alone(runs):
        return _compare_tests(runs, chosen, clock, passed or {})
    stored = read_entrants(runs, cross_validated=cross_validated)
    clock.stage("runs")
    found = compare([one.entrant for one in stored], chosen)
    found = found._replace(notes=(*found.notes, *_other_data(found.models, stored)))
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
        message=_sentences(found.notes),
    )
    tables = verdict_tables([Judged(name, one.record) for name, one in zip(found.models, stored, strict=True)])
    return found, RunRecord(header=header, comparisons=found.comparisons, ranks=found.ranks, tables=tables)


def _tested_alone(runs: Sequence[Path]) -> bool:
    """Whether these are two or more runs with verdicts, of which one scored nothing, as those of `test` do."""
    folders = [run_path(run).parent for run in runs]
    scored = all((folder / ITEMS_FILE).exists() for folder in folders)
    return len(runs) > 1 and not scored and all(load_run(run).verdicts for run in runs)


def _compare_tests(
    runs: Sequence[Path], options: CompareOptions, clock: Clock, passed: dict[str, Any]
) -> tuple[Compared, RunRecord]:
    """Verdicts alone."""
    records = [load_run(run) for run in runs]
    names = [str(record.header.model.get("name", "")) for record in records]
    folders = [run_path(run).parent.resolve().name for run in runs]
    told = [one if names.count(one) == 1 else f"{one} ({run})" for one, run in zip(names, folders, strict=True)]
    notes = ["verdicts alone are compared: not all of these runs scored their items"]
    data = dict.fromkeys(_data(record.header) for record in records)
    if len(data) > 1:
        notes.append(f"the runs were made on different data: {' and '.join(name for name, _ in data)}")
    effective = _plain(asdict(options)) | {"runs": [record.header.digest for record in records]}
    header = replace(
        begun("compare", seed=options.seed, passed=passed, effective=effective),
        model={
            "name": ", ".join(told),
            "models": [{"name": one, "run": run} for one, run in zip(told, folders, strict=True)],
        },
        data=records[0].header.data,
        times=clock.plain(),
        message=_sentences(notes),
    )
    tables = verdict_tables([Judged(name, record) for name, record in zip(told, records, strict=True)])
    return Compared((), (), tuple(told), tuple(notes)), RunRecord(header=header, tables=tables)


def _data(header: Header) -> tuple[str, str]:
    """Names and digests of the data sets of a run."""
    return tuple(", ".join(str(one.get(key, "")) for one in header.data) for key in ("name", "digest"))  # type: ignore[return-value]


def _sentences(notes: Sequence[str]) -> str:
    return " ".join(f"{note[:1].upper()}{note[1:]}." for note in notes)


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
