"""``affectcheck challenge``: tracks, a participant's check, scores and ranks, all without a server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affectcheck.cli import challenge_board, challenge_pack
from affectcheck.cli.choices import Resamples, Seed, names
from affectcheck.cli.output import Json, columns, emit, say

if TYPE_CHECKING:
    from affectcheck.challenges import Checked, Track, Wanted

Submission = Annotated[
    Path, typer.Argument(help="Predictions: a CSV, text or Parquet file, or a zip or tar of one, or of a file a video.")
]
TrackName = Annotated[
    str, typer.Option("--track", "-t", help="Track by name (see `challenge list`), or a .toml file of your own.")
]
Items = Annotated[
    Path | None,
    typer.Option(
        "--items", help="What is to be predicted: the organiser's list or template. Else coverage is not checked."
    ),
]
Labels = Annotated[
    Path,
    typer.Option(
        "--labels", "-l", help="Labels: a folder of annotation files, one a video, or a CSV or Parquet table."
    ),
]
Groups = Annotated[
    str, typer.Option("--by", help="Group columns of the labels' table that scores are told for, by commas.")
]


def register(app: typer.Typer) -> None:
    """Add the noun."""
    noun = typer.Typer(
        help="Challenges: check and score submissions to the ABAW tracks and others, and rank teams.",
        no_args_is_help=True,
    )
    app.add_typer(noun, name="challenge")
    noun.command("list")(list_)
    for verb in (show, new, check, score, challenge_board.board, rank, challenge_pack.pack):
        noun.command()(verb)


def list_(json: Json = False) -> None:
    """List the tracks that come with the package."""
    from affectcheck.challenges import load_track, track_names  # noqa: PLC0415

    found = [load_track(name) for name in track_names()]
    rows = [(track.name, track.kind, track.metric, track.title) for track in found]
    emit([row[0] for row in rows], columns(rows, head=("track", "kind", "ranked by", "title")), as_json=json)


def show(track: Annotated[str, typer.Argument(help="Name of a track, or a .toml file.")], json: Json = False) -> None:
    """Show one track: what is predicted, how a submission looks, the rules, and scores of reference."""
    from affectcheck.challenges import load_track, plain  # noqa: PLC0415
    from affectcheck.cli.challenge_text import track_text  # noqa: PLC0415

    found = load_track(track)
    emit(plain(found), track_text(found), as_json=json)


def new(
    output: Annotated[Path, typer.Argument(help="The .toml file to write; its name is the track's.")],
    title: Annotated[str, typer.Option("--title", help="What it is called on pages.")],
    scheme: Annotated[
        str, typer.Option("--scheme", help="Label scheme (see `schemes list`), or a new name for labels of your own.")
    ],
    metric: Annotated[str, typer.Option("--metric", help="By which it ranks (see `metrics list`).")],
    labels: Annotated[str, typer.Option("--labels", help="Classes of your own, by commas.")] = "",
    units: Annotated[str, typer.Option("--units", help="Action units of your own, by commas.")] = "",
    dimensions: Annotated[
        str, typer.Option("--dimensions", help="Dimensions of your own with their range: NAME,NAME:LOW:HIGH.")
    ] = "",
    unit: Annotated[str, typer.Option("--unit", help="What a row is about: item, or frame of a video.")] = "item",
    item: Annotated[str, typer.Option("--item", help="Header of the column of keys.")] = "item",
    column: Annotated[str, typer.Option("--column", help="Header of the column of the class; default: label.")] = "",
    coding: Annotated[str, typer.Option("--coding", help="Of classes: label, or one-hot. Default: label.")] = "",
    submissions: Annotated[int, typer.Option("--submissions", min=1, help="Valid submissions a team.")] = 5,
) -> None:
    """Make a track for any data; the file may be edited afterwards."""
    from affectcheck.annotations.toml_text import toml_text  # noqa: PLC0415
    from affectcheck.atomic import whole_file  # noqa: PLC0415
    from affectcheck.challenges import parse_track  # noqa: PLC0415
    from affectcheck.errors import InputError  # noqa: PLC0415

    if output.suffix != ".toml":
        raise InputError(f"cannot write a track to {output}", expected="a file that ends in .toml")
    if output.exists():
        raise InputError(f"something is there already: {output}", expected="the name of a new file")
    own = _own(labels, units, dimensions)
    kind = "units" if units else "dimensions" if dimensions else ""
    values: dict[str, Any] = {
        "format": 1,
        "name": output.stem,
        "title": title,
        "scheme": scheme,
        "metric": metric,
        "submissions": submissions,
        "file": {"unit": unit, "item": item, "coding": coding or _coding(scheme, kind), "by_video": unit == "frame"},
    }
    values["file"] |= {"columns": [column]} if column else {}
    values |= {"own": own} if own else {}
    parse_track(values, where=str(output))
    with whole_file(output) as path:
        path.write_text(toml_text(values), encoding="utf-8")
    say(str(output))


def _own(labels: str, units: str, dimensions: str) -> dict[str, Any]:
    from affectcheck.errors import InputError  # noqa: PLC0415

    if dimensions:
        told, *span = dimensions.split(":")
        try:
            low, high = map(float, span)
        except ValueError as error:
            raise InputError(
                f"--dimensions {dimensions}", expected="NAME,NAME:LOW:HIGH, such as joy,pride:0:1"
            ) from error
        return {"dimensions": list(names(told)), "low": low, "high": high}
    return {kind: list(names(told)) for kind, told in (("labels", labels), ("units", units)) if told}


def _coding(scheme: str, kind: str) -> str:
    """How cells say what is predicted where nothing is stated."""
    from affectcheck.schemes import scheme as built_in  # noqa: PLC0415
    from affectcheck.schemes import scheme_names  # noqa: PLC0415

    found = kind or (built_in(scheme).kind if scheme in scheme_names() else "categories")
    return {"units": "indicator", "dimensions": "value"}.get(found, "label")


def check(submission: Submission, track: TrackName, items: Items = None, json: Json = False) -> None:
    """Check a submission as the server does: format, coverage and every value, without any label."""
    from affectcheck.challenges import fault_plain, load_track, read_wanted  # noqa: PLC0415
    from affectcheck.errors import InputError  # noqa: PLC0415

    found = load_track(track)
    wanted = None if items is None else read_wanted(items, found)
    try:
        checked = _checked(submission, found, wanted)
    except InputError as error:
        if json:
            emit({"valid": False, "fault": fault_plain(error)}, "", as_json=True)
        raise
    told = {
        "valid": True,
        "track": found.name,
        "rows": len(checked.items),
        "files": len(checked.files),
        "digest": checked.digest,
        "notes": list(checked.notes),
    }
    text = f"valid: {len(checked.items)} rows in {len(checked.files)} file{'s' if len(checked.files) > 1 else ''}"
    emit(told, text, as_json=json)


def _checked(path: Path, track: Track, wanted: Wanted | None) -> Checked:
    from affectcheck.challenges import check_submission  # noqa: PLC0415

    checked = check_submission(path, track, wanted=wanted)
    for note in checked.notes:
        say(f"note: {note}")
    return checked


def score(
    submission: Submission,
    track: TrackName,
    labels: Labels,
    by: Groups = "",
    resamples: Resamples = 1000,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Check and score a submission: the track's score with its interval, by class, by video, and by group."""
    from affectcheck.challenges import (  # noqa: PLC0415
        ScoringOptions,
        load_track,
        read_labels,
        score_submission,
        video_scores,
        wanted_of,
    )
    from affectcheck.cli.challenge_text import score_plain, scored_text  # noqa: PLC0415

    found = load_track(track)
    truth = read_labels(labels, found)
    for note in truth.notes:
        say(f"note: {note}")
    checked = _checked(submission, found, wanted_of(truth, found))
    options = ScoringOptions(names(by), resamples, seed, submission.stem)
    scored = score_submission(checked, truth, found, options)
    videos = video_scores(checked, truth, found) if found.file.unit == "frame" else None
    emit(score_plain(scored, found, videos), scored_text(scored, found, videos), as_json=json)


def rank(
    file: Annotated[Path, typer.Argument(help="Submissions: CSV or JSON with team and score; id, time, status.")],
    track: Annotated[str, typer.Option("--track", "-t", help="Track whose direction holds; else see --lower.")] = "",
    score_column: Annotated[str, typer.Option("--score", help="Column of the score.")] = "score",
    lower: Annotated[bool, typer.Option("--lower", help="Lower is better.")] = False,
    json: Json = False,
) -> None:
    """Rank teams by their best valid submission: on full precision, equal scores share a place."""
    from affectcheck.challenges import load_track, ranking, read_entries  # noqa: PLC0415
    from affectcheck.cli.challenge_text import board_plain, board_text  # noqa: PLC0415
    from affectcheck.errors import InputError  # noqa: PLC0415

    if track and lower:
        raise InputError("--track and --lower", expected="one of the two: a track has its direction")
    higher = load_track(track).higher_is_better if track else not lower
    rows = ranking(read_entries(file, score=score_column), higher_is_better=higher)
    emit(board_plain(rows), board_text(rows), as_json=json)
