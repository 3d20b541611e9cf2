"""The baseline's UAR on speakers it never heard, over the partitions of ten seeds, and with shuffled labels.

    python benchmarks/baseline_uar.py [RECIPE]

Needs the real corpora in AFFECTCHECK_SHARED (default ../shared).
"""

from __future__ import annotations

import os
import statistics
import sys
from pathlib import Path

from affectcheck.audits import AuditOptions, audit

CORPORA = {"ravdess": "ravdess-speech", "emodb": "emodb"}


def uars(data: str, model: str, *, shuffle_labels: bool) -> list[float]:
    options = AuditOptions(
        data=data, model=model, suites=(), resamples=0, repeats=tuple(range(10)), shuffle_labels=shuffle_labels
    )
    rows = audit(options).record.tables["partitions"]["rows"]
    return [row[2] for row in rows]


def main() -> None:
    model = sys.argv[1] if len(sys.argv) > 1 else "baseline"
    root = Path(os.environ.get("AFFECTCHECK_SHARED", "../shared")) / "data"
    for name, folder in CORPORA.items():
        for shuffle in (False, True):
            found = uars(f"{name}:{root / folder}", model, shuffle_labels=shuffle)
            spread = f"{statistics.mean(found):.3f} ± {statistics.stdev(found):.3f} (min {min(found):.3f})"
            print(f"{name:8} {model} {'shuffled labels' if shuffle else 'labels':16} mean UAR {spread}")


if __name__ == "__main__":
    main()
