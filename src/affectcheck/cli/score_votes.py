"""Votes of several raters in ``affectcheck score``: as its truth, and the scores of people beside the model's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affectcheck.cli.choices import names
from affectcheck.cli.output import columns

if TYPE_CHECKING:
    from affectcheck.audits import VoteFile
    from affectcheck.evaluation import Evaluation
    from affectcheck.records import Scored

VotesFile = Annotated[
    Path | None,
    typer.Option("--votes", help="File of several raters' votes for the items: people are scored beside the model."),
]
VotesItem = Annotated[str, typer.Option("--votes-item", help="Its column of the item key; default: that of --item.")]
VotesCounts = Annotated[
    str,
    typer.Option("--votes-counts", help="Its columns of vote counts, LABEL=COLUMN,…; default: those called as labels."),
]
VotesRaters = Annotated[str, typer.Option("--votes-raters", help="Its columns of the raters, one each, by commas.")]
VotesRater = Annotated[str, typer.Option("--votes-rater", help="One row a rating: its column of the rater.")]
VotesLabel = Annotated[
    str, typer.Option("--votes-label", help="One row a rating: its column of the label; for dimensions NAME=COLUMN,….")
]
Soft = Annotated[
    bool, typer.Option("--soft", help="Take the shares of the votes as the truth, instead of one label an item.")
]


def votes_of(
    file: Path | None, *, item: str, counts: str, raters: str, rater: str, label: str, soft: bool
) -> VoteFile | None:
    """The file of votes and its columns; None where there is none.

    Raises:
        InputError: other options of votes without the file.
    """
    from affectcheck.annotations import RatingColumns  # noqa: PLC0415
    from affectcheck.audits import VoteFile  # noqa: PLC0415
    from affectcheck.cli.score_options import column  # noqa: PLC0415
    from affectcheck.errors import InputError  # noqa: PLC0415

    if file is None:
        if soft or item or counts or raters or rater or label:
            raise InputError("nothing says where the votes are", expected="--votes FILE")
        return None
    told = column("votes-label", label)
    counted = column("votes-counts", counts)
    read = RatingColumns(
        item=item,
        rater=rater,
        label=told if isinstance(told, str) and told else "label",
        dimensions=told if isinstance(told, dict) else (),
        raters=names(raters),
        counts=names(counted) if isinstance(counted, str) else counted,
    )
    return VoteFile(file, read, soft)


def humans_in(found: Evaluation) -> tuple[str, ...]:
    """Who is scored beside the model, each by the words before the name of the votes."""
    return tuple(dict.fromkeys(human_of(score) for score in found.ceiling))


def human_of(score: Scored) -> str:
    """Who it is, without the name of the votes."""
    return score.signature.model.partition(" of ")[0]


def beside(found: Evaluation, rows: list[tuple[object, ...]], place: int) -> list[tuple[object, ...]]:
    """The rows of the model's scores with those of raters whom nobody compares with themselves.

    Args:
        found: the evaluation.
        rows: one a score of the model.
        place: of the first new column.
    """
    by_human: dict[str, dict[Any, Scored]] = {}
    for score in found.ceiling:
        by_human.setdefault(human_of(score), {})[_what(score)] = score
    shown = [by_human.get(name, {}) for name in shown_beside(found)]
    return [
        (*row[:place], *(_value(human.get(_what(score))) for human in shown), *row[place:])
        for row, score in zip(rows, found, strict=True)
    ]


def shown_beside(found: Evaluation) -> tuple[str, ...]:
    """Whose scores stand beside the model's: those that are honest, or whoever there is."""
    from affectcheck.evaluation.ceiling import LEFT_OUT, OTHERS  # noqa: PLC0415

    humans = humans_in(found)
    return tuple(name for name in (LEFT_OUT, OTHERS) if name in humans) or humans


def humans_text(found: Evaluation) -> str:
    """Everyone's overall scores with intervals, what stands for the truth, and a signature of each."""
    overall = [score for score in found.ceiling if not any((score.place.attribute, score.place.group))]
    whole = [score for score in overall if not score.place.part] or overall
    rows = [_row(score) for score in whole]
    told = {human_of(score): str(score.signature) for score in reversed(whole)}
    table = columns(rows, head=("people in the model's place", "metric", "of", "value", "interval", "n", "against"))
    return "\n".join((table, "", *reversed(told.values())))


def _row(score: Scored) -> tuple[object, ...]:
    against = score.signature.truth or "the truth, of which the rater is a part"
    interval = score.interval if score.defined else None  # type: ignore[union-attr]  # defined
    shown = f"[{interval.low:.3f}, {interval.high:.3f}]" if interval else ""
    told = against if score.defined else score.reason  # type: ignore[union-attr]  # undefined
    return human_of(score), score.metric, score.place.part, _value(score), shown, score.support, told


def _what(score: Scored) -> tuple[object, ...]:
    return score.metric, score.place, score.signature.convention


def _value(score: Scored | None) -> str:
    """A value, nothing where there is no such score."""
    if score is None:
        return ""
    if not score.defined:
        return "undefined"
    return f"{round(score.value, 3) + 0.0:.3f}"  # type: ignore[union-attr]  # defined; no -0.000
