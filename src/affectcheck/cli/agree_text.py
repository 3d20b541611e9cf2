"""What ``affectcheck agree`` prints of one thing that was rated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affectcheck.cli.output import columns

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.evaluation import Agreement
    from affectcheck.records import Scored

#: Raters and pairs of them in the text; ``--json`` has all.
SHOWN = 10


def agreement_plain(found: Agreement) -> dict[str, Any]:
    """The same as plain values, all raters and pairs among them."""
    from affectcheck.records.codec import encode_score  # noqa: PLC0415

    counts = found.counts | {"items_by_ratings": {str(m): n for m, n in found.counts["items_by_ratings"].items()}}
    return {
        "scores": [encode_score(score) for score in found],
        "counts": counts,
        "raters": found.raters.to_dicts(),
        "pairs": found.pairs.to_dicts(),
        "notes": list(found.notes),
    }


def agreement_text(found: Agreement, file: Path, attribute: str = "") -> str:
    """Counts, scores, raters and pairs, and the signatures.

    Args:
        found: the agreement.
        file: what it was measured in.
        attribute: what was rated, where the file holds several such things.
    """
    told = f"{attribute} in {file}" if attribute else str(file)
    blocks = [_head(found, told), columns([_row(score) for score in found], head=_HEAD)]
    if found.raters.height:
        blocks += [_raters_text(found)]
    if found.pairs.height > 1:
        blocks += [_pairs_text(found)]
    blocks.append("\n".join(dict.fromkeys(str(score.signature) for score in found)))
    return "\n\n".join(blocks)


_HEAD = ("agreement", "of", "value", "interval", "items", "reading")


def _head(found: Agreement, told: str) -> str:
    from affectcheck.annotations.listing import plural  # noqa: PLC0415

    counts = found.counts
    by_number = counts["items_by_ratings"]
    raters = f" by {plural(counts['raters'], 'rater')}" if counts["raters"] else ""
    lines = [
        f"{told}: {plural(counts['items'], 'item')}, {plural(counts['ratings'], 'rating')}{raters}",
        f"ratings an item: {_numbers(by_number)} (mean {counts['ratings'] / counts['items']:.2f})",
    ]
    if counts["unpairable"]:
        lines.append(f"items with fewer than two ratings, which say nothing of agreement: {counts['unpairable']}")
    if "no_majority" in counts:
        tied, alike = counts["no_majority"], counts["unanimous"]
        lines.append(f"items without a majority: {_share(tied, counts)}; all raters alike: {_share(alike, counts)}")
    return "\n".join(lines)


def _numbers(by_number: dict[int, int]) -> str:
    """``4 to 12, most often 10``, or all where they are few."""
    from affectcheck.annotations.listing import plural  # noqa: PLC0415

    if len(by_number) == 1:
        return f"{next(iter(by_number))} each"
    if len(by_number) <= 4:
        return ", ".join(f"{number} ({plural(items, 'item')})" for number, items in by_number.items())
    most = max(by_number, key=lambda number: by_number[number])
    return f"{min(by_number)} to {max(by_number)}, most often {most} ({plural(by_number[most], 'item')})"


def _share(count: int, counts: dict[str, Any]) -> str:
    return f"{count} ({100 * count / counts['items']:.1f} %)"


def _row(score: Scored) -> tuple[object, ...]:
    from affectcheck.records import Score  # noqa: PLC0415

    told = [word for word in score.signature.options.split(",") if word.startswith("mean of")]
    name = _named(score.metric)
    if not isinstance(score, Score):
        return (name, score.place.part, "undefined", "", score.support, score.reason)
    interval = f"[{score.interval.low:.3f}, {score.interval.high:.3f}]" if score.interval else ""
    return (name, score.place.part, f"{score.value:.3f}", interval, score.support, "; ".join((*told, *score.notes)))


def _named(metric: str) -> str:
    """A metric's title, and in which way it is a mean over raters."""
    from affectcheck.metrics import METRICS  # noqa: PLC0415

    for suffix, words in (("_of_pairs", "between pairs"), ("_to_others", "with the others")):
        if metric.endswith(suffix):
            stem = metric.removesuffix(suffix)
            title = METRICS.get(stem).title if stem in METRICS else "weighted kappa"
            return f"{title} {words}"
    return METRICS.get(metric).title


def _raters_text(found: Agreement) -> str:
    shown = found.raters.head(SHOWN)
    more = f", {shown.height} of {found.raters.height}" if found.raters.height > shown.height else ""
    title = f"Raters, from the one who agrees least with the others{more}:"
    return f"{title}\n{_frame_text(shown)}"


def _pairs_text(found: Agreement) -> str:
    by = "cohen_kappa" if "cohen_kappa" in found.pairs.columns else found.pairs.columns[-1]
    by = next((name for name in found.pairs.columns if name.startswith("ccc_")), by)
    shown = found.pairs.sort(by, "first", "second", nulls_last=True).head(SHOWN)
    more = f", {shown.height} of {found.pairs.height}" if found.pairs.height > shown.height else ""
    return f"Pairs of raters, from the one that agrees least{more}:\n{_frame_text(shown)}"


def _frame_text(frame: Any) -> str:
    rows = [
        tuple("" if cell is None else f"{cell:.3f}" if isinstance(cell, float) else cell for cell in row)
        for row in frame.iter_rows()
    ]
    return columns(rows, head=tuple(frame.columns))
