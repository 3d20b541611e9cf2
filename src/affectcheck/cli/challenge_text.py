"""What ``affectcheck challenge`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affectcheck.cli.output import columns
from affectcheck.cli.score_text import score_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from affectcheck.challenges import Ranked, Track
    from affectcheck.evaluation import Evaluation

_EXAMPLE_KEY = {"frame": "video61_left/00001.jpg", "item": "item-1"}
_EXAMPLE_NUMBER = "00001"
_CELLS = {"value": "0.1", "indicator": "0", "label": "", "one-hot": "0"}
_SHOWN = 12


def track_text(track: Track) -> str:
    """A track for a reader."""
    use = track.use
    rows: list[tuple[str, object]] = [
        ("track", track.name),
        ("title", track.title),
        ("task", track.description),
        ("predicted", f"{track.kind}: {', '.join(track.parts)}"),
        ("ranked by", f"{track.metric}, {'higher' if track.higher_is_better else 'lower'} is better"),
        ("submissions", f"{track.submissions} valid ones a team"),
        ("models", use.pretraining),
        ("annotations", use.annotations),
        *(("rule", text) for text in use.text),
        *(("phase", _phase(phase)) for phase in track.phases),
        ("data", ", ".join(f"{name} {count}" for name, count in track.data.items())),
        *(("baseline", f"{one.score:g} {one.name} ({one.split}; {one.source})") for one in track.baselines),
        ("source", track.source),
        *(("note", text) for text in track.notes),
    ]
    table = columns([row for row in rows if row[1]])
    return f"{table}\n\nA submission:\n{_example(track)}"


def _phase(phase: Any) -> str:
    times = [
        f"{word} {moment.isoformat()}" for word, moment in (("from", phase.opens), ("until", phase.closes)) if moment
    ]
    return " ".join([phase.name, *(times or ["without dates"])])


def _example(track: Track) -> str:
    coding = track.file.coding
    cells = [_CELLS[coding]] * len(track.columns)
    if coding in ("indicator", "one-hot"):
        cells[0] = "1"
    if coding == "label":
        cells = [track.parts[0]]
    key = _EXAMPLE_NUMBER if track.file.numbers else _EXAMPLE_KEY[track.file.unit]
    lines = [",".join((track.file.item, *track.columns)), ",".join((key, *cells)), "…"]
    if track.file.by_video:
        lines += [
            "",
            "or a text file a video, such as video61_left.txt, with a header and a line a frame, in a zip or tar",
        ]
    return "\n".join(f"  {line}".rstrip() for line in lines)


def score_plain(found: Evaluation, track: Track, videos: pl.DataFrame | None) -> dict[str, Any]:
    """The scores for machines."""
    from affectcheck.records.codec import encode_score  # noqa: PLC0415

    return {
        "track": track.name,
        "score": encode_score(found[track.metric]),
        "scores": [encode_score(score) for score in found],
        "counts": found.counts,
        "videos": None if videos is None else videos.to_dicts(),
    }


def scored_text(found: Evaluation, track: Track, videos: pl.DataFrame | None) -> str:
    """The score first, then everything else."""
    from affectcheck.records import Score  # noqa: PLC0415

    head = found[track.metric]
    shown = f"{head.value:.6f}" if isinstance(head, Score) else f"undefined: {head.reason}"
    interval = head.interval if isinstance(head, Score) else None
    told = f" [{interval.low:.4f}, {interval.high:.4f}]" if interval else ""
    scored, items = found.counts["scored"], found.counts["items"]
    text = f"{track.metric} = {shown}{told} on {scored} of {items} items\n\n{score_text(found)}"
    return text if videos is None else f"{text}\n\n{_videos(videos)}"


def _videos(videos: pl.DataFrame) -> str:
    """The videos with the lowest scores, as many as a screen takes."""
    ordered = videos.sort("score", nulls_last=True)
    rows = [
        (video, frames, "undefined" if score is None else f"{score:.4f}")
        for video, frames, score in ordered.head(_SHOWN).select("video", "frames", "score").rows()
    ]
    more = f"\nand {ordered.height - _SHOWN} more videos; all are in --json" if ordered.height > _SHOWN else ""
    return f"Videos, lowest first (their mean is not the score, which pools all frames):\n{columns(rows)}{more}"


def board_plain(rows: Sequence[Ranked]) -> list[dict[str, Any]]:
    """A board for machines."""
    return [
        {
            "place": row.place,
            "team": row.team,
            "score": row.entry.score if row.entry else None,
            "submission": row.entry.key if row.entry else None,
            "received": row.entry.received.isoformat() if row.entry else None,
            "reason": row.reason,
        }
        for row in rows
    ]


def printable(text: str) -> str:
    """Names of others without characters that move a terminal's cursor or colour what follows."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def board_text(rows: Sequence[Ranked]) -> str:
    """A board for a reader, with as many digits as tell unequal scores apart."""
    from affectcheck.challenges import digits_apart  # noqa: PLC0415

    digits = digits_apart([row.entry.score for row in rows if row.entry and row.entry.score is not None])
    told = [
        (
            row.place or "–",
            printable(row.team),
            f"{row.entry.score:z.{digits}f}" if row.entry and row.entry.score is not None else "",
            printable(row.entry.key if row.entry else row.reason),
        )
        for row in rows
    ]
    return columns(told, head=("place", "team", "score", "submission"))
