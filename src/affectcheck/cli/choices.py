"""Options that several verbs share, each written once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import typer


@dataclass
class Session:
    """What the program remembers of the verb that runs.

    Attributes:
        keeps: whether it keeps what it computes in the cache, so that the same command goes on from there.
    """

    keeps: bool = False


def _keeping(context: typer.Context, cache: Path | None) -> Path | None:
    """A verb that has a cache keeps what it computes."""
    session = context.find_object(Session)
    if session is not None:
        session.keeps = True
    return cache


Data = Annotated[
    str, typer.Option("--data", "-d", help="Data set: NAME, NAME:ROOT or NAME:ROOT?OPTION=VALUE (see `datasets list`).")
]
Corpora = Annotated[
    list[str],
    typer.Option("--data", "-d", help="Data set, as for `audit`; given several times, the model is tested on each."),
]
Model = Annotated[
    str,
    typer.Option(
        "--model", "-m", help="Recipe that is trained here, a saved model, a table, or Python code (see `models list`)."
    ),
]
Target = Annotated[
    str | None, typer.Option("--target", help="What is predicted; default: the data set's first target.")
]
By = Annotated[
    str | None,
    typer.Option(
        "--by", help="Group columns, separated by commas; a*b is an intersection. Default: all; 'none' for none."
    ),
]
Seed = Annotated[int, typer.Option("--seed", help="Seed of everything that is drawn.")]
Workers = Annotated[int, typer.Option("--workers", "--jobs", "-j", min=0, max=256, help="Processes; 0: one a core.")]
Engine = Annotated[str, typer.Option("--engine", help="Where processes run: local, or ray (a cluster's actors).")]
Cache = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        callback=_keeping,
        help="Folder of the cache; default: $AFFECTCHECK_CACHE or ~/.cache/affectcheck.",
    ),
]
Fresh = Annotated[
    bool,
    typer.Option(
        "--fresh", help="Predict anew, whatever the cache holds: for Python code whose weights or imports have changed."
    ),
]
Strict = Annotated[
    bool, typer.Option("--strict", help="Stop at the first faulty item; count inconclusive verdicts as failed.")
]
Resamples = Annotated[int, typer.Option("--resamples", min=0, help="Resamples of each interval.")]
Convention = Annotated[
    str, typer.Option("--convention", help="Definition of fairness scores: paper, tables or upstream.")
]
PartitionChoice = Annotated[
    str,
    typer.Option("--partition", help="make, own (the data set's own), none (test every item), or a manifest's folder."),
]
Subjects = Annotated[
    str,
    typer.Option("--subjects", help="column, none, or a regular expression that finds the subject in an item's key."),
]
Mode = Annotated[str, typer.Option("--mode", help="Rules of the behaviour tests: corrected or published.")]
MaxFaultShare = Annotated[
    float, typer.Option("--max-fault-share", help="Share of faulty items above which a run stops.")
]
Tested = Annotated[str, typer.Option("--tested", help="The set that is tested.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the run that the folder holds.")]


#: What options of these names may say; nothing heavy is loaded to know it.
MODES: Final = ("corrected", "published")
ENGINES: Final = ("local", "ray")
CONVENTIONS: Final = ("paper", "tables", "upstream")


def choice(option: str, value: str, known: tuple[str, ...]) -> Any:
    """The value, if it is one of the known ones.

    Raises:
        UnknownNameError: it is not.
    """
    from affectcheck.errors import UnknownNameError  # noqa: PLC0415

    if value not in known:
        raise UnknownNameError.of(option, value, known)
    return value


def names(text: str | None) -> tuple[str, ...]:
    """Names separated by commas; none for nothing."""
    return tuple(word.strip() for word in (text or "").split(",") if word.strip())


def names_or_none(text: str) -> tuple[str, ...]:
    """Names separated by commas; none for the word ``none``."""
    return () if text.strip() == "none" else names(text)
