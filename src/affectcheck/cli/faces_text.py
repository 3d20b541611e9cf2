"""What ``affectcheck faces crop`` says in words."""

from __future__ import annotations

from typing import Any, Final

from affectcheck.cli.output import columns

_FEW: Final = 10  # names that are listed; all are in the table and in --json
_SAID: Final = {
    "cropped": "faces cropped",
    "no face": "pictures or frames without a face",
    "not seen": "frames in which one person of several is not found",
    "brief": "faces of people seen too briefly, not cropped",
    "smaller": "faces beside the largest, not cropped",
    "lost": "frames that cannot be decoded",
    "unreadable": "files that cannot be decoded",
}


def summary_text(summary: dict[str, Any]) -> str:
    """What was found, and where it lies; what went wrong is named."""
    kinds = {"picture": "pictures", "video": "videos", "sequence": "sequences"}
    of = ", ".join(f"{count} {kinds[kind]}" for kind, count in summary["sources"].items() if count)
    rows: list[tuple[object, str]] = [
        (count, _SAID[state]) for state, count in summary["states"].items() if count or state == "cropped"
    ]
    lines = [f"{of}, detector {summary['detector']}", columns(rows)]
    if summary["mean_residual"] is not None:
        lines.append(f"{summary['mean_residual']:.2f} pixels of 112: mean distance of landmarks from the template")
    lines += _listed("without a face", summary["without_face"])
    lines += _listed("not decoded", [f"{one['media']}: {one['reason']}" for one in summary["unreadable"]])
    lines += _listed("cautions", summary["notes"])
    lines += _listed("neither picture nor video", summary["ignored"])
    if summary["rates"] is not None:
        lines += ["", "How often a face is found in a picture, with 95 % intervals (Wilson):", _rates(summary["rates"])]
        lines += summary["rates_notes"]
    if summary["annotated"] is not None:
        lines += ["", f"the data set with its crops in place of its pictures: --data table:{summary['annotated']}"]
    return "\n".join([*lines, summary["output"]])


def _listed(what: str, names: list[str]) -> list[str]:
    if not names:
        return []
    more = f" … and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return [f"{what} ({len(names)}): {', '.join(names[:_FEW])}{more}"]


def _rates(rows: list[dict[str, Any]]) -> str:
    cells = [
        (
            row["attribute"] or "all",
            row["group"],
            f"{row['found']} of {row['pictures']}",
            f"{row['rate']:.1%}",
            f"{row['low']:.1%} to {row['high']:.1%}",
        )
        for row in rows
    ]
    return columns(cells, head=("by", "group", "found", "rate", "interval"))
