"""Scores across databases: truth and model have other label sets, and what they have in common is scored.

Items of a class that the model cannot give are left out and counted, class by class. A decision for a class that the
truth cannot have is taken again among the common classes, by the largest of the model's scores; where there are no
scores it is a wrong answer, since leaving it out would spare the model its mistakes.
"""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

import numpy as np

from affectcheck.annotations.listing import plural
from affectcheck.errors import InputError
from affectcheck.evaluation.labels import LabelTable, Spellings, require_no_mapping
from affectcheck.schemes import EXPRESSIONS, CategoryScheme, fold, parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.evaluation.alignment import Aligned
    from affectcheck.schemes import StatedMapping, Target

#: Spellings of expressions, for hints alone.
SPELLINGS: Final = {old: new for one in EXPRESSIONS for old, new in one.spellings().items()}
INTERSECTION: Final = "intersection"
#: What stands in a signature before the labels that only the model has.
MODEL_ONLY: Final = ",model only:"
AGAIN: Final = "taken again among the common classes, by the largest score"
WRONG: Final = "counted as wrong"


def common_table(target: Target, model: tuple[str, ...], stated: StatedMapping) -> LabelTable:
    """Settle the scored labels: those that truth and model have in common, in the truth's order.

    Args:
        target: what is scored.
        model: the model's labels, units or dimensions.
        stated: the user's mapping.

    Raises:
        UnknownNameError: the mapping names a label that neither side has, or that is no label of the truth.
        InputError: fewer than two classes, or no unit or dimension, are in common.
    """
    if isinstance(target.scheme, CategoryScheme):
        return _common_classes(Spellings(target.scheme, model, stated))
    require_no_mapping(target, stated)
    names, kind = parts(target.scheme), target.scheme.kind
    shared = tuple(name for name in names if name in model)
    _require(shared, names, model, 1, f"{kind} that are spelt in another way")
    truth_only = tuple(name for name in names if name not in shared)
    model_only = tuple(name for name in model if name not in shared)
    return _told(LabelTable(shared, columns=shared, truth_only=truth_only, model_only=model_only), "", kind)


def _common_classes(spelt: Spellings) -> LabelTable:
    """The classes that both have under the stated mapping."""
    own = {label: spelt.of(label) for label in spelt.scheme.labels}
    told = {label: spelt.of(label) for label in spelt.model}
    shared = tuple(label for label in spelt.scheme.labels if label in own.values() and label in told.values())
    _require(shared, spelt.scheme.labels, spelt.model, 2, "labels that differ in spelling alone; state a mapping")
    dropped = {label for label in (*own, *told) if spelt.leaves_out(label)}
    table = LabelTable(
        shared,
        {label: new for label, new in own.items() if new in shared or label in dropped},
        {label: new for label, new in told.items() if new in shared or label in dropped},
        truth_only=tuple(label for label, new in own.items() if new not in shared and label not in dropped),
        model_only=tuple(label for label, new in told.items() if new not in shared and label not in dropped),
    )
    return _told(table, spelt.told, "classes")


def scored_by(mapping: str) -> str:
    """What two models' mappings may be compared by: which further labels a model has is its own.

    Example:
        >>> scored_by("intersection,truth only:boredom,model only:calm"), scored_by("calm>neutral,intersection,model only:x")
        ('intersection,truth only:boredom', 'calm>neutral')
    """
    told = mapping.partition(MODEL_ONLY)[0]
    return told.removesuffix(INTERSECTION).removesuffix(",")


def settle_outside(aligned: Aligned, labels: LabelTable) -> Aligned:
    """Leave out the items of classes that the model does not have, and settle decisions for those that only it has."""
    true = _counted(aligned.truth, labels.truth_only)
    aligned = aligned.keep(
        np.asarray(aligned.truth > labels.OUTSIDE), f"of classes that the model does not have ({_list(true)}): left out"
    )
    decided = _counted(aligned.prediction, labels.model_only)
    outside = np.asarray(aligned.prediction <= labels.OUTSIDE)
    aligned = replace(aligned, outside={"truth": true, "prediction": decided})
    if not outside.any():
        return aligned
    again = np.full(int(outside.sum()), labels.MISSING)
    how = f"{WRONG}, since {aligned.no_scores}"
    if aligned.scores is not None:
        again, how = aligned.scores[outside].argmax(axis=1), AGAIN
    prediction = aligned.prediction.copy()
    prediction[outside] = again
    note = (
        f"{plural(int(outside.sum()), 'decision')} for classes that the truth does not have ({_list(decided)}): {how}"
    )
    return replace(aligned, prediction=prediction, notes=(*aligned.notes, note))


def renormalised(probabilities: np.ndarray) -> np.ndarray:
    """Probabilities of the common classes alone, each row with the sum 1; a row of zeros favours no class.

    Example:
        >>> renormalised(np.array([[0.25, 0.25], [0.0, 0.0]])).tolist()
        [[0.5, 0.5], [0.5, 0.5]]
    """
    total = probabilities.sum(axis=1, keepdims=True)
    even = np.full_like(probabilities, 1.0 / probabilities.shape[1])
    return np.asarray(np.divide(probabilities, total, out=even, where=total > 0.0))


def _told(table: LabelTable, stated: str, what: str) -> LabelTable:
    """With the rule as it stands in a signature and as a note; a rule that leaves nothing out says nothing."""
    if not table.truth_only and not table.model_only:
        return replace(table, stated=stated)
    sides = {"truth": table.truth_only, "model": table.model_only}
    rule = [f"{side} only:{'/'.join(names)}" for side, names in sides.items() if names]
    also = [f"the {side} also has {', '.join(names)}" for side, names in sides.items() if names]
    notes = [f"scored are the {len(table.parts)} {what} that truth and model have in common; {'; '.join(also)}"]
    same = [f"{new}={old}" for new in table.model_only if (old := _near(new, table.truth_only))]
    if same and what == "classes":
        notes.append(f"perhaps the same in another spelling, which a stated mapping would join: {', '.join(same)}")
    return replace(table, stated=",".join(filter(None, [stated, INTERSECTION, *rule])), notes=tuple(notes))


def _near(label: str, others: Sequence[str]) -> str:
    """The label of the other side that one probably means, by what expressions are also called or by its letters."""
    named = {SPELLINGS.get(fold(other), fold(other)): other for other in others}
    found = get_close_matches(SPELLINGS.get(fold(label), fold(label)), named, n=1, cutoff=0.8)
    return named[found[0]] if found else ""


def _require(shared: Sequence[str], truth: Sequence[str], model: Sequence[str], least: int, cause: str) -> None:
    if len(shared) < least:
        raise InputError(
            f"truth and model have {', '.join(shared) or 'nothing'} in common",
            expected=f"at least {least}; the truth has {', '.join(truth)}, the model {', '.join(model)}",
            cause=cause,
        )


def _counted(codes: np.ndarray, labels: tuple[str, ...]) -> dict[str, int]:
    """Items by label outside the common ones, zeros included."""
    return {label: int((codes == LabelTable.OUTSIDE - place).sum()) for place, label in enumerate(labels)}


def _list(counts: dict[str, int]) -> str:
    return ", ".join(f"{label} {count}" for label, count in counts.items() if count)
