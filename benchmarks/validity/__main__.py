"""Simulate the claims and print their table.

python benchmarks/validity [--repetitions N] [--claims NAME,NAME] [--processes 2] [--store FOLDER]
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(_variable, "1")  # one thread a process, before NumPy and Polars are loaded
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))


def main() -> int:
    from affectcheck.cache import cache_folder
    from validity.claim import read
    from validity.claims import CLAIMS
    from validity.running import simulate

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, help="data sets a claim; default: each claim's own number")
    parser.add_argument("--claims", default=",".join(CLAIMS), help=f"of {', '.join(CLAIMS)}")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--store", type=Path, default=None, help="where results are kept; default: the cache")
    told = parser.parse_args()
    names = [name for name in CLAIMS if any(name.startswith(word) for word in told.claims.split(","))]
    if not names:
        parser.error(f"no claim of {told.claims!r}; there are {', '.join(CLAIMS)}")
    broken = 0
    for name in names:
        claim = CLAIMS[name]
        repetitions = told.repetitions or claim.repetitions
        start = time.monotonic()
        found = read(claim, simulate(claim, repetitions, told.store or cache_folder() / "validity", told.processes))
        print(f"\n{name}: {claim.title} ({repetitions} data sets, {time.monotonic() - start:.0f} s)")
        for one in found:
            mark = "" if not one.bar.judged else "held" if one.held else "BROKEN"
            print(f"  {one.bar.title:58} {one.mean:.4f} {one.error:16} {one.bar.bounds:15} {mark}".rstrip())
            broken += one.bar.judged and not one.held
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
