"""``affectcheck challenge board``: submissions scored and ranked, as a portal does, without one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affectcheck.cli.choices import Resamples, Seed, names
from affectcheck.cli.output import Json, columns, emit, progress

if TYPE_CHECKING:
    from affectcheck.challenges import ScoredBoard, Track

#: Disparities of each attribute that a terminal has room for; ``--json`` has all.
_GAPS = 2
Submissions = Annotated[list[Path], typer.Argument(help="Files of predictions, each called after its team.")]
TrackName = Annotated[str, typer.Option("--track", "-t", help="Track by name (see `challenge list`), or a .toml file.")]
Labels = Annotated[
    Path, typer.Option("--labels", "-l", help="Labels: a folder of annotation files, or a CSV or Parquet table.")
]
Groups = Annotated[
    str, typer.Option("--by", help="Group columns of the labels, by commas; default: all that they have.")
]


def board(
    submissions: Submissions,
    track: TrackName,
    labels: Labels,
    by: Groups = "",
    resamples: Resamples = 1000,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Score submissions of several teams and rank them: intervals of scores and places, gaps between groups, look-alikes."""
    from affectcheck.challenges import ScoredOptions, load_track, scored_board  # noqa: PLC0415

    found = load_track(track)
    with progress("submissions") as told:
        ranked = scored_board(submissions, found, labels, ScoredOptions(names(by) or None, resamples, seed, told))
    emit(_plain(ranked), _text(ranked, found), as_json=json)


def _plain(ranked: ScoredBoard) -> dict[str, Any]:
    rows = ranked.rows
    return {
        "rows": [row.plain() for row in rows],
        "differences": [
            {
                "ahead": rows[one.ahead].name,
                "behind": rows[one.behind].name,
                "value": one.value,
                "low": one.low,
                "high": one.high,
                "apart": one.apart,
                "reason": one.reason,
            }
            for one in ranked.differences
        ],
    }


def _text(ranked: ScoredBoard, track: Track) -> str:
    from affectcheck.challenges import digits_apart  # noqa: PLC0415
    from affectcheck.cli.challenge_text import printable  # noqa: PLC0415

    values = [row.score.headline.value for row in ranked.rows if row.score.headline.value is not None]
    digits = digits_apart(values)
    gaps = _gaps(ranked)
    rows = []
    for row in ranked.rows:
        head = row.score.headline
        at = {(one.metric, one.attribute): one for one in row.score.disparities}
        rows.append(
            (
                row.place or "–",
                _span(row.interval.low, row.interval.high, 0),
                printable(row.name),
                "undefined" if head.value is None else f"{head.value:z.{digits}f}",
                _span(head.low, head.high, 3),
                *(_value(at[gap].value) for gap in gaps),
            )
        )
    head_row = ("place", "95 %", "team", track.metric, "95 %", *(f"{metric} {attribute}" for metric, attribute in gaps))
    return "\n".join([columns(rows, head=head_row), *map(printable, _remarks(ranked))])


def _gaps(ranked: ScoredBoard) -> list[tuple[str, str]]:
    """Of each attribute the first two disparities of which less is better."""
    from affectcheck.metrics import METRICS  # noqa: PLC0415

    found: dict[str, list[tuple[str, str]]] = {}
    for one in ranked.rows[0].score.disparities:
        if METRICS.get(one.metric).higher_is_better is False:
            found.setdefault(one.attribute, []).append((one.metric, one.attribute))
    return [gap for gaps in found.values() for gap in gaps[:_GAPS]]


def _span(low: float | None, high: float | None, digits: int) -> str:
    return "" if low is None or high is None else f"{low:.{digits}f}–{high:.{digits}f}"


def _value(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def _remarks(ranked: ScoredBoard) -> list[str]:
    """What is not told apart, what looks alike, and why a score or an interval is missing."""
    rows = ranked.rows
    told = [f"{row.name}: {row.score.headline.reason}" for row in rows if row.place is None]
    told += [f"{row.name}: {flag.text}" for row in rows for flag in row.score.flags]
    together = [one for one in ranked.differences if not one.apart and not one.reason]
    if together:
        pairs = ", ".join(f"{rows[one.ahead].name} and {rows[one.behind].name}" for one in together)
        told.append(f"not told apart at this support: {pairs}")
    told += sorted({row.interval.reason for row in rows if row.interval.reason and row.place is not None})
    return ["", *told] if told else []
