"""CPU seconds of starting up, beside a bare interpreter: best and median of ten."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys

COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "import affectcheck": ["-c", "import affectcheck"],
    "affectcheck --help": ["-m", "affectcheck", "--help"],
    "affectcheck --version": ["-m", "affectcheck", "--version"],
}


def cpu_s(words: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    bare = 0.0
    print(f"{'command':24} {'best s':>8} {'median s':>9} {'ratio':>6}")
    for name, words in COMMANDS.items():
        seconds = [cpu_s(words) for _ in range(10)]
        bare = bare or min(seconds)
        print(f"{name:24} {min(seconds):8.3f} {statistics.median(seconds):9.3f} {min(seconds) / bare:6.1f}")


if __name__ == "__main__":
    main()
