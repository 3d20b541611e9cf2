"""The README of a participants' pack: what is in it, how a submission looks and is checked, rules, and terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.annotations.listing import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from affectcheck.challenges.pack_parts import Part
    from affectcheck.challenges.track import Track

_CODINGS = {
    "value": "a number in every cell",
    "indicator": "1 in a cell whose unit is present, 0 in others",
    "one-hot": "1 in the column of the class, 0 in the others",
    "label": "the class",
}


def readme_text(track: Track, parts: Sequence[Part], told: dict[str, str], notes: Sequence[str]) -> str:
    """The text, in Markdown.

    Args:
        track: whose pack it is.
        parts: train, validation and test.
        told: ``licence``, ``rules`` (the organiser's own text), ``crops`` and ``features`` (where they are), each empty
            where there is none.
        notes: what was done or could not be checked.
    """
    return "\n".join(_lines(track, parts, told, notes)).rstrip("\n") + "\n"


def _lines(track: Track, parts: Sequence[Part], told: dict[str, str], notes: Sequence[str]) -> Iterator[str]:
    yield from (f"# {track.title}", "", *((track.description, "") if track.description else ()))
    yield from _contents(track, parts, told)
    yield from _format(track, [part.name for part in parts[:-1]])
    yield from _rules(track, told["rules"])
    yield from ("## Licence and terms", "")
    yield told["licence"] or "Not stated by the organisers: ask them before you use the data or pass them on."
    yield ""
    if notes:
        yield from ("## Notes", "", *(f"- {note}" for note in notes), "")


def _contents(track: Track, parts: Sequence[Part], told: dict[str, str]) -> Iterator[str]:
    yield from ("## What is here", "", "| part | items | with a label | recordings | people |", "|---|---|---|---|---|")
    for part in parts:
        labelled = "not told" if part.labelled is None else str(part.labelled)
        seen = [
            "not known" if one is None else str(one.drop_nulls().n_unique()) for one in (part.recordings, part.subjects)
        ]
        yield f"| {part.name} | {len(part.items)} | {labelled} | {seen[0]} | {seen[1]} |"
    yield ""
    yield from (
        *(
            f"- `{part.name}.csv`: labels, in the columns of a submission; an empty cell is not annotated"
            for part in parts
            if part.labelled is not None
        ),
        "- `test.csv`: what is to be predicted",
        "- `*.parquet`: the same tables with their types",
        "- `template.csv`: a submission with empty cells; it is refused until every cell is filled",
        f"- `{track.name}.toml`: the track, as programs read it",
    )
    for name, what in (("crops", "pictures, called as the items"), ("features", "feature files")):
        if told[name]:
            yield f"- {what}: {told[name]}"
    yield from ("- `SHA256SUMS`: check with `sha256sum -c SHA256SUMS`", "")
    for part in parts:
        if part.counts:
            yield f"Labels of {part.name}: {'; '.join(f'{name} {count}' for name, count in part.counts)}."
    yield ""


def _format(track: Track, labelled: Sequence[str]) -> Iterator[str]:
    direction = "higher" if track.higher_is_better else "lower"
    yield from (
        "## What to send",
        "",
        f"One CSV or Parquet file with the columns `{','.join((track.file.item, *track.columns))}`: a row for each of "
        f"`test.csv`, and {_coding(track)}. A zip or tar with that file is taken too"
        + (", or one with a text file a video." if track.file.by_video else "."),
        f"Teams are ranked by `{track.metric}`; {direction} is better.",
        "",
        "Check a file before you send it; this needs no label and is what the server does:",
        "",
        "```sh",
        "pip install affectcheck",
        f"affectcheck challenge check predictions.csv --track {track.name}.toml --items test.csv",
        *(
            f"affectcheck challenge score of-{name}.csv --track {track.name}.toml --labels {name}.csv"
            for name in labelled[-1:]
        ),
        "```",
        "",
    )


def _coding(track: Track) -> str:
    told = _CODINGS[track.file.coding]
    return f"{told}, one of {', '.join(track.parts)}" if track.file.coding == "label" else told


def _rules(track: Track, own: str) -> Iterator[str]:
    use = track.use
    yield from (
        "## Rules",
        "",
        f"- {plural(track.submissions, 'valid submission')} a team; a failed check does not count",
    )
    for phase in track.phases:
        times = [
            f"{word} {time.isoformat()}" for word, time in (("from", phase.opens), ("until", phase.closes)) if time
        ]
        yield f"- phase {phase.name}: {' '.join(times) or 'without dates'}"
    if use.uni_task:
        yield "- no other annotations than those of this task may be used"
    for word, text in (("models before", use.pretraining), ("annotations", use.annotations)):
        if text:
            yield f"- {word}: {text}"
    yield from (f"- {text}" for text in use.text)
    yield ""
    if own:
        yield from (own.strip(), "")
