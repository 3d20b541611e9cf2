"""Fail where a room's tests cover less than it owes: all of the rooms that judge, nine tenths of the others."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path

WHOLE = ("schemes", "partitions", "tallies", "metrics", "uncertainty", "behaviour", "challenges")
BOUND_WHOLE, BOUND = 100.0, 90.0


def main() -> int:
    """Read coverage's JSON, print a line a room, return 1 if one falls short."""
    files = json.loads(Path(sys.argv[1]).read_text())["files"]
    rooms: dict[str, list[dict[str, int]]] = defaultdict(list)
    short: list[str] = []
    for name, found in files.items():
        parts = Path(name).parts
        room = parts[parts.index("affectcheck") + 1]
        rooms[room].append(found["summary"])
        if room in WHOLE and found["summary"]["percent_covered"] < BOUND_WHOLE:
            short.append(f"{name}: lines {found['missing_lines']}, branches {found.get('missing_branches', [])}")
    for room, summaries in sorted(rooms.items()):
        covered = sum(s["covered_lines"] + s.get("covered_branches", 0) for s in summaries)
        total = sum(s["num_statements"] + s.get("num_branches", 0) for s in summaries)
        share = 100.0 * covered / total if total else 100.0
        bound = BOUND_WHOLE if room in WHOLE else BOUND
        mark = "" if share >= bound else f"  below {bound:g}"
        sys.stdout.write(f"{room:24} {share:6.1f} %{mark}\n")
        if mark:
            short.append(room)
    sys.stdout.write("".join(f"not covered: {line}\n" for line in short))
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
