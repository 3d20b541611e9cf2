"""``affectcheck submit``: check a file as the server does, send it, and wait for its score."""

from __future__ import annotations

import json as json_
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from affectcheck.cli.output import Json, emit, progress, say
from affectcheck.cli.portal_words import Server
from affectcheck.errors import EXIT_VERDICT_FAILED

if TYPE_CHECKING:
    from affectcheck.challenges import Track
    from affectcheck.cli.portal_client import PortalClient

_POLL_S: Final = (0.5, 1.0, 2.0)


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(submit)


@dataclass(frozen=True)
class _Sending:
    """What is to be sent where."""

    client: PortalClient
    track: str
    path: Path
    declaration: dict[str, Any]


def submit(
    file: Annotated[Path, typer.Argument(help="Predictions: a table, or a zip or tar, as the track takes them.")],
    server: Server,
    track: Annotated[str, typer.Option("--track", "-t", help="Short name of the track on the server.")],
    declaration: Annotated[
        Path | None, typer.Option("--declaration", help="A .toml file with the fields of the declaration.")
    ] = None,
    method: Annotated[str, typer.Option("--method", help="Declared: name of the method.")] = "",
    link: Annotated[str, typer.Option("--link", help="Declared: where it is described, https://….")] = "",
    pretraining: Annotated[
        str, typer.Option("--pretraining", help="Declared: what models had been trained on before; none for nothing.")
    ] = "",
    uni_task: Annotated[
        bool | None,
        typer.Option("--uni-task/--other-tasks", help="Declared: whether only the track's own annotations were used."),
    ] = None,
    other_data: Annotated[str, typer.Option("--other-data", help="Declared: other data or annotations used.")] = "",
    affiliation: Annotated[str, typer.Option("--affiliation", help="Declared: of the team.")] = "",
    text: Annotated[str, typer.Option("--text", help="Declared: whatever else is to be known.")] = "",
    wait: Annotated[bool, typer.Option("--wait", help="Wait until it is scored.")] = False,
    json: Json = False,
) -> int:
    """Send a submission to a portal; the token is taken from AFFECTCHECK_TOKEN alone.

    The file is checked here first, by the same code and the same list as on the server. Equal bytes are one submission,
    so that the command may be given again after a lost connection. Exit code 1 where the server finds it invalid.
    """
    from affectcheck.cli.portal_client import PortalClient  # noqa: PLC0415  # keeps `--help` fast

    stated = {"method": method, "link": link, "pretraining": pretraining, "uni_task": uni_task}
    stated |= {"other_data": other_data, "affiliation": affiliation, "text": text}
    client = PortalClient.of(server)
    told = client.call("GET", f"/tracks/{_step(track)}")
    sending = _Sending(client, track, file, _declared(declaration, stated))
    _check(sending, told)
    receipt = _send(sending)
    found = _followed(client, receipt, told["has_labels"]) if wait else None
    emit({"receipt": receipt, "submission": found}, _text(receipt, found), as_json=json)
    lost = found is not None and found["state"] in ("invalid", "failed", "disqualified")
    return EXIT_VERDICT_FAILED if lost else 0


def _step(name: str) -> str:
    from affectcheck.cli.portal_client import step  # noqa: PLC0415

    return step(name)


def _declared(path: Path | None, stated: dict[str, Any]) -> dict[str, Any]:
    """The file's fields, below those of the command line."""
    from affectcheck.strict import read_toml  # noqa: PLC0415

    values = {} if path is None else read_toml(path, "declaration")
    return values | {name: value for name, value in stated.items() if value not in ("", None)}


def _check(sending: _Sending, told: dict[str, Any]) -> None:
    """What the server would say, before anything is sent."""
    from affectcheck.challenges import check_submission, parse_track, read_wanted  # noqa: PLC0415
    from affectcheck.challenges.declaration import parse_declaration  # noqa: PLC0415
    from affectcheck.errors import InputError, MissingPathError  # noqa: PLC0415

    if not sending.path.is_file():
        raise MissingPathError.of("submission", sending.path, expected="a file; pack a folder as a zip")
    size = sending.path.stat().st_size
    if size > told["upload_bytes"]:
        raise InputError(
            f"a file of {size} bytes", where=str(sending.path), expected=f"at most {told['upload_bytes']}; zip it"
        )
    track = parse_track(told["track"], where=f"the track {sending.track}")
    parse_declaration(sending.declaration, track)
    with tempfile.TemporaryDirectory() as folder:
        wanted = None
        if told["has_items"]:
            listed = Path(folder) / "items.parquet"
            sending.client.download(f"/tracks/{_step(sending.track)}/items", listed)
            wanted = read_wanted(listed, track)
        checked = check_submission(sending.path, track, wanted=wanted)
    for note in checked.notes:
        say(f"note: {note}")
    say(_valid(len(checked.items), track))


def _valid(rows: int, track: Track) -> str:
    return f"checked here: {rows} rows, valid for {track.title}"


def _send(sending: _Sending) -> dict[str, Any]:
    from affectcheck.cli.portal_client import Sent, digest_of  # noqa: PLC0415

    headers = {"Affectcheck-Declaration": json_.dumps(sending.declaration, ensure_ascii=True)}
    with progress("bytes sent") as update:
        sent = Sent(sending.path, {"digest": digest_of(sending.path)}, headers, update)
        receipt: dict[str, Any] = sending.client.send(
            "POST", f"/tracks/{_step(sending.track)}/submissions", sent
        ).values()
    return receipt


def _followed(client: PortalClient, receipt: dict[str, Any], has_labels: bool) -> dict[str, Any]:
    """The submission once nothing more is done with it, for now."""
    from affectcheck.challenges import RUNNING  # noqa: PLC0415

    shown, turn = "", 0
    while True:
        found = _asked(client, receipt["id"])
        line = _progress(found)
        if line != shown:
            say(line)
            shown = line
        if found["state"] not in RUNNING:
            return found
        if found["state"] == "queued" and not has_labels:
            say("the organisers have not sent labels yet; the score comes later")
            return found
        sys.stderr.flush()
        time.sleep(_POLL_S[min(turn, len(_POLL_S) - 1)])
        turn += 1


def _asked(client: PortalClient, key: str) -> dict[str, Any]:
    """A submission as it is; a portal that starts anew meanwhile is waited for."""
    from affectcheck.cli.portal_client import PAUSES_S, LostError  # noqa: PLC0415

    for pause in (*PAUSES_S, None):
        try:
            found: dict[str, Any] = client.call("GET", f"/submissions/{key}")
        except LostError:
            if pause is None:
                say(f"the submission {key} has arrived; ask for it with `affectcheck portal submission {key}`")
                raise
            time.sleep(pause)
        else:
            return found
    raise AssertionError("unreachable")


def _progress(found: dict[str, Any]) -> str:
    ahead = found["progress"]
    if ahead is None or ahead["position"] is None:
        return str(found["state"])
    if ahead["position"]:
        return f"{found['state']}: number {ahead['position']} in the queue"
    return f"{found['state']}: {ahead['done']} of {ahead['total']}" if ahead["total"] else str(found["state"])


def _text(receipt: dict[str, Any], found: dict[str, Any] | None) -> str:
    again = " (these bytes had arrived before; nothing was counted)" if receipt["already"] else ""
    lines = [
        f"submission  {receipt['id']}{again}",
        f"received    {receipt['received']}, {receipt['size']} bytes",
        f"sha-256     {receipt['digest']}",
        f"signature   {receipt['signature']}",
        f"state       {(found or receipt)['state']}",
    ]
    if found is not None and found["score"] is not None:
        reason = f" ({found['score']['reason']})" if found["score"]["reason"] else ""
        lines.append(f"score       {found['score']['text']}{reason}")
    elif found is not None and found["state"] == "scored":
        lines.append("score       told when the last phase has ended")
    if found is not None and found["fault"]:
        lines += [f"{name:<11} {found['fault'][name]}" for name in _FAULT if found["fault"].get(name)]
    return "\n".join(lines)


_FAULT: Final = ("where", "what", "expected", "cause")
