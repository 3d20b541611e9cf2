"""Write a finished audit into its folder: record, predictions, scored items, partition, model, reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.atomic import write_text
from affectcheck.audits.evidence import save_evidence
from affectcheck.audits.folder import run_folder
from affectcheck.audits.pipeline import quiet
from affectcheck.errors import ExtraMissingError
from affectcheck.evaluation import ITEMS_FILE, scores_frame
from affectcheck.models import Baseline
from affectcheck.predictions import write_predictions
from affectcheck.records import run_digest, save_run
from affectcheck.reports import write_report

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.audits.options import Progress
    from affectcheck.audits.pipeline import Audit
    from affectcheck.records import RunRecord

MODEL_FILE: Final = "model.npz"
CROSS_VALIDATED_ITEMS: Final = "items-cross-validated.parquet"


def save_audit(done: Audit, folder: Path, *, overwrite: bool = False, progress: Progress = quiet) -> Path:
    """Write an audit; the folder is there when everything in it is.

    Args:
        done: the audit.
        folder: where to.
        overwrite: replace the run that the folder holds.
        progress: shows how far each stage is.

    Returns:
        The path of the report: HTML, or Markdown where the packages for HTML are not installed.
    """
    with run_folder(folder, overwrite=overwrite) as partial:
        save_evidence(done, partial, progress)
        report = save_record(done.record, partial)
        for items, name in zip(done.items, (ITEMS_FILE, CROSS_VALIDATED_ITEMS), strict=False):
            items.write(partial / name)
        if done.predictions is not None:
            write_predictions(done.predictions, partial / "predictions.parquet")
        if done.cross_validated is not None:
            write_predictions(done.cross_validated, partial / "predictions-cross-validated.parquet")
        done.division.save(partial / "partition")
        if isinstance(done.subject.model, Baseline) and done.subject.training:
            done.subject.model.save(partial / MODEL_FILE)
    return folder / report.name


def save_record(record: RunRecord, folder: Path) -> Path:
    """Write a record with its scores as a table and every report that the installed packages allow."""
    record = record.with_header(digest=run_digest(record))  # so that a report written now and one written later agree
    save_run(record, folder)
    if record.scores:
        write_text(folder / "scores.csv", scores_frame(record.scores).write_csv())
    markdown, *_ = write_report(record, folder / "report.md")
    if record.verdicts:
        write_report(record, folder / "junit.xml")
    try:
        html, *_ = write_report(record, folder / "report.html", run=folder)
    except ExtraMissingError:
        return markdown
    return html
