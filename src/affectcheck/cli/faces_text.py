"""What ``affectcheck faces crop`` says in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from affectcheck.cli.output import columns

if TYPE_CHECKING:
    from collections.abc import Sequence

_FEW: Final = 10  # names, or lines, that are listed; all are in the table and in --json
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
    of = ", ".join(f"{count} {kind}{'' if count == 1 else 's'}" for kind, count in summary["sources"].items() if count)
    rows: list[tuple[object, str]] = [
        (count, _SAID[state]) for state, count in summary["states"].items() if count or state == "cropped"
    ]
    lines = [f"{of}, detector {summary['detector']}", columns(rows)]
    if summary["mean_residual"] is not None:
        lines.append(f"{summary['mean_residual']:.2f} pixels of 112: mean distance of landmarks from the template")
    if summary["without_face"]:
        lines.append(f"without a face ({len(summary['without_face'])}): {few(summary['without_face'])}")
    told = cautions(summary)
    lines += [_line(one) for one in told[:_FEW]] + ([f"… and {len(told) - _FEW} more"] if len(told) > _FEW else [])
    if summary["rates"] is not None:
        lines += ["", "How often a face is found in a picture, with 95 % intervals (Wilson):", _rates(summary["rates"])]
        lines += summary["rates_notes"]
    if summary["annotated"] is not None:
        lines += ["", f"the data set with its crops in place of its pictures: --data table:{summary['annotated']}"]
    return "\n".join([*lines, summary["page"] or summary["output"]])


def cautions(summary: dict[str, Any]) -> tuple[str, ...]:
    """What is not as it might be expected, a sentence each."""
    found = [f"not decoded: {one['media']}: {one['reason']}" for one in summary["unreadable"]]
    if summary["nobodys"]:
        found.append(
            f"crops that no row names ({len(summary['nobodys'])}), of what a source held before: "
            f"{few(summary['nobodys'])}; --overwrite makes the folder anew"
        )
    if summary["ignored"]:
        found.append(f"not looked at, by the suffix ({len(summary['ignored'])}): {few(summary['ignored'])}")
    return (*found, *summary["notes"])


def few(names: Sequence[str]) -> str:
    """The first of many names on one line, and how many more there are."""
    more = f" … and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return ", ".join(map(_line, names[:_FEW])) + more


def _line(text: str) -> str:
    """A text without what would break or rewrite a line of a terminal, as names of files may."""
    return "".join(one if one.isprintable() else repr(one)[1:-1] for one in text)


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
