"""``affectcheck partition ranks``: the same models on the test sets of two partitions, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affectcheck.cli.choices import Resamples, Seed, names
from affectcheck.cli.output import Json, emit, say

if TYPE_CHECKING:
    import polars as pl

    from affectcheck.evaluation import ScoredItems
    from affectcheck.partitions import Partition, RankChange, RankOptions
    from affectcheck.partitions.rank_lists import Listed
    from affectcheck.predictions import PredictionTable

Files = Annotated[
    list[Path] | None,
    typer.Argument(help="Published scores: one CSV with model and two columns, or two with model and score (or rank)."),
]
First = Annotated[
    list[str] | None,
    typer.Option(
        "--a", help="Run folders on the first test set, or a folder of them; with --data, the first partition."
    ),
]
Second = Annotated[
    list[str] | None,
    typer.Option("--b", help="Run folders on the second test set; with --data, the second partition."),
]
DataSet = Annotated[
    str,
    typer.Option(
        "--data", "-d", help="Data set whose partitions --a and --b are: folders of a manifest, files, columns."
    ),
]
Predictions = Annotated[
    list[Path] | None,
    typer.Option("--predictions", "-p", help="With --data: a file of predictions for all items, one a model."),
]
PredictionColumn = Annotated[
    str, typer.Option("--prediction", help="Column of the predicted label; default: prediction.")
]
MetricName = Annotated[str, typer.Option("--metric", help="By which models are ranked; default: that of the task.")]
Columns = Annotated[str, typer.Option("--columns", help="Columns of published scores, by commas; rank… is best at 1.")]
SetNames = Annotated[str, typer.Option("--names", help="What the two test sets are called, by commas.")]
Part = Annotated[str, typer.Option("--part", help="With --data: the set of each partition that is scored.")]
TargetName = Annotated[str, typer.Option("--target", help="With --data: what is predicted; default: the first target.")]
ClusterName = Annotated[str, typer.Option("--clusters", help="With --data: subject, media or item.")]
Draws = Annotated[int, typer.Option("--draws", min=0, help="Smaller test sets that are drawn, of each size.")]
CrossValidated = Annotated[bool, typer.Option("--cv", help="Of run folders: the scores of cross-validation.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="File to write: .md, .csv (the models) or .json.")]

_FORMATS = (".md", ".csv", ".json")


def register(noun: typer.Typer) -> None:
    """Add the verb."""
    noun.command()(ranks)


def ranks(
    files: Files = None,
    a: First = None,
    b: Second = None,
    data: DataSet = "",
    predictions: Predictions = None,
    prediction: PredictionColumn = "",
    metric: MetricName = "",
    columns: Columns = "",
    names_: SetNames = "",
    part: Part = "test",
    target: TargetName = "",
    clusters: ClusterName = "subject",
    cv: CrossValidated = False,
    resamples: Resamples = 1000,
    draws: Draws = 200,
    seed: Seed = 0,
    output: Output = None,
    json: Json = False,
) -> None:
    """Compare how two test sets rank the same models: tau with an interval, swaps, movers, and how stable each is."""
    from affectcheck.cli.partition_ranks_text import rank_text  # noqa: PLC0415
    from affectcheck.errors import InputError, UnknownNameError  # noqa: PLC0415
    from affectcheck.partitions import RankOptions, rank_change  # noqa: PLC0415

    if output is not None and output.suffix not in _FORMATS:
        raise UnknownNameError.of("format of rankings", output.suffix, _FORMATS, where=str(output))
    given = names(names_)
    if given and len(given) != 2:
        raise InputError(f"--names {names_}", expected="two names, by commas")
    first, second = list(a or ()), list(b or ())
    options = RankOptions(metric, (given[0], given[1]) if given else ("a", "b"), resamples, draws, seed)
    if files and (first or second or data or predictions):
        raise InputError(
            "files of published scores beside --a, --b, --data or --predictions", expected="one of the two"
        )
    if files:
        found = _published(files, names(columns), options)
    elif data:
        found = _partitions(data, (first, second), (predictions or [], prediction), (part, target, clusters), options)
    elif first and second:
        found = rank_change(_runs(first, cv=cv), _runs(second, cv=cv), options=options)
    else:
        raise InputError(
            "nothing to compare",
            expected="files of published scores; --a RUN --b RUN; or --data, --predictions, --a and --b",
        )
    for note in found.notes:
        say(f"note: {note}")
    text = rank_text(found)
    if output is not None:
        _write(found, text, output)
        say(str(output))
    emit(found.plain(), text, as_json=json)


def _published(files: list[Path], columns: tuple[str, ...], options: RankOptions) -> RankChange:
    from affectcheck.errors import InputError  # noqa: PLC0415
    from affectcheck.partitions import rank_change_of_scores, read_scores  # noqa: PLC0415
    from affectcheck.predictions.formats import read_frame  # noqa: PLC0415

    if len(files) > 2 or len(columns) not in (0, 2):
        raise InputError(
            f"{len(files)} files, {len(columns)} columns", expected="one or two files, two columns or none"
        )
    frames = [read_frame(file, kind="file of scores") for file in files]
    wanted = columns or (_pair(frames[0].columns) if len(files) == 1 else ("", ""))

    def read(place: int) -> Listed:
        file, frame = files[min(place, len(files) - 1)], frames[min(place, len(files) - 1)]
        return read_scores(frame, wanted[place], metric=options.metric, where=str(file))

    return rank_change_of_scores(read(0), read(1), options=options)


def _pair(known: list[str]) -> tuple[str, str]:
    """The two columns of one file: of scores, else of ranks."""
    scores = "score_a" in known or "rank_a" not in known
    return ("score_a", "score_b") if scores else ("rank_a", "rank_b")


def _runs(told: list[str], *, cv: bool) -> dict[str, ScoredItems]:
    from affectcheck.audits import read_entrants  # noqa: PLC0415
    from affectcheck.errors import InputError  # noqa: PLC0415

    folders = [folder for path in map(Path, told) for folder in _folders(path)]
    found: dict[str, ScoredItems] = {}
    for stored in read_entrants(folders, cross_validated=cv):
        one = stored.entrant
        if one.model in found:
            raise InputError(
                f"two runs of the model {one.model!r} on one test set", expected="one run a model", where=one.run
            )
        found[one.model] = one.items
    return found


def _folders(path: Path) -> list[Path]:
    """A run folder, or the run folders in it."""
    from affectcheck.evaluation import ITEMS_FILE  # noqa: PLC0415

    if path.is_dir() and not (path / ITEMS_FILE).is_file():
        inside = sorted(folder.parent for folder in path.glob(f"*/{ITEMS_FILE}"))
        return inside or [path]
    return [path]


def _partitions(
    data: str,
    sides: tuple[list[str], list[str]],
    files: tuple[list[Path], str],
    asked: tuple[str, str, str],
    options: RankOptions,
) -> RankChange:
    from affectcheck.datasets import load_dataset  # noqa: PLC0415
    from affectcheck.errors import InputError  # noqa: PLC0415
    from affectcheck.evaluation import EvaluationOptions  # noqa: PLC0415
    from affectcheck.partitions import rank_change_of_partitions  # noqa: PLC0415

    (paths, column), (part, target, clusters) = files, asked
    if not paths or any(len(side) != 1 for side in sides):
        raise InputError(
            f"--data with {len(sides[0])} --a, {len(sides[1])} --b and {len(paths)} --predictions",
            expected="one --a, one --b, and a file of predictions a model",
        )
    table = load_dataset(data)
    chosen: Any = clusters
    evaluation = EvaluationOptions(target=target or None, part=part, clusters=chosen)
    models = _predictions(paths, column, table.target(target or None).scheme)
    given = (_partition(sides[0][0]), _partition(sides[1][0]))
    return rank_change_of_partitions(table, models, given, options=options, evaluation=evaluation)


def _predictions(paths: list[Path], column: str, scheme: Any) -> dict[str, PredictionTable]:
    from affectcheck.errors import InputError  # noqa: PLC0415
    from affectcheck.predictions import PredictionColumns, read_predictions  # noqa: PLC0415

    found: dict[str, PredictionTable] = {}
    for path in paths:
        name = path.stem.partition(".")[0]
        if name in found:
            raise InputError(f"two files of predictions called {name!r}", expected="a name a model", where=str(path))
        columns = PredictionColumns(prediction=column, scheme=scheme, name=name)
        found[name] = read_predictions(path, columns=columns)
    return found


def _partition(told: str) -> Partition | pl.DataFrame | str:
    """A folder of a manifest, a file of items and sets, or else a column."""
    from affectcheck.partitions import load_manifest  # noqa: PLC0415
    from affectcheck.partitions.given_file import read_partition  # noqa: PLC0415

    path = Path(told)
    if path.is_dir():
        return load_manifest(path)
    return read_partition(path) if path.is_file() else told


def _write(found: RankChange, text: str, output: Path) -> None:
    from affectcheck.atomic import write_text  # noqa: PLC0415
    from affectcheck.cli.partition_ranks_text import rank_markdown  # noqa: PLC0415
    from affectcheck.records import strict_json  # noqa: PLC0415

    if output.suffix == ".json":
        write_text(output, strict_json(found.plain(), indent=1) + "\n")
    elif output.suffix == ".csv":
        write_text(output, found.models.write_csv())
    else:
        write_text(output, rank_markdown(found))
