"""``affectcheck portal track``, and what is downloaded of one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from affectcheck.cli.output import Json, columns, emit, progress, say
from affectcheck.cli.portal_events import client, step
from affectcheck.cli.portal_words import EventName, Reason, Server, Track

File = Annotated[Path, typer.Argument(help="The file.")]
PhaseName = Annotated[str, typer.Argument(help="Name of the phase.")]


def register(noun: typer.Typer) -> None:
    """Add the noun, the board and the export."""
    track = typer.Typer(help="Tracks: made, filled, opened, closed.", no_args_is_help=True)
    noun.add_typer(track, name="track")
    for name, verb in _VERBS.items():
        track.command(name)(verb)
    noun.command()(board)
    noun.command()(export)


def new_track(
    event: EventName,
    definition: Annotated[str, typer.Argument(help="A .toml file, or the name of a track of the package.")],
    server: Server,
    slug: Annotated[str, typer.Option("--slug", help="Its short name in addresses; default: its own.")] = "",
    settings: Annotated[
        Path | None, typer.Option("--settings", help="A .toml file of what is shown of scores.")
    ] = None,
) -> None:
    """Make a track, which organisers alone see until it is published."""
    from affectcheck.challenges import load_track, plain  # noqa: PLC0415

    values: dict[str, Any] = {"track": plain(load_track(definition)), "slug": slug}
    if settings is not None:
        values["settings"] = _toml(settings)
    say(f"track {client(server).call('POST', f'/events/{step(event)}/tracks', values)['slug']}")


def show_track(track: Track, server: Server, json: Json = False) -> None:
    """Show a track: phases, what is there, and what is missing."""
    found = client(server, needs_token=False).call("GET", f"/tracks/{step(track)}")
    rows = [(name, "there" if found[f"has_{name}"] else "missing") for name in ("items", "labels", "pack")]
    rows += [
        (f"phase {one['name']}", f"{one['state']} ({one['opens'] or 'no beginning'} to {one['closes'] or 'no end'})")
        for one in found["phases"]
    ]
    rows += [("published", "yes" if found["published"] else "no")]
    emit(found, f"{found['title']}\n{columns(rows)}", as_json=json)


def set_track(track: Track, file: File, server: Server) -> None:
    """Set what is shown of scores, from a .toml file."""
    client(server).call("PUT", f"/tracks/{step(track)}/settings", _toml(file))
    say("set")


def send_items(track: Track, file: File, server: Server) -> None:
    """Send the list of what is to be predicted."""
    _send("PUT", track, "items", file, server)


def send_pack(track: Track, file: File, server: Server) -> None:
    """Send the participants' pack."""
    _send("PUT", track, "pack", file, server)


def send_labels(
    track: Track,
    file: File,
    server: Server,
    note: Annotated[str, typer.Option("--note", help="What is to be known of them, such as what was mended.")] = "",
) -> None:
    """Send labels; a worker reads them. The id that is printed is what `portal rescore` takes."""
    found = _send("POST", track, "labels", file, server, {"note": note})
    emit(found, found["id"], as_json=False)


def list_labels(track: Track, server: Server, json: Json = False) -> None:
    """List labels that were sent; their values are given out by no route."""
    found = client(server).call("GET", f"/tracks/{step(track)}/labels")
    rows = [
        (
            one["number"],
            one["id"],
            one["state"] + (", on the board" if one["active"] else ""),
            one["fault"] or one["note"],
        )
        for one in found
    ]
    emit(found, columns(rows, head=("no.", "id", "state", "note")), as_json=json)


def open_phase(track: Track, phase: PhaseName, server: Server, reason: Reason) -> None:
    """Open a phase now."""
    client(server).call("POST", f"/tracks/{step(track)}/open", {"phase": phase, "reason": reason})
    say(f"phase {phase} is open")


def close_phase(track: Track, phase: PhaseName, server: Server, reason: Reason) -> None:
    """Close a phase now; of a track without phases, the phase `open`."""
    client(server).call("POST", f"/tracks/{step(track)}/close", {"phase": phase, "reason": reason})
    say(f"phase {phase} is closed")


def set_phases(
    track: Track,
    file: File,
    server: Server,
    reason: Annotated[str, typer.Option("--reason", help="Why; needed once the track is published.")] = "",
) -> None:
    """Set all phases, from the [[phases]] of a .toml file such as the track's own."""
    phases = _toml(file).get("phases", [])
    plain = [{name: _moment(value) for name, value in one.items()} for one in phases]
    found = client(server).call("PUT", f"/tracks/{step(track)}/phases", {"phases": plain, "reason": reason})
    say(", ".join(f"{one['name']}: {one['state']}" for one in found["phases"]) or "always open")


def publish_track(
    track: Track, server: Server, hide: Annotated[bool, typer.Option("--hide", help="Hide it again.")] = False
) -> None:
    """Show a track to everyone who sees its event."""
    client(server).call("POST", f"/tracks/{step(track)}/publish", {"published": not hide})
    say(f"track {track} is {'hidden' if hide else 'published'}")


def archive_track(track: Track, server: Server) -> None:
    """Close a track for good, once its phases have ended."""
    client(server).call("POST", f"/tracks/{step(track)}/archive")
    say(f"track {track} is archived")


def download_items(track: Track, output: File, server: Server) -> None:
    """Write the list of what is to be predicted to a .parquet file."""
    client(server, needs_token=False).download(f"/tracks/{step(track)}/items", output)
    say(str(output))


def download_pack(track: Track, output: File, server: Server) -> None:
    """Write the participants' pack to a file."""
    client(server, needs_token=False).download(f"/tracks/{step(track)}/pack", output)
    say(str(output))


def add_baseline(
    track: Track,
    server: Server,
    name: Annotated[str, typer.Option("--name", help="Of the method.")],
    split: Annotated[str, typer.Option("--split", help="The part of the data that it is of.")],
    score: Annotated[float, typer.Option("--score", help="As published.")],
    source: Annotated[str, typer.Option("--source", help="Where it is from.")],
) -> None:
    """Add a score of reference."""
    values = {"name": name, "split": split, "score": score, "source": source}
    client(server).call("POST", f"/tracks/{step(track)}/baselines", values)
    say(f"baseline {name}")


def list_baselines(track: Track, server: Server, json: Json = False) -> None:
    """List scores of reference."""
    found = client(server, needs_token=False).call("GET", f"/tracks/{step(track)}/baselines")
    rows = [(one["id"], one["name"], one["split"], one["score"], one["source"]) for one in found]
    emit(found, columns(rows, head=("id", "baseline", "split", "score", "source")), as_json=json)


def remove_baseline(
    track: Track, baseline: Annotated[str, typer.Argument(help="Id of the baseline.")], server: Server
) -> None:
    """Remove a score of reference."""
    client(server).call("DELETE", f"/tracks/{step(track)}/baselines/{step(baseline)}")
    say("removed")


def board(
    track: Track,
    server: Server,
    form: Annotated[str, typer.Option("--as", help="text, json, csv or tex.")] = "text",
) -> None:
    """Print the board, as far as one may see it."""
    from affectcheck.cli.choices import choice  # noqa: PLC0415

    asked, path = client(server, needs_token=False), f"/tracks/{step(track)}/board"
    if choice("form of a board", form, ("text", "json", "csv", "tex")) in ("csv", "tex"):
        emit(None, asked.text(f"{path}.{form}"), as_json=False)
        return
    found = asked.call("GET", path)
    emit(found, _board_text(found), as_json=form == "json")


def export(track: Track, output: File, server: Server) -> None:
    """Write everything of a track to a .zip file, for organisers: submissions, scores, board, audit log."""
    client(server).download(f"/tracks/{step(track)}/export", output)
    say(str(output))


_VERBS: dict[str, Callable[..., None]] = {
    "new": new_track,
    "show": show_track,
    "settings": set_track,
    "items": send_items,
    "labels": send_labels,
    "label-sets": list_labels,
    "pack": send_pack,
    "phases": set_phases,
    "open": open_phase,
    "close": close_phase,
    "publish": publish_track,
    "archive": archive_track,
    "baseline": add_baseline,
    "baselines": list_baselines,
    "remove-baseline": remove_baseline,
    "download-items": download_items,
    "download-pack": download_pack,
}


def _board_text(found: dict[str, Any]) -> str:
    lines = [] if found["visible"] else [found["reason"]]
    rows = [
        (
            "–" if row["place"] is None else row["place"],
            _range(row),
            row["team"],
            row["score"]["text"],
            row["declared"]["method"],
        )
        for row in (*found["rows"], *found["baselines"])
    ]
    lines.append(columns(rows, head=("place", "95 %", "team", found["metric"], "method")))
    return "\n".join(lines)


def _range(row: dict[str, Any]) -> str:
    return "" if row["place_low"] is None else f"{row['place_low']}–{row['place_high']}"


def _toml(path: Path) -> dict[str, Any]:
    from affectcheck.strict import read_toml  # noqa: PLC0415

    return read_toml(path, "settings of a track")


def _moment(value: Any) -> Any:
    """A moment of a .toml file, which has a type for it, as JSON has it."""
    return value.isoformat() if hasattr(value, "isoformat") else value


def _send(  # what is sent where
    method: str, track: str, what: str, path: Path, server: str, query: dict[str, str] | None = None
) -> Any:
    from affectcheck.cli.portal_client import Sent  # noqa: PLC0415
    from affectcheck.errors import MissingPathError  # noqa: PLC0415

    if not path.is_file():
        raise MissingPathError.of("file", path)
    with progress("bytes sent") as update:
        # Labels that arrive twice are two sets of labels.
        sent = Sent(path, query or {}, {}, update, again=method == "PUT")
        found = client(server).send(method, f"/tracks/{step(track)}/{what}", sent).values()
    say(f"{what}: sent")
    return found
