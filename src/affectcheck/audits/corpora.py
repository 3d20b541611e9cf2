"""One model, several data sets: a run for each, and one record of all their verdicts, as a suite wants them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from affectcheck.audits.folder import run_folder
from affectcheck.audits.pipeline import audit, quiet
from affectcheck.audits.saving import save_audit, save_record
from affectcheck.audits.subject import is_recipe
from affectcheck.errors import InputError
from affectcheck.records import RunRecord, count
from affectcheck.reports import RUN

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from affectcheck.audits.options import AuditOptions, Progress
    from affectcheck.audits.pipeline import Audit


def try_corpora(
    several: Sequence[AuditOptions], *, progress: Progress = quiet, passed: dict[str, Any] | None = None
) -> tuple[Audit, ...]:
    """Test a model's behaviour on several data sets.

    Args:
        several: the same options for each data set.
        progress: shows how far each stage is.
        passed: the arguments as they were given, for the records.

    Raises:
        InputError: the model is trained here, so that it would be another one on each data set, or a data set is
            named twice.
    """
    model, data = several[0].model, [one.data for one in several]
    if len(several) > 1 and is_recipe(model):
        raise InputError(
            f"the recipe {model!r} would be trained anew on each of {len(several)} data sets",
            expected="a model that is trained already, such as the model.npz of a run",
        )
    twice = sorted({one for one in data if data.count(one) > 1})
    if twice:
        raise InputError(f"the data set {twice[0]!r} is named twice", expected="each once")
    return tuple(audit(one, progress=progress, command="test", passed=passed, scored=False) for one in several)


def joined(runs: Sequence[Audit]) -> RunRecord:
    """The record of several data sets: all verdicts, faults and data, under the first one's header."""
    records = [one.record for one in runs]
    if len(records) == 1:
        return records[0]
    verdicts = tuple(verdict for record in records for verdict in record.verdicts)
    faults = tuple(fault for record in records for fault in record.faults)
    first = records[0].header
    counts = first.counts | {"verdicts": dict(count(verdicts))}
    for name in ("items", "scored"):
        counts[name] = sum(record.header.counts.get(name, 0) for record in records)
    header = replace(
        first, data=[entry for record in records for entry in record.header.data], counts=counts, partition={}
    )
    return RunRecord(header, verdicts=verdicts, faults=faults)


def save_corpora(runs: Sequence[Audit], folder: Path, *, overwrite: bool = False, progress: Progress = quiet) -> Path:
    """Write the runs of several data sets, each in a folder of its name, with the joined record and its report.

    Returns:
        The path of the report on all of them.
    """
    if len(runs) == 1:
        return save_audit(runs[0], folder, overwrite=overwrite, progress=progress)
    record, places = joined(runs), [_place(number, one) for number, one in enumerate(runs, start=1)]
    entries = [
        entry | {RUN: place} for place, one in zip(places, runs, strict=True) for entry in one.record.header.data
    ]
    with run_folder(folder, overwrite=overwrite) as partial:
        for place, one in zip(places, runs, strict=True):
            save_audit(one, partial / place, progress=progress)
        (partial / "latest").unlink(missing_ok=True)
        report = save_record(record.with_header(data=entries), partial)
    return folder / report.name


def _place(number: int, run: Audit) -> str:
    """The folder of one data set's run: its name as it may stand in a path anywhere."""
    name = re.sub(r"[^\w.-]+", "-", run.table.name).strip("-.")
    return f"{number}-{name or 'data'}"
