"""``affectcheck agree``: how far several raters of the same items agree, and one label an item from all of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affectcheck.cli.agree_gold import (
    Abstain,
    AdjudicatedFile,
    Disagreements,
    GoldOption,
    GoldOutput,
    GoldTold,
    MinimumShare,
    ModelLabels,
    OverwriteGold,
)
from affectcheck.cli.choices import Resamples, Seed, names
from affectcheck.cli.output import Json, emit, say
from affectcheck.cli.score_options import Delimiter, Encoding, Range

if TYPE_CHECKING:
    import polars as pl

    from affectcheck.annotations import RatingColumns, Ratings

Item = Annotated[str, typer.Option("--item", help="Column of the item key; default: item or file.")]
Rater = Annotated[str, typer.Option("--rater", help="One row a rating: column of the rater; default: rater, if any.")]
Label = Annotated[str, typer.Option("--label", help="One row a rating: column of the label.")]
AttributeNames = Annotated[
    str,
    typer.Option(
        "--attributes",
        help="Several things that are rated: NAME,NAME or NAME=COLUMN,…; one row an item: NAME=COLUMN+COLUMN,….",
    ),
]
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
        "--labels",
        help="Declared scheme (see `schemes list`), or its labels by commas; of attributes: NAME=SCHEME,…. Default: "
        "what occurs.",
    ),
]
Mapping = Annotated[
    str, typer.Option("--map", help="What labels in the file mean: FROM=TO,FROM=; an empty TO leaves it out.")
]
Subject = Annotated[str, typer.Option("--subject", help="Column of the subject, whose items are resampled together.")]
Faulty = Annotated[
    str,
    typer.Option(
        "--faulty-rows",
        help="Rows without an item, and several rows for one: error, or 'leave out': the same is taken once, what "
        "contradicts itself not at all; counted.",
    ),
]
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
    def agree(
        file: Annotated[
            Path,
            typer.Argument(help="CSV or Parquet: one row a rating, or one an item with a column a rater or class."),
        ],
        item: Item = "",
        rater: Rater = "",
        label: Label = "label",
        attributes: AttributeNames = "",
        dimensions: Dimensions = "",
        raters: Raters = "",
        counts: Counts = "",
        labels: Labels = "",
        span: Range = "",
        mapping: Mapping = "",
        subject: Subject = "",
        faulty_rows: Faulty = "error",
        level: Levels = "",
        minimum: Annotated[
            int, typer.Option("--minimum", min=2, help="Items in common that a score of two raters takes.")
        ] = 10,
        gold: GoldOption = "",
        minimum_share: MinimumShare = 0.0,
        abstain: Abstain = "",
        disagreements: Disagreements = None,
        adjudicated: AdjudicatedFile = None,
        model_labels: ModelLabels = None,
        output: GoldOutput = None,
        overwrite: OverwriteGold = False,
        seed: Seed = 0,
        resamples: Resamples = 1000,
        delimiter: Delimiter = ",",
        encoding: Encoding = "",
        json: Json = False,
    ) -> None:
        """Measure how far several raters agree, list what they disagree on, and make one label an item of their votes."""
        from affectcheck.annotations import RatingColumns  # noqa: PLC0415
        from affectcheck.cli.agree_gold import write  # noqa: PLC0415
        from affectcheck.cli.agree_text import agreement_plain, agreement_text  # noqa: PLC0415
        from affectcheck.cli.score_options import column, delimiter_of  # noqa: PLC0415
        from affectcheck.evaluation import AgreementOptions, agreement  # noqa: PLC0415
        from affectcheck.predictions.formats import read_frame  # noqa: PLC0415

        told = GoldTold(
            gold, minimum_share, names(abstain), disagreements, adjudicated, model_labels, output, overwrite
        )
        told.require(file)
        given = RatingColumns(
            item=item,
            rater=rater,
            label=label,
            dimensions=_columns(column("dimensions", dimensions)),
            raters=names(raters),
            counts=_columns(column("counts", counts)),
            labels=None if attributes else _scheme(labels, span, column("dimensions", dimensions)),
            mapping=mapping,
            subject=subject,
            name=file.stem.partition(".")[0],
            faulty=faulty_rows,
        )
        options = AgreementOptions(levels=names(level) or None, minimum_items=minimum, seed=seed, resamples=resamples)
        frame = read_frame(file, kind="file of ratings", delimiter=delimiter_of(delimiter), encoding=encoding or None)
        ratings = _ratings(frame, given, attributes, labels, str(file))
        found = {name: agreement(one, options=options) for name, one in ratings.items()}
        written = write(ratings, told)
        several = bool(attributes)
        for name, one in found.items():
            for note in one.notes:
                say(f"note: {name}: {note}" if several else f"note: {note}")
        for note in written.notes:
            say(f"note: {note}")
        texts = [agreement_text(one, file, name if several else "") for name, one in found.items()]
        lines = "\n".join(written.lines(told))
        plain: dict[str, Any] = {name: agreement_plain(one) for name, one in found.items()}
        plain = {"attributes": plain} if several else next(iter(plain.values()))
        emit(plain | written.plain(told), "\n\n".join(filter(None, (*texts, lines))), as_json=json)


def _ratings(frame: pl.DataFrame, given: RatingColumns, attributes: str, labels: str, where: str) -> dict[str, Ratings]:
    """The ratings of one thing, or of each attribute."""
    from affectcheck.annotations import read_attributes, read_ratings  # noqa: PLC0415
    from affectcheck.cli.score_options import column, declared  # noqa: PLC0415
    from affectcheck.errors import InputError  # noqa: PLC0415

    if not attributes:
        one = read_ratings(frame, given, where=where)
        return {one.target.name: one}
    if given.counts or given.raters or given.mapping or given.dimensions:
        raise InputError(
            "--attributes beside --counts, --raters, --dimensions or --map",
            expected="NAME=COLUMN, or NAME=COLUMN+COLUMN with a column a rater",
        )
    source = column("attributes", attributes)
    schemes = column("labels", labels)
    if isinstance(schemes, str) and schemes:
        raise InputError(f"--labels {labels} for several attributes", expected="NAME=SCHEME,NAME=SCHEME")
    columns = names(source) if isinstance(source, str) else {n: _several(text) for n, text in source.items()}
    known = {} if isinstance(schemes, str) else {name: declared(text) for name, text in schemes.items()}
    return read_attributes(frame, columns, replace(given, labels=None), schemes=known, where=where)


def _several(text: str) -> str | tuple[str, ...]:
    """One column, or one a rater."""
    return tuple(name.strip() for name in text.split("+")) if "+" in text else text


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
