"""Options of ``affectcheck score``: what the numbers of a file are, and from which of them on a unit is present."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affectcheck.cli.choices import choice, names

if TYPE_CHECKING:
    from affectcheck.audits import Validation

File = Annotated[
    Path,
    typer.Argument(
        help="CSV or Parquet with the truth, and the predictions unless in a second file; or a folder or quoted pattern "
        "of Parquet files with both, which need not fit into memory."
    ),
]
Units = Annotated[
    str,
    typer.Option("--units", help="Action units by commas, such as AU1,AU2; or a scheme as --labels au-12-affwild2."),
]
Range = Annotated[
    str, typer.Option("--range", help="LOW,HIGH of the dimensions that --labels names by commas, as --range=-1,1.")
]
OutputKind = Annotated[
    str,
    typer.Option(
        "--output-kind",
        help="What the predicted numbers are: label, probability, logit or score; default: by the prefix, else label.",
    ),
]
Threshold = Annotated[
    str,
    typer.Option("--threshold", help="Score from which a unit is present: one number, or AU1=0.4,AU2=0.3."),
]
ValidationFile = Annotated[
    Path | None, typer.Option("--validation", help="File to choose the thresholds of units on, with the same columns.")
]
ValidationPredictions = Annotated[
    Path | None, typer.Option("--validation-predictions", help="Its predictions, if they are in another file.")
]
ThresholdRule = Annotated[
    str,
    typer.Option(
        "--threshold-rule", help="Choose the threshold of best F1 per-unit, or one common to all by their mean F1."
    ),
]
Delimiter = Annotated[str, typer.Option("--delimiter", help="Character between the cells of a CSV file; 'tab' too.")]
Encoding = Annotated[str, typer.Option("--encoding", help="Encoding of a CSV file, such as cp1252; default: UTF-8.")]
Parts = Annotated[
    bool, typer.Option("--parts", help="Print the disparities of single units and dimensions too; reports hold them.")
]
Engine = Annotated[
    str, typer.Option("--engine", help="Where a folder of Parquet files is counted: polars (default) or ray, in tasks.")
]
Interval = Annotated[str, typer.Option("--interval", help="Kind of interval: percentile-t or bca.")]
Level = Annotated[float, typer.Option("--level", help="Nominal coverage of the intervals.")]
Limit = Annotated[float, typer.Option("--limit", min=0.0, help="Largest disparity that is accepted.")]
MinimumSupport = Annotated[
    int, typer.Option("--minimum-support", min=0, help="Items that a crossed group needs, as in --by age*sex.")
]
ClusterUnit = Annotated[
    str, typer.Option("--clusters", help="What is resampled as a whole: subject, media or item; the first there is.")
]
OUTPUTS = ("label", "probability", "logit", "score")


def column(option: str, text: str) -> str | dict[str, str]:
    """A column, or for several of them dimension to column.

    Raises:
        InputError: some words have an equals sign and others none.
    """
    from affectcheck.errors import InputError  # noqa: PLC0415

    if "=" not in text:
        return text
    pairs = [word.partition("=") for word in names(text)]
    if not all(part and equals and name for part, equals, name in pairs):
        raise InputError(f"--{option} is {text!r}", expected="a column, or NAME=COLUMN,NAME=COLUMN")
    found = {part.strip(): name.strip() for part, _, name in pairs}
    if len(found) < len(pairs):
        raise InputError(f"--{option} is {text!r}", expected="each unit or dimension once")
    return found


def scheme_of(labels: str, units: str, span: str) -> Any:
    """What is scored: a scheme by name, labels, units or dimensions by commas; None for the labels that occur.

    Raises:
        InputError: two of them are stated, or a range that is none.
        UnknownNameError: no such scheme.
    """
    from affectcheck.errors import InputError  # noqa: PLC0415
    from affectcheck.schemes import DimensionScheme, UnitScheme, scheme_names  # noqa: PLC0415

    if units and (labels or span):
        raise InputError("--units is stated beside --labels or --range", expected="one of them")
    if units:
        return UnitScheme("declared", _distinct("units", units))
    # A range makes even a single name that of a dimension, where without one it is that of a scheme.
    found = declared(labels) if not span or labels in scheme_names() else names(labels)
    if not span:
        return found
    if not labels or not isinstance(found, tuple | DimensionScheme):
        raise InputError(f"--range is {span!r}, but no dimensions are named", expected="--labels valence,arousal")
    low, high = _bounds(span)
    if isinstance(found, DimensionScheme):
        return DimensionScheme(found.name, found.dimensions, low, high, found.source)
    return DimensionScheme("declared", _distinct("labels", labels), low, high)


def declared(text: str) -> Any:
    """A scheme by name, labels by commas, or None for what occurs in the data."""
    from affectcheck.schemes import scheme, scheme_names  # noqa: PLC0415

    if not text:
        return None
    if text in scheme_names() or "," not in text:
        return scheme(text)
    return names(text)


def threshold_of(text: str) -> float | dict[str, float] | None:
    """One threshold for all units, or unit to threshold; None for nothing.

    Raises:
        InputError: a part is no number, or a unit is named twice.
    """
    from affectcheck.errors import InputError  # noqa: PLC0415

    if not text:
        return None
    pairs = [word.rpartition("=") for word in names(text)]
    try:
        values = [float(value) for _, _, value in pairs]
    except ValueError:
        values = []
    told = [unit.strip() for unit, _, _ in pairs]
    if not values or len(set(told)) < len(told) or (len(told) > 1 and not all(told)):
        raise InputError(f"--threshold is {text!r}", expected="one number, or each unit once: AU1=0.4,AU2=0.3")
    return dict(zip(told, values, strict=True)) if all(told) else values[0]


def validation_of(file: Path | None, predictions: Path | None, rule: str) -> Validation | None:
    """The files that thresholds are chosen on.

    Raises:
        InputError: predictions without a file, or a rule without one.
        UnknownNameError: no such rule.
    """
    from affectcheck.audits import Validation  # noqa: PLC0415
    from affectcheck.errors import InputError  # noqa: PLC0415

    wanted = choice("rule for thresholds", rule or "per-unit", ("per-unit", "common"))
    if file is None:
        if predictions is not None or rule:
            raise InputError("nothing says on which file thresholds are chosen", expected="--validation FILE")
        return None
    return Validation(file, predictions, wanted)


def output_of(text: str) -> Any:
    """What the numbers are; None for what their prefix says."""
    return choice("kind of output", text, OUTPUTS) if text else None


def delimiter_of(text: str) -> str:
    """The character, which for a tab is hard to type."""
    return "\t" if text in ("tab", "\\t") else text


def _distinct(option: str, text: str) -> tuple[str, ...]:
    from affectcheck.errors import InputError  # noqa: PLC0415

    found = names(text)
    if not found or len(set(found)) < len(found):
        raise InputError(f"--{option} is {text!r}", expected="names by commas, each once")
    return found


def _bounds(text: str) -> tuple[float, float]:
    from affectcheck.errors import InputError  # noqa: PLC0415

    try:
        low, high = (float(word) for word in text.split(","))
    except ValueError:
        raise InputError(f"--range is {text!r}", expected="LOW,HIGH such as --range=-1,1") from None
    return low, high


def engine_of(text: str) -> Any:
    """The engine that is asked for; empty for none.

    Raises:
        UnknownNameError: there is no such engine.
    """
    from affectcheck.errors import UnknownNameError  # noqa: PLC0415
    from affectcheck.evaluation.shards import ENGINES  # noqa: PLC0415

    if text and text not in ENGINES:
        raise UnknownNameError.of("engine", text, ENGINES)
    return text
