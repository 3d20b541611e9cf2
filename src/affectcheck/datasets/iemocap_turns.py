"""The evaluation files of IEMOCAP: one line of times, class and mean ratings for every turn."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations.listing import plural
from affectcheck.annotations.text import read_bytes
from affectcheck.datasets.corpus_files import entries, refuse, shown
from affectcheck.datasets.leaving_out import Kept

if TYPE_CHECKING:
    from pathlib import Path

SESSIONS: Final = (1, 2, 3, 4, 5)
#: Codes of classes in the evaluation files; ``xxx`` says that no class had a majority.
CLASSES: Final = {
    "ang": "anger",
    "dis": "disgust",
    "exc": "excitement",
    "fea": "fear",
    "fru": "frustration",
    "hap": "happiness",
    "neu": "neutral",
    "oth": "other",
    "sad": "sadness",
    "sur": "surprise",
}
_NO_AGREEMENT: Final = "xxx"
#: Order of the mean ratings in a line; activation is what we call arousal.
_RATINGS: Final = ("valence", "arousal", "dominance")
_LINE: Final = re.compile(r"\[\s*(\d+\.?\d*)\s*-\s*(\d+\.?\d*)\s*\]\s+(\S+)\s+(\S+)\s+\[([^\]]*)\]")
_TURN: Final = re.compile(r"(Ses0([1-5])[FM]_(impro|script)\w*?)_([FM])\w+")
_SEX: Final = {"F": "female", "M": "male"}
_KIND: Final = {"impro": "improvised", "script": "scripted"}
_EXAMPLE: Final = "[6.2901 - 8.2357]	Ses01F_impro01_F000	neu	[2.5000, 2.5000, 2.5000]"
_ITEMS: Final = 10_039


class _LineError(ValueError):
    """A line of a turn that is not of the form; the text says why."""


def evaluations() -> tuple[str, ...]:
    """Where the files of each session lie."""
    return tuple(f"Session{session}/dialog/EmoEvaluation" for session in SESSIONS)


def read_turns(base: Path) -> Kept:
    """Every turn that has been judged.

    Returns:
        ``item``, ``subject``, ``sex``, ``session``, ``dialogue``, ``kind``, ``from_s``, ``to_s``, ``expression``
        (null without agreement) and the ratings as they were given; notes count what is not known or not here.

    Raises:
        InputError: lines that are not of the form, turns in the files of another session or dialogue, or no turn at
            all; all are listed.
    """
    rows: list[dict[str, object]] = []
    faults: list[str] = []
    empty: list[str] = []
    there = [session for session, folder in zip(SESSIONS, evaluations(), strict=True) if (base / folder).is_dir()]
    for session in there:
        for path in entries(base / evaluations()[session - 1], ".txt"):
            name, before = shown(path.relative_to(base).as_posix()), len(rows) + len(faults)
            for number, line in enumerate(read_bytes(path).decode("latin-1").splitlines(), 1):
                if not line.lstrip().startswith("["):  # the head, and what each annotator said
                    continue
                try:
                    rows.append(_turn(line.strip(), session, path.stem))
                except _LineError as error:
                    faults.append(f"{name}: line {number}: {error}")
            empty += [name] * (len(rows) + len(faults) == before)
    refuse(faults, what="lines of turns that do not fit", where=str(base), expected=f"lines such as {_EXAMPLE}")
    refuse(
        [] if rows else [evaluations()[session - 1] for session in there],
        what="folders of evaluations without a single turn",
        where=str(base),
        expected="files such as Ses01F_impro01.txt in them",
        cause="an archive that was unpacked in part",
    )
    frame = pl.DataFrame(rows, infer_schema_length=None).with_columns(
        pl.col("expression").cast(pl.String), *(pl.col(name).cast(pl.Float64) for name in _RATINGS)
    )
    return Kept(frame, _notes(frame, [session for session in SESSIONS if session not in there], empty))


def _notes(frame: pl.DataFrame, absent: list[int], empty: list[str]) -> tuple[str, ...]:
    unsure = frame.get_column("expression").null_count()
    sessions = ", ".join(map(str, absent))
    found = [
        (absent, f"session {sessions} is not here" if len(absent) == 1 else f"sessions {sessions} are not here"),
        (empty, f"no turn stands in {plural(len(empty), 'file')} of evaluations, such as {''.join(empty[:1])}"),
        (frame.height != _ITEMS, f"{frame.height} of the {_ITEMS} items of the set are here"),
        (unsure, f"{plural(unsure, 'turn')} without agreement (xxx), which gives no class"),
    ]
    return tuple(note for holds, note in found if holds)


def _turn(line: str, session: int, dialogue: str) -> dict[str, object]:
    found = _LINE.match(line)
    if found is None:
        raise _LineError(line)
    start, end, turn, code, ratings = found.groups()
    name = _TURN.fullmatch(turn)
    if name is None:
        raise _LineError(f"the turn is called {turn}")
    if (int(name[2]), name[1]) != (session, dialogue):
        raise _LineError(f"{turn} in the evaluations of {dialogue} of session {session}")
    if code not in CLASSES and code != _NO_AGREEMENT:
        raise _LineError(f"{turn}: the class {code} is none of {', '.join((*CLASSES, _NO_AGREEMENT))}")
    return {
        "item": turn,
        "subject": f"{session:02}{name[4]}",  # who speaks; the letter behind the session wears the markers
        "sex": _SEX[name[4]],
        "session": session,
        "dialogue": dialogue,
        "kind": _KIND[name[3]],
        "from_s": float(start),
        "to_s": float(end),
        "expression": CLASSES.get(code),
    } | dict(zip(_RATINGS, _numbers(ratings, turn), strict=True))


def _numbers(text: str, turn: str) -> list[float | None]:
    """The three mean ratings; one that is not there (an empty place, or not a number) is None."""
    cells = [cell.strip() for cell in text.split(",")]
    if len(cells) != len(_RATINGS):
        raise _LineError(f"{turn}: {len(cells)} ratings [{text}], not {len(_RATINGS)}")
    try:
        values = [float(cell) if cell else None for cell in cells]
    except ValueError as error:
        raise _LineError(f"{turn}: ratings [{text}] are no numbers") from error
    return [value if value is not None and value == value else None for value in values]  # noqa: PLR0124  # NaN
