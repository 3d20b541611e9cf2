"""Records: scores, signatures, verdicts, comparisons, faults and runs, with their strict JSON and the store of run folders."""

from affectcheck.records.codec import decode_run, encode_run, parse_strict_json, run_digest, strict_json
from affectcheck.records.comparison import Comparison, Rank
from affectcheck.records.fault import Fault
from affectcheck.records.provenance import git_state, package_version, versions
from affectcheck.records.run import FORMAT_VERSION, Header, RunRecord
from affectcheck.records.score import Decision, Interval, NoiseFloor, Outcome, Place, Score, Scored, Undefined
from affectcheck.records.signature import Signature
from affectcheck.records.store import RUN_FILE, StoredRun, find_runs, load_run, read_header, run_path, save_run
from affectcheck.records.verdict import STATUSES, Status, Threshold, Verdict, count

__all__ = [
    "FORMAT_VERSION",
    "RUN_FILE",
    "STATUSES",
    "Comparison",
    "Decision",
    "Fault",
    "Header",
    "Interval",
    "NoiseFloor",
    "Outcome",
    "Place",
    "Rank",
    "RunRecord",
    "Score",
    "Scored",
    "Signature",
    "Status",
    "StoredRun",
    "Threshold",
    "Undefined",
    "Verdict",
    "count",
    "decode_run",
    "encode_run",
    "find_runs",
    "git_state",
    "load_run",
    "package_version",
    "parse_strict_json",
    "read_header",
    "run_digest",
    "run_path",
    "save_run",
    "strict_json",
    "versions",
]
