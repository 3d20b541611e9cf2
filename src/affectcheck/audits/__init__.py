"""Audits: data, model and suites in, a run folder and a report out."""

from affectcheck.audits.comparing import compare_runs, read_entrants
from affectcheck.audits.corpora import joined, save_corpora, try_corpora
from affectcheck.audits.costs import Costs, estimate
from affectcheck.audits.folder import require_free, run_name
from affectcheck.audits.options import AuditOptions, Progress
from affectcheck.audits.pipeline import Audit, audit, faults_text, quiet
from affectcheck.audits.saving import save_audit, save_record
from affectcheck.audits.scored_files import ScoredFiles, Validation, VoteFile, score_files

__all__ = [
    "Audit",
    "AuditOptions",
    "Costs",
    "Progress",
    "ScoredFiles",
    "Validation",
    "VoteFile",
    "audit",
    "compare_runs",
    "estimate",
    "faults_text",
    "joined",
    "quiet",
    "read_entrants",
    "require_free",
    "run_name",
    "save_audit",
    "save_corpora",
    "save_record",
    "score_files",
    "try_corpora",
]
