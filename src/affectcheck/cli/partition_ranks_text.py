"""Two rankings side by side, as text and Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affectcheck.cli.output import columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.partitions import RankChange

#: Pairs in the text; ``--json`` has all.
SHOWN = 10
#: Below it, a ranking changes more than another deal of the same test items makes it change.
SIGNIFICANT = 0.05


def rank_text(found: RankChange) -> str:
    """Tau, the models, the pairs that are most likely to swap, and the stability of each ranking."""
    blocks = ["\n".join(_head(found))]
    for title, head, rows in _tables(found):
        blocks.append(f"{title}\n{columns(rows, head=head)}" if title else columns(rows, head=head))
    return "\n\n".join((*blocks, str(found.signature)))


def rank_markdown(found: RankChange) -> str:
    """The same as Markdown."""
    lines = [f"# Rankings on {found.names[0]} and {found.names[1]}", "", *(f"{line}  " for line in _head(found))]
    lines += [f"{note}  " for note in found.notes]
    for title, head, rows in _tables(found):
        lines += ["", f"## {title.rstrip(':') or 'Models'}", "", _bar(head), _bar(["---"] * len(head))]
        lines += [_bar(row) for row in rows]
    return "\n".join((*lines, "", f"`{found.signature}`", ""))


def _bar(cells: Any) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def _head(found: RankChange) -> Iterator[str]:
    from affectcheck.annotations.listing import plural  # noqa: PLC0415
    from affectcheck.records import Score  # noqa: PLC0415

    tau, (a, b) = found.tau, found.names
    yield f"{plural(found.models.height, 'model')} by {found.metric}, on {a} and on {b}"
    if not isinstance(tau, Score):
        yield f"Kendall's tau-b: undefined, {tau.reason}"
        return
    interval = tau.interval
    bounds = f", {interval.level:.0%} interval [{interval.low:.3f}, {interval.high:.3f}]" if interval else ""
    yield f"Kendall's tau-b: {tau.value:.3f}{bounds}{''.join(f'; {note}' for note in tau.notes)}"
    if found.p_value is not None:
        yield f"p = {found.p_value:.3g} ({found.method}) that unrelated rankings agree or disagree as much"
    if found.resampled:
        yield f"resampled test sets give {found.resampled[0]:.3f} to {found.resampled[1]:.3f}: noise pulls tau towards 0"
    yield from _again(found)


def _again(found: RankChange) -> Iterator[str]:
    again = found.redealt
    if isinstance(again, str):
        yield f"against two test sets dealt anew: not known, {again}"
    elif again.draws:
        more = again.p_value < SIGNIFICANT
        reading = (
            "the rankings differ more than that" if more else "no more change than another deal of the items makes"
        )
        yield (
            f"two test sets dealt anew from the same items: tau {again.mean:.3f} on average, below {again.low:.3f} in "
            f"5 %; p = {again.p_value:.3g}: {reading}"
        )


def _tables(found: RankChange) -> Iterator[tuple[str, tuple[str, ...], list[tuple[object, ...]]]]:
    a, b = found.names
    yield (
        "",
        ("model", f"{a}", f"rank on {a}", f"{b}", f"rank on {b}", "moved"),
        [_model(row) for row in found.models.to_dicts()],
    )
    if found.models.height < 2:
        return
    if "swap_probability" in found.pairs.columns:
        shown = found.pairs.head(SHOWN)
        more = f", {shown.height} of {found.pairs.height}" if found.pairs.height > shown.height else ""
        head = ("first", "second", f"difference on {a}", f"on {b}", "swap", "verdict")
        yield f"Pairs most likely to swap{more}:", head, [_pair(row) for row in shown.to_dicts()]
    if found.stability.height:
        unit = found.stability.item(0, "unit")
        sizes = ("test set", f"{unit}s", "tau to the whole", "same winner", "tau of two such sets")
        yield "Smaller test sets:", sizes, [_size(row) for row in found.stability.to_dicts()]


def _model(row: dict[str, Any]) -> tuple[object, ...]:
    moved = "" if row["change"] is None else f"{row['change']:+d}" if row["change"] else "="
    return (row["model"], _number(row["score_a"]), _rank(row, "a"), _number(row["score_b"]), _rank(row, "b"), moved)


def _rank(row: dict[str, Any], side: str) -> str:
    rank, low = row[f"rank_{side}"], row.get(f"rank_{side}_low")
    if rank is None:
        return "-"
    return f"{rank} ({low} to {row[f'rank_{side}_high']})" if low is not None else str(rank)


def _pair(row: dict[str, Any]) -> tuple[object, ...]:
    differences = [_number(row[f"difference_{side}"], signed=True) for side in "ab"]
    return (row["first"], row["second"], *differences, _number(row["swap_probability"]), row["verdict"])


def _size(row: dict[str, Any]) -> tuple[object, ...]:
    return (row["set"], row["size"], *(_range(row, name) for name in ("tau", "winner", "between")))


def _range(row: dict[str, Any], name: str) -> str:
    value = row[name]
    return "-" if value is None else f"{value:.3f} [{row[f'{name}_low']:.3f}, {row[f'{name}_high']:.3f}]"


def _number(value: float | None, *, signed: bool = False) -> str:
    if value is None:
        return "-"
    return f"{value:+.3f}" if signed else f"{value:.3f}".removesuffix(".000")
