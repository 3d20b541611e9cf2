"""Whether numbers are what a model's card says they are: shape, finite, probabilities that are some.

The kind of score is declared and checked over everything; it is never guessed from the data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from affectcheck.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.models.card import ModelCard, Output
    from affectcheck.schemes import Kind

#: How far the sum of a row of probabilities may be from 1: far above float32, far below a row of logits.
SUM_TOLERANCE: Final = 1e-3


class Flaw(NamedTuple):
    """The first thing wrong with a block of numbers, and the rows it is wrong in."""

    what: str
    expected: str
    cause: str
    rows: np.ndarray


def find_flaw(values: np.ndarray, kind: Kind, output: Output) -> Flaw | None:
    """What contradicts the declared kind of score.

    Args:
        values: (n, parts) finite or not.
        kind: categories, units or dimensions.
        output: what the numbers are declared to be.

    Returns:
        The flaw, or None.
    """
    wild = ~np.isfinite(values).all(axis=1)
    if wild.any():
        return Flaw("NaN or infinity", "finite numbers", "a division by zero or an empty input", np.flatnonzero(wild))
    if output == "probability" and kind != "dimensions":
        outside = ((values < 0) | (values > 1)).any(axis=1)
        if outside.any():
            return Flaw(
                "numbers outside 0 to 1 are declared to be probabilities",
                "probabilities, or the output declared as logit or score",
                "logits, before the softmax or sigmoid",
                np.flatnonzero(outside),
            )
    if output == "probability" and kind == "categories":
        off = np.abs(values.sum(axis=1) - 1.0) > SUM_TOLERANCE
        if off.any():
            first = float(values[np.flatnonzero(off)[0]].sum())
            return Flaw(
                f"the probabilities of an item sum to {first:.6g}",
                f"1, to within {SUM_TOLERANCE:g}",
                "scores of another kind (declare logit or score), or a class column left out",
                np.flatnonzero(off),
            )
    if output == "label":
        return _label_flaw(values, kind)
    return None


def _label_flaw(values: np.ndarray, kind: Kind) -> Flaw | None:
    binary = ((values == 0) | (values == 1)).all(axis=1)
    wrong = ~binary | (values.sum(axis=1) != 1) if kind == "categories" else ~binary
    if kind == "dimensions" or not wrong.any():
        return None
    return Flaw(
        "labels are declared, or nothing is, but the numbers are not 0 and 1 only"
        if not binary.all()
        else "an item does not have exactly one label",
        "1 for a label that applies, 0 for the others",
        "scores; declare the output as logit, probability or score",
        np.flatnonzero(wrong),
    )


def outside_range(values: np.ndarray, card: ModelCard) -> dict[int, str]:
    """Which rows of a model of dimensions lie outside the range that its card declares, in words.

    They are a finding, not an error: models of a value are seldom bounded, and their values are kept as they are.

    Args:
        values: (n, parts) finite.
        card: what the model declares.

    Returns:
        Row to sentence; empty for other kinds.
    """
    if card.kind != "dimensions" or card.output != "value":
        return {}
    outside = (values < card.low) | (values > card.high)
    found = {}
    for row in np.flatnonzero(outside.any(axis=1)).tolist():
        told = [f"{card.parts[part]} {values[row, part]:.6g}" for part in np.flatnonzero(outside[row]).tolist()]
        found[row] = f"{', '.join(told)}: the model declares {card.low:g} to {card.high:g}; kept as it is"
    return found


def require_output(values: object, card: ModelCard, keys: Sequence[str]) -> np.ndarray:
    """What a model returned for a batch, as float64, or the error that names model and item.

    Raises:
        ModelError: another type or shape than declared, a number that is not finite, or another kind of score.
    """
    where = f"model {card.name!r}, item {keys[0]!r}" + (f" and {len(keys) - 1} more" if len(keys) > 1 else "")
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ModelError(
            f"the model returned {type(values).__name__}, which is no array of numbers",
            where=where,
            expected=f"({len(keys)}, {len(card.parts)}) numbers",
        ) from error
    if found.shape != (len(keys), len(card.parts)):
        raise ModelError(
            f"the model returned an array of shape {found.shape}",
            where=where,
            expected=f"({len(keys)}, {len(card.parts)}): a row an item, a column for each of {', '.join(card.parts)}",
            cause="another label set than the card declares, or a batch dimension left out",
        )
    flaw = find_flaw(found, card.kind, card.output)
    if flaw:
        raise ModelError(
            flaw.what,
            where=f"model {card.name!r}, item {keys[int(flaw.rows[0])]!r}",
            expected=flaw.expected,
            cause=flaw.cause,
        )
    return found
