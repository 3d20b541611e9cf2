"""Write the table: one row a run, one block of columns a data set, in percent as the papers do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from affectcheck.errors import InputError
from affectcheck.evaluation.entrants import by_rule
from affectcheck.reports.latex.cells import ABSENT, MARKS, escape, find, value
from affectcheck.reports.latex.layout import LAYOUTS
from affectcheck.reports.reading import Reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from affectcheck.records import RunRecord, Scored
    from affectcheck.reports.latex.layout import Heading, Layout


@dataclass(frozen=True)
class _Column:
    heading: Heading
    attribute: str


@dataclass(frozen=True)
class _Block:
    """One data set: its columns, and the runs on it by model."""

    data: str
    attributes: tuple[str, ...]
    runs: dict[str, RunRecord]

    def columns(self, layout: Layout) -> tuple[_Column, ...]:
        whole = [_Column(heading, "") for heading in layout.whole]
        grouped = [_Column(heading, name) for name in self.attributes for heading in layout.grouped]
        return (*whole, *grouped)


def render_latex(*records: RunRecord) -> str:
    r"""A LaTeX table of the scores of one or several runs; it needs the package ``booktabs``.

    Args:
        records: runs of one kind of prediction; those on one data set share its columns, one row a model.

    Returns:
        A ``table*`` environment. Values are percent; a disparity above limit and noise floor bears an asterisk, one
        that is inconclusive at its support a question mark. Every signature stands in a comment.

    Raises:
        InputError: there is no run, one holds no scores, the kinds of prediction differ, or two runs of one column
            differ in more than the model, so that their numbers may not stand under each other.
    """
    readings = [Reading(record) for record in records]
    kinds = sorted({reading.kind for reading in readings})
    if len(kinds) != 1:
        raise InputError(
            f"runs of {', '.join(kinds) or 'no kind'} for one table",
            expected="one or more runs that predict the same kind: categories, units or dimensions",
        )
    for record in records:
        _require_scores(record)
    layout = LAYOUTS[kinds[0]]
    blocks = _blocks([reading.record for reading in readings])
    for block in blocks:
        _require_comparable(block, layout)
    return "\n".join((*_opening(blocks, layout), *_rows(blocks, layout), *_closing(blocks, layout), ""))


def _require_scores(record: RunRecord) -> None:
    if not record.scores:
        raise InputError(
            f"a run of `{record.header.command or 'affectcheck'}` without scores for a table of scores",
            where=str(record.header.model.get("name") or ""),
            expected="runs of `score` or `audit`",
            cause="a comparison holds differences; name the runs that it compared",
        )


def _blocks(records: Sequence[RunRecord]) -> tuple[_Block, ...]:
    """Runs by data set, in their order; two models of one name are told apart by a number.

    Predictions of one truth in a file each have a name each: where the same items were scored, it is one data set.
    """
    found: dict[str, dict[str, RunRecord]] = {}
    names: dict[str, str] = {}
    for record in records:
        name = _data(record)
        data = name if name in found else names.setdefault(_items(record), name)
        runs = found.setdefault(data, {})
        name = str(record.header.model.get("name") or "model")
        same = sum(1 for known in runs if known == name or known.startswith(f"{name} ("))
        runs[f"{name} ({same + 1})" if same else name] = record
    return tuple(_Block(data, _attributes(runs.values()), runs) for data, runs in found.items())


def _data(record: RunRecord) -> str:
    names = [str(entry.get("name") or entry.get("title") or "data") for entry in record.header.data]
    return ", ".join(names) or "data"


def _items(record: RunRecord) -> str:
    """Digest of the items that were scored; the data's name where there is none."""
    scored = (score.signature.data.rpartition("@") for score in record.scores)
    return next((digest for _, at, digest in scored if at), _data(record))


def _attributes(records: Iterable[RunRecord]) -> tuple[str, ...]:
    places = [score.place.attribute for record in records for score in record.scores]
    return tuple(dict.fromkeys(filter(None, places)))


def _require_comparable(block: _Block, layout: Layout) -> None:
    for column in block.columns(layout):
        scores = [score for record in block.runs.values() if (score := find(record, column.heading, column.attribute))]
        for score in scores[1:]:
            by_rule(scores[0].signature).require_comparable(by_rule(score.signature))


def _opening(blocks: Sequence[_Block], layout: Layout) -> Iterator[str]:
    yield f"% {layout.task}; layout of {layout.source}; needs \\usepackage{{booktabs}}"
    yield r"\begin{table*}"
    yield r"\centering"
    yield rf"\caption{{{_caption(blocks, layout)}}}"
    widths = ["r" * len(block.columns(layout)) for block in blocks]
    yield rf"\begin{{tabular}}{{l{''.join(widths)}}}"
    yield r"\toprule"
    names = (rf"\multicolumn{{{len(b.columns(layout))}}}{{c}}{{{escape(b.data)}}}" for b in blocks)
    yield " & ".join(("Model", *names)) + r" \\"
    yield _rules(len(block.columns(layout)) for block in blocks)
    spans = [span for block in blocks for span in _spans(block, layout)]
    heads = (rf"\multicolumn{{{width}}}{{c}}{{{escape(title)}}}" for title, width in spans)
    yield " & ".join(("", *heads)) + r" \\"
    yield _rules(width for _, width in spans)
    titles = (column.heading.title for block in blocks for column in block.columns(layout))
    yield " & ".join(("", *titles)) + r" \\"
    yield r"\midrule"


def _spans(block: _Block, layout: Layout) -> list[tuple[str, int]]:
    named = [(name.replace("*", " x ").capitalize(), len(layout.grouped)) for name in block.attributes]
    return [("Whole", len(layout.whole)), *named]


def _rules(widths: Iterable[int]) -> str:
    rules, first = [], 2
    for width in widths:
        rules.append(rf"\cmidrule(lr){{{first}-{first + width - 1}}}")
        first += width
    return " ".join(rules)


def _rows(blocks: Sequence[_Block], layout: Layout) -> Iterator[str]:
    for model in dict.fromkeys(name for block in blocks for name in block.runs):
        cells = [escape(model)]
        for block in blocks:
            record = block.runs.get(model)
            cells += [
                value(find(record, column.heading, column.attribute)) if record else ABSENT
                for column in block.columns(layout)
            ]
        yield " & ".join(cells) + r" \\"


def _closing(blocks: Sequence[_Block], layout: Layout) -> Iterator[str]:
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield r"\end{table*}"
    yield "% signatures:"
    lines = (" ".join(str(score.signature).split()) for score in _shown(blocks, layout))
    yield from (f"% {line}" for line in dict.fromkeys(lines))


def _shown(blocks: Sequence[_Block], layout: Layout) -> Iterator[Scored]:
    for block in blocks:
        for column in block.columns(layout):
            for record in block.runs.values():
                score = find(record, column.heading, column.attribute)
                if score is not None:
                    yield score


def _caption(blocks: Sequence[_Block], layout: Layout) -> str:
    headings = (*layout.whole, *layout.grouped)
    terms = "; ".join(f"{heading.title}: {heading.words}" for heading in headings)
    shown = tuple(_shown(blocks, layout))
    conventions = dict.fromkeys(
        f"{heading.title} {score.signature.convention}"
        for heading in headings
        for score in shown
        if score.metric == heading.metric and score.signature.convention
    )
    text = f"Performance (in \\%) for {layout.task}. {terms}."
    if conventions:
        text += f" Conventions: {', '.join(conventions)}."
    marks = {score.decision.outcome for score in shown if score.defined and score.decision}  # type: ignore[union-attr]
    if "exceeds" in marks:
        text += f" {MARKS['exceeds']} above the limit and above what groups dealt out at random reach."
    if "inconclusive" in marks:
        text += f" {MARKS['inconclusive']} inconclusive at this support."
    if any(not score.defined for score in shown):
        text += f" {ABSENT} undefined."
    return text
