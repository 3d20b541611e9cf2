"""``affectcheck portal submissions`` and what is done with one; scoring anew; the audit log."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from affectcheck.cli.output import Json, columns, emit, say
from affectcheck.cli.portal_events import client, step
from affectcheck.cli.portal_words import Campaign, Reason, Server, Submission, Track
from affectcheck.errors import EXIT_VERDICT_FAILED


def register(noun: typer.Typer) -> None:
    """Add the verbs."""
    for verb in (
        submissions,
        submission,
        download,
        choose,
        withdraw,
        disqualify,
        reinstate,
        rerun,
        rescore,
        campaign,
        switch,
        audit,
    ):
        noun.command()(verb)
    noun.command("accept-late")(accept_late)
    noun.command("cancel")(cancel)


def submissions(
    track: Track,
    server: Server,
    every: Annotated[bool, typer.Option("--all", help="Of all teams, for organisers.")] = False,
    state: Annotated[str, typer.Option("--state", help="Only those in this state; with --all.")] = "",
    json: Json = False,
) -> None:
    """List submissions of one's team, the newest first."""
    if every or state:
        found = client(server).call("GET", f"/tracks/{step(track)}/all-submissions", query={"state": state})
    else:
        found = client(server).call("GET", f"/tracks/{step(track)}/submissions")
    rows = [
        (
            one["id"],
            one["received"],
            one["team_name"],
            one["state"],
            (one["score"] or {}).get("text", ""),
            one["file_name"],
        )
        for one in found
    ]
    emit(found, columns(rows, head=("id", "received", "team", "state", "score", "file")), as_json=json)


def submission(submission: Submission, server: Server) -> None:
    """Print one submission as JSON: state, place in the queue, score, what is wrong with it."""
    emit(client(server).call("GET", f"/submissions/{step(submission)}"), "", as_json=True)


def download(
    submission: Submission, output: Annotated[Path, typer.Argument(help="The file to write.")], server: Server
) -> None:
    """Write the bytes that were sent to a file."""
    client(server).download(f"/submissions/{step(submission)}/file", output)
    say(str(output))


def choose(submission: Submission, server: Server) -> None:
    """Let a submission count for one's team, where the track counts the chosen one."""
    _do(server, submission, "choose")


def withdraw(
    submission: Submission,
    server: Server,
    reason: Annotated[str, typer.Option("--reason", help="Why.")] = "",
) -> None:
    """Take a scored submission off the board; its slot stays used."""
    _do(server, submission, "withdraw", {"reason": reason})


def disqualify(
    submission: Submission,
    server: Server,
    reason: Reason,
    free_slot: Annotated[bool, typer.Option("--free-slot", help="Give the team its slot back.")] = False,
) -> None:
    """Take a submission off the board, with a reason that its team is told; for organisers."""
    _do(server, submission, "disqualify", {"reason": reason, "free_slot": free_slot})


def reinstate(submission: Submission, server: Server) -> None:
    """Undo a disqualification; for organisers."""
    _do(server, submission, "reinstate")


def accept_late(submission: Submission, server: Server) -> None:
    """Take an upload that ended behind its phase; for organisers."""
    _do(server, submission, "accept-late")


def rerun(submission: Submission, server: Server) -> None:
    """Check one anew that failed by a fault of the portal; for organisers."""
    _do(server, submission, "rerun")


def rescore(
    track: Track,
    server: Server,
    labels: Annotated[str, typer.Option("--labels", help="Id of the labels, as `portal track labels` printed it.")],
    reason: Reason,
) -> None:
    """Score all submissions of a track anew; the board does not change until `portal switch`. Prints the campaign."""
    values = {"label_set": labels, "reason": reason}
    found = client(server).call("POST", f"/tracks/{step(track)}/campaigns", values)
    say(_state(found))
    emit(found, found["id"], as_json=False)


def campaign(campaign: Campaign, server: Server, json: Json = False) -> None:
    """Show how far a campaign is, and what it changes once it is ready."""
    asked = client(server)
    found = asked.call("GET", f"/campaigns/{step(campaign)}")
    changed = (
        asked.call("GET", f"/campaigns/{step(campaign)}/changes") if found["state"] in ("ready", "switched") else None
    )
    rows = [
        (one["team"], *(_shown(one[name]) for name in ("place_before", "place_after", "score_before", "score_after")))
        for one in (changed or {"teams": []})["teams"]
    ]
    table = columns(rows, head=("team", "place", "then", "score", "then")) if changed else ""
    emit({"campaign": found, "changes": changed}, f"{_state(found)}\n{table}", as_json=json)


def switch(
    campaign: Campaign,
    server: Server,
    confirm: Annotated[str, typer.Option("--confirm", help="Short name of the track, typed.")],
) -> None:
    """Let the board show the scores of a campaign; of one that was switched, those before it again."""
    say(_state(client(server).call("POST", f"/campaigns/{step(campaign)}/switch", {"confirm": confirm})))


def cancel(campaign: Campaign, server: Server) -> None:
    """Give a campaign up."""
    client(server).call("POST", f"/campaigns/{step(campaign)}/cancel")
    say("cancelled")


def audit(
    server: Server,
    after: Annotated[int, typer.Option("--after", min=0, help="Number of the last row that is known.")] = 0,
    json: Json = False,
) -> int:
    """List who did what, and say whether the log is whole; exit code 1 where it is not."""
    asked = client(server)
    rows: list[dict[str, Any]] = []
    while more := asked.call(
        "GET", "/audit", query={"after": str(rows[-1]["number"] if rows else after), "most": "1000"}
    ):
        rows += more
    state = asked.call("GET", "/audit/state")
    for fault in state["faults"]:
        say(f"fault: {fault}")
    table = columns(
        [(one["number"], one["at"], one["action"], one["subject"], one["actor"]) for one in rows],
        head=("no.", "at", "action", "subject", "by"),
    )
    emit({"rows": rows, "state": state}, table, as_json=json)
    return EXIT_VERDICT_FAILED if state["faults"] else 0


def _do(server: str, submission: str, what: str, values: dict[str, Any] | None = None) -> None:
    client(server).call("POST", f"/submissions/{step(submission)}/{what}", values)
    say(f"{what}: done")


def _state(found: dict[str, Any]) -> str:
    failed = f", {found['failed']} failed" if found["failed"] else ""
    return f"campaign {found['id']} of {found['slug']}: {found['state']}, {found['done']} of {found['total']}{failed}"


def _shown(value: Any) -> str:
    return "–" if value is None else str(value)
