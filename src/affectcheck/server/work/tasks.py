"""What a child process does: read labels, check an upload, score predictions, draw places. Files in, values out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from affectcheck.annotations.listing import plural
from affectcheck.challenges import (
    BoardOptions,
    Limits,
    check_submission,
    keep_labels,
    load_kept,
    parse_track,
    rank_intervals,
    read_wanted,
    score_for_board,
    wanted_of_kept,
    write_wanted,
)
from affectcheck.errors import InputError
from affectcheck.server.work.kept_predictions import read_predictions, write_predictions
from affectcheck.server.work.label_files import unpacked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from affectcheck.challenges import KeptLabels, Track, Wanted

    Request = Mapping[str, Any]
    Tell = Callable[[int, int], None]

#: Names of files that are told of an upload.
_FILES: Final = 20
_SHOWN: Final = 5


def check(request: Request, tell: Tell) -> dict[str, Any]:
    """Check an upload against the list of items, and write its predictions."""
    track = _track(request)
    tell(0, 2)
    wanted = read_wanted(Path(request["items"]), track)
    tell(1, 2)
    limits = Limits(**request["upload_limits"])
    checked = check_submission(Path(request["upload"]), track, wanted=wanted, limits=limits, name=request["name"])
    write_predictions(checked, Path(request["predictions"]))
    tell(2, 2)
    return {
        "rows": len(checked.items),
        "files": list(checked.files[:_FILES]),
        "number_of_files": len(checked.files),
        "notes": list(checked.notes),
        "digest": checked.digest,
    }


def score(request: Request, tell: Tell) -> dict[str, Any]:
    """Score checked predictions against kept labels; tallies and the sketch are written beside."""
    track = _track(request)
    wanted = read_wanted(Path(request["items"]), track)
    checked = read_predictions(Path(request["predictions"]), wanted.items)
    others = {name: Path(path).read_bytes() for name, path in request["others"].items()}
    options = BoardOptions(
        resamples=request["resamples"], seed=request["seed"], name=request["name"], others=others, progress=tell
    )
    found = score_for_board(checked, load_kept(Path(request["labels"]), track), track, options)
    Path(request["shares"]).write_bytes(found.shares)
    Path(request["sketch"]).write_bytes(found.sketch)
    return {"score": found.headline.value, "scorer": found.scorer, "result": found.plain()}


def labels(request: Request, tell: Tell) -> dict[str, Any]:
    """Read labels once and keep them for scoring; they must be of the track's list, or make it."""
    track = _track(request)
    tell(0, 2)
    source = unpacked(Path(request["source"]), request["name"], Path(request["scratch"]))
    kept = keep_labels(source, track, Path(request["kept"]))
    tell(1, 2)
    wanted = wanted_of_kept(kept, track)
    if request["items"]:
        _require_same_items(wanted, read_wanted(Path(request["items"]), track))
    else:
        write_wanted(wanted, Path(request["made_items"]))
    tell(2, 2)
    facts = {"height": kept.height, "labelled": kept.labelled, "notes": list(kept.notes), "unit": kept.unit}
    return {**facts, "content": kept.digest, "groups": _groups(kept)}


def standing(request: Request, tell: Tell) -> dict[str, Any]:
    """Intervals of the places of a board's submissions."""
    track = _track(request)
    tell(0, 1)
    shares = [Path(path).read_bytes() if path else b"" for path in request["shares"]]
    found = rank_intervals(shares, track, resamples=request["resamples"], seed=request["seed"])
    tell(1, 1)
    return {"intervals": [[one.low, one.high, one.place, one.reason] for one in found]}


#: What can be asked for, by the kind of the job.
TASKS: Final = {"check": check, "score": score, "labels": labels, "standing": standing}


def _track(request: Request) -> Track:
    return parse_track(request["track"], where="the track")


def _require_same_items(found: Wanted, listed: Wanted) -> None:
    """Labels and list are of the same items.

    Raises:
        InputError: they are not.
    """
    missing = listed.items.filter(~listed.items.is_in(found.items.implode()))
    extra = found.items.filter(~found.items.is_in(listed.items.implode()))
    told = [
        f"{plural(len(some), 'item')} {what}: {', '.join(some.head(_SHOWN).to_list())}"
        for some, what in ((missing, "of the list without a row"), (extra, "that the list does not have"))
        if len(some)
    ]
    if told:
        raise InputError(
            f"labels of other items than the track's list: {'; '.join(told)}",
            expected="a row for each item of the list, with the marker or an empty cell where it is not annotated",
            cause="the labels of another part of the data",
        )


def _groups(kept: KeptLabels) -> dict[str, dict[str, int]]:
    """How many items each group has."""
    found = {}
    for name in kept.groups:
        counts = kept.rows(name).to_series().drop_nulls().value_counts(sort=True, name="n")
        found[name] = {str(group): int(count) for group, count in counts.iter_rows()}
    return found
