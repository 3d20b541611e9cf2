"""``affectcheck raters``: how far several raters of the same items agree, and one label an item from all of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affectcheck.cli.choices import Resamples, Seed, names
from affectcheck.cli.output import Json, columns, emit, say
from affectcheck.cli.score_options import Delimiter, Encoding, Range

if TYPE_CHECKING:
    from affectcheck.annotations import Gold
    from affectcheck.evaluation import Agreement
    from affectcheck.records import Scored

#: Raters and pairs of them in the text; ``--json`` has all.
SHOWN = 10

Item = Annotated[str, typer.Option("--item", help="Column of the item key; default: item or file.")]
Rater = Annotated[str, typer.Option("--rater", help="One row a rating: column of the rater; default: rater, if any.")]
Label = Annotated[str, typer.Option("--label", help="One row a rating: column of the label.")]
Dimensions = Annotated[
    str, typer.Option("--dimensions", help="Dimensions that are rated: NAME,NAME or NAME=COLUMN,NAME=COLUMN.")
]
Raters = Annotated[str, typer.Option("--raters", help="One row an item: columns of the raters, by commas.")]
Counts = Annotated[
    str, typer.Option("--counts", help="One row an item: columns of vote counts: LABEL,LABEL or LABEL=COLUMN,….")
]
Labels = Annotated[
    str,
    typer.Option(
        "--labels", help="Declared scheme (see `schemes list`), or its labels by commas; default: what occurs."
    ),
]
Mapping = Annotated[
    str, typer.Option("--map", help="What labels in the file mean: FROM=TO,FROM=; an empty TO leaves it out.")
]
Subject = Annotated[str, typer.Option("--subject", help="Column of the subject, whose items are resampled together.")]
Levels = Annotated[
    str,
    typer.Option(
        "--level",
        help="Of alpha, by commas: nominal, ordinal, interval, ratio. Default: nominal; dimensions: interval.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command()
    def raters(
        file: Annotated[
            Path,
            typer.Argument(help="CSV or Parquet: one row a rating, or one an item with a column a rater or class."),
        ],
        item: Item = "",
        rater: Rater = "",
        label: Label = "label",
        dimensions: Dimensions = "",
        raters_: Raters = "",
        counts: Counts = "",
        labels: Labels = "",
        span: Range = "",
        mapping: Mapping = "",
        subject: Subject = "",
        level: Levels = "",
        minimum: Annotated[
            int, typer.Option("--minimum", min=2, help="Items in common that a score of two raters takes.")
        ] = 10,
        gold: Annotated[
            str, typer.Option("--gold", help="Gold standard to write: majority, mean or ewe (see --output).")
        ] = "",
        minimum_share: Annotated[
            float, typer.Option("--minimum-share", min=0.0, max=1.0, help="Share of the votes that a majority takes.")
        ] = 0.0,
        output: Annotated[
            Path | None, typer.Option("--output", "-o", help="File of the gold standard: .csv or .parquet.")
        ] = None,
        seed: Seed = 0,
        resamples: Resamples = 1000,
        delimiter: Delimiter = ",",
        encoding: Encoding = "",
        json: Json = False,
    ) -> None:
        """Measure how far several raters agree, and make one label an item from their votes."""
        from affectcheck.annotations import RatingColumns, read_ratings  # noqa: PLC0415
        from affectcheck.cli.score_options import column, delimiter_of  # noqa: PLC0415
        from affectcheck.evaluation import AgreementOptions, agreement  # noqa: PLC0415
        from affectcheck.predictions.formats import read_frame  # noqa: PLC0415

        _require_gold(gold, output, file)
        told = RatingColumns(
            item=item,
            rater=rater,
            label=label,
            dimensions=_columns(column("dimensions", dimensions)),
            raters=names(raters_),
            counts=_columns(column("counts", counts)),
            labels=_scheme(labels, span, column("dimensions", dimensions)),
            mapping=mapping,
            subject=subject,
            name=file.stem.partition(".")[0],
        )
        options = AgreementOptions(levels=names(level) or None, minimum_items=minimum, seed=seed, resamples=resamples)
        cut, code = delimiter_of(delimiter), encoding or None
        frame = read_frame(file, kind="file of ratings", delimiter=cut, encoding=code)
        ratings = read_ratings(frame, told, where=str(file))
        found = agreement(ratings, options=options)
        written = None
        if gold and output:
            from affectcheck.annotations.gold_file import write_gold  # noqa: PLC0415
            from affectcheck.evaluation import gold_standard  # noqa: PLC0415

            written = gold_standard(ratings, gold, minimum_share=minimum_share)
            write_gold(written, output)
        for note in (*found.notes, *(written.notes if written else ())):
            say(f"note: {note}")
        text = _text(found, file) + (f"\n\nWritten: {output} ({_gold_text(written)})" if written else "")
        emit(_plain(found, written, output), text, as_json=json)


def _require_gold(gold: str, output: Path | None, file: Path) -> None:
    """Raise before anything is computed if the gold standard could not be made or written."""
    from affectcheck.annotations.gold_file import require_suffix  # noqa: PLC0415
    from affectcheck.errors import InputError, UnknownNameError  # noqa: PLC0415
    from affectcheck.evaluation.gold import ESTIMATORS  # noqa: PLC0415

    if gold and gold not in ESTIMATORS:
        raise UnknownNameError.of("gold standard", gold, ESTIMATORS)
    if bool(gold) != (output is not None):
        raise InputError(
            f"--gold {gold} without --output" if gold else f"--output {output} without --gold",
            expected="both: --gold majority, mean or ewe, and --output FILE",
        )
    if output is not None:
        require_suffix(output)
        if output.exists() and file.exists() and output.samefile(file):
            raise InputError(
                f"--output {output} is the file of ratings itself", expected="another file", cause="it would be lost"
            )


def _columns(told: str | dict[str, str]) -> Any:
    """Columns by name, or columns that are called after what they hold."""
    return names(told) if isinstance(told, str) else told


def _scheme(labels: str, span: str, dimensions: str | dict[str, str]) -> Any:
    """What is rated; a range is that of the dimensions that either option names."""
    from affectcheck.cli.score_options import scheme_of  # noqa: PLC0415

    if not span or labels or not dimensions:
        return scheme_of(labels, "", span)
    named = names(dimensions) if isinstance(dimensions, str) else tuple(dimensions)
    return scheme_of(",".join(named), "", span)


def _plain(found: Agreement, gold: Gold | None, output: Path | None) -> dict[str, Any]:
    from affectcheck.records.codec import encode_score  # noqa: PLC0415

    counts = found.counts | {"items_by_ratings": {str(m): n for m, n in found.counts["items_by_ratings"].items()}}
    return {
        "scores": [encode_score(score) for score in found],
        "counts": counts,
        "raters": found.raters.to_dicts(),
        "pairs": found.pairs.to_dicts(),
        "notes": list(found.notes),
        "gold": {"file": str(output), "items": gold.frame.height, "notes": list(gold.notes)} if gold else None,
    }


def _text(found: Agreement, file: Path) -> str:
    blocks = [_head(found, file), columns([_row(score) for score in found], head=_HEAD)]
    if found.raters.height:
        blocks += [_raters_text(found)]
    if found.pairs.height > 1:
        blocks += [_pairs_text(found)]
    blocks.append("\n".join(dict.fromkeys(str(score.signature) for score in found)))
    return "\n\n".join(blocks)


_HEAD = ("agreement", "of", "value", "interval", "items", "reading")


def _head(found: Agreement, file: Path) -> str:
    from affectcheck.annotations.listing import plural  # noqa: PLC0415

    counts = found.counts
    by_number = counts["items_by_ratings"]
    raters = f" by {plural(counts['raters'], 'rater')}" if counts["raters"] else ""
    lines = [
        f"{file}: {plural(counts['items'], 'item')}, {plural(counts['ratings'], 'rating')}{raters}",
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


def _gold_text(gold: Gold) -> str:
    label = next(name for name in gold.frame.columns if name != "item")
    known = gold.frame.height - gold.frame.get_column(label).null_count()
    return f"{known} of {gold.frame.height} items have a value"
