"""``affectcheck score``: score predictions that exist, in one file with the truth or in two."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affectcheck.cli.choices import CONVENTIONS, By, Convention, Overwrite, Resamples, Seed, choice, names
from affectcheck.cli.output import Json, emit, progress, say
from affectcheck.cli.score_options import (
    ClusterUnit,
    Delimiter,
    Encoding,
    Engine,
    File,
    Interval,
    Level,
    Limit,
    MinimumSupport,
    OutputKind,
    Parts,
    Range,
    Threshold,
    ThresholdRule,
    Units,
    ValidationFile,
    ValidationPredictions,
    column,
    declared,
    delimiter_of,
    engine_of,
    output_of,
    scheme_of,
    threshold_of,
    validation_of,
)
from affectcheck.cli.score_text import cautions, score_text
from affectcheck.cli.score_votes import (
    Soft,
    VotesCounts,
    VotesFile,
    VotesItem,
    VotesLabel,
    VotesRater,
    VotesRaters,
    votes_of,
)
from affectcheck.cli.stated import stated

if TYPE_CHECKING:
    from affectcheck.evaluation import Evaluation
    from affectcheck.records import RunRecord

Truth = Annotated[str, typer.Option("--truth", help="Column of the truth; for units and dimensions NAME=COLUMN,….")]
Prediction = Annotated[
    str, typer.Option("--prediction", help="Column of the prediction; for units and dimensions as --truth.")
]
Item = Annotated[str, typer.Option("--item", help="Column of the item key; default: item or file.")]
Subject = Annotated[
    str, typer.Option("--subject", help="Column of the subject, whose items are resampled together; default: subject.")
]
Labels = Annotated[
    str,
    typer.Option(
        "--labels", help="Declared scheme (see `schemes list`), or its labels by commas; default: what occurs."
    ),
]
TruthLabels = Annotated[
    str,
    typer.Option(
        "--truth-labels", help="What labels or codes of the truth mean: FROM=TO,FROM=TO; none, as -5= or n/a=."
    ),
]
PredictionLabels = Annotated[str, typer.Option("--prediction-labels", help="The same for the predictions.")]
Mapping = Annotated[
    str, typer.Option("--map", help="Label mapping of both sides: FROM=TO,FROM=; an empty TO leaves it out.")
]
LabelsRule = Annotated[
    str,
    typer.Option(
        "--labels-rule",
        help="What is scored: declared (what the truth declares) or intersection (what truth and model have in common).",
    ),
]
ModelLabels = Annotated[
    str,
    typer.Option(
        "--model-labels",
        help="The model's own scheme or labels, with --labels-rule intersection; default: score columns.",
    ),
]
Steps = Annotated[
    str,
    typer.Option(
        "--steps",
        help="What is done to the predictions first: smooth, lag, offset, scale, clip, softmax, sigmoid, in order, such "
        "as 'smooth:mean,11|lag:5|offset:neutral=-0.2'.",
    ),
]
Shifted = Annotated[
    str,
    typer.Option(
        "--shifts",
        help="Also each group minus all groups together: against all items, or balanced (equally many of every class).",
    ),
]
Media = Annotated[str, typer.Option("--media", help="Column of the recording, for steps over time; default: media.")]
Frame = Annotated[str, typer.Option("--frame", help="Column of the frame number from 1 on; default: frame.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command()
    def score(
        context: typer.Context,
        file: File,
        predictions: Annotated[
            Path | None, typer.Argument(help="File of the predictions, if they are in another.")
        ] = None,
        truth: Truth = "truth",
        prediction: Prediction = "prediction",
        item: Item = "",
        subject: Subject = "",
        labels: Labels = "",
        units: Units = "",
        span: Range = "",
        labels_rule: LabelsRule = "declared",
        model_labels: ModelLabels = "",
        truth_labels: TruthLabels = "",
        prediction_labels: PredictionLabels = "",
        mapping: Mapping = "",
        scores: Annotated[
            str, typer.Option("--scores", help="Prefix of the score columns; default: score_ or p_, of units none.")
        ] = "",
        output_kind: OutputKind = "",
        threshold: Threshold = "",
        validation: ValidationFile = None,
        validation_predictions: ValidationPredictions = None,
        threshold_rule: ThresholdRule = "",
        steps: Steps = "",
        shifts: Shifted = "",
        media: Media = "",
        frame: Frame = "",
        votes: VotesFile = None,
        votes_item: VotesItem = "",
        votes_counts: VotesCounts = "",
        votes_raters: VotesRaters = "",
        votes_rater: VotesRater = "",
        votes_label: VotesLabel = "",
        soft: Soft = False,
        by: By = "none",
        metrics: Annotated[
            str, typer.Option("--metrics", help="Metrics by commas, 'default' and 'all' among them.")
        ] = "",
        missing: Annotated[
            str, typer.Option("--missing", help="Items without a prediction: error, wrong or 'leave out'.")
        ] = "error",
        convention: Convention = "paper",
        limit: Limit = 0.1,
        minimum_support: MinimumSupport = 10,
        clusters: ClusterUnit = "subject",
        seed: Seed = 0,
        resamples: Resamples = 1000,
        interval: Interval = "percentile-t",
        level: Level = 0.95,
        delimiter: Delimiter = ",",
        encoding: Encoding = "",
        engine: Engine = "",
        parts: Parts = False,
        output: Annotated[
            Path | None, typer.Option("--output", "-o", help="Run folder to write; default: none.")
        ] = None,
        overwrite: Overwrite = False,
        json: Json = False,
    ) -> None:
        """Score predictions against a truth, overall and per group, with intervals and signatures."""
        from affectcheck.audits import ScoredFiles, require_free, score_files  # noqa: PLC0415
        from affectcheck.evaluation import EvaluationOptions, ScoredColumns  # noqa: PLC0415
        from affectcheck.records import encode_run  # noqa: PLC0415

        told = ScoredColumns(
            truth=column("truth", truth),
            prediction=column("prediction", prediction),
            labels=scheme_of(labels, units, span),
            model_labels=declared(model_labels),
            item=item,
            subject=subject,
            media=media,
            frame=frame,
            scores=scores,
            output=output_of(output_kind),
            delimiter=delimiter_of(delimiter),
            encoding=encoding or None,
            truth_labels=truth_labels,
            prediction_labels=prediction_labels,
        )
        options = EvaluationOptions(
            by=() if by == "none" else names(by),
            metrics=names(metrics) or None,
            mapping=mapping,
            labels_rule=choice("rule for labels", labels_rule, ("declared", "intersection")),
            steps=steps,
            shifts=choice("combined set of shifts", shifts, ("", "all", "balanced")),
            missing=choice("rule for missing predictions", missing, ("error", "wrong", "leave out")),
            convention=choice("convention", convention, CONVENTIONS),
            limit=limit,
            minimum_support=minimum_support,
            clusters=choice("cluster unit", clusters, ("subject", "media", "item")),
            seed=seed,
            resamples=resamples,
            interval=choice("kind of interval", interval, ("percentile-t", "bca")),
            level=level,
            thresholds=threshold_of(threshold),
        )
        chosen_on = validation_of(validation, validation_predictions, threshold_rule)
        cast = votes_of(
            votes,
            item=votes_item,
            counts=votes_counts,
            raters=votes_raters,
            rater=votes_rater,
            label=votes_label,
            soft=soft,
        )
        if output:
            reads = (file, predictions, validation, validation_predictions, votes)
            require_free(output, overwrite=overwrite, reads=reads)
        files = ScoredFiles(file, predictions, told, chosen_on, cast, engine_of(engine))
        with progress("rows") if files.streamed else nullcontext() as update:
            found, record = score_files(replace(files, progress=update), options, passed=stated(context))
        for note in (*found.notes, *cautions(found)):
            say(f"note: {note}")
        text = score_text(found, parts=parts)
        if output:
            text += f"\n\n{_save(record, found, output, overwrite=overwrite)}"
        emit(encode_run(record), text, as_json=json)


def _save(record: RunRecord, found: Evaluation, output: Path, *, overwrite: bool) -> Path:
    from affectcheck.audits import save_record  # noqa: PLC0415
    from affectcheck.audits.folder import run_folder  # noqa: PLC0415
    from affectcheck.evaluation import ITEMS_FILE  # noqa: PLC0415

    with run_folder(output, overwrite=overwrite) as partial:
        report = save_record(record, partial)
        if not found.items.is_empty():  # of a stream of rows only tallies are kept
            found.scored_items.write(partial / ITEMS_FILE)
    return output / report.name
