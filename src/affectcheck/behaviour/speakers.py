"""What each speaker shows on average: mean value of a dimension, or share of each class, in truth and prediction.

Speakers with few items say little, and are left out. A class that a model never predicts for a speaker has the share
0 there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.annotations.listing import plural
from affectcheck.behaviour.intervals import with_intervals
from affectcheck.behaviour.measured import Measured, Question
from affectcheck.behaviour.medium import counted_as
from affectcheck.behaviour.recording_names import recording_of
from affectcheck.records import Place
from affectcheck.schemes import fold

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from affectcheck.behaviour.definition import Comparison
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Setting
    from affectcheck.behaviour.requirements import Speakers
    from affectcheck.tallies import Tally

    Floats = NDArray[np.float64]

#: Means that agree to this many decimals are equal: what is left is rounding of sums.
_DECIMALS: Final = 12


@dataclass(frozen=True, eq=False)
class SpeakerMeans:
    """Means of the speakers that count, one row each, in the order of their names.

    Attributes:
        material: the items of these speakers.
        truth: (S, P) of the annotations.
        prediction: (S, P) of the predictions.
        first: (S,) row of the speaker's first item.
        parts: the classes, or the one dimension.
        reason: why they cannot be tested; empty if they can.
        minimum: speakers that the test takes.
    """

    material: Material
    truth: Floats
    prediction: Floats
    first: NDArray[np.int64]
    parts: tuple[str, ...]
    reason: str = ""
    minimum: int = 1

    @property
    def size(self) -> int:
        """Number of speakers."""
        return len(self.truth)

    @property
    def cells(self) -> NDArray[np.int64]:
        """(S,) each speaker by itself."""
        return np.arange(self.size)


def speaker_means(material: Material, setting: Setting) -> list[SpeakerMeans]:
    """Means of all classes together, or of each dimension by itself.

    Args:
        material: the items; those without a subject are left out and counted.
        setting: which speakers count, and how many the mode takes.
    """
    spoken = _of_known(_by_unit(material, setting), setting)
    if setting.task.kind == "categories":
        return [_of_classes(spoken.labelled(), setting)]
    return [_of_values(spoken.dimension(index).known(), setting) for index in range(len(spoken.parts))]


def counted(setting: Setting) -> Speakers:
    """Which speakers count, and how their quantiles are cut.

    Raises:
        LookupError: the definition does not say it, which its format does not allow of tests of speakers.
    """
    if setting.definition.speakers is None:
        raise LookupError(setting.definition.name)
    return setting.definition.speakers


def ask(means: SpeakerMeans, comparison: Comparison, tally: Tally, statistic: Callable[[Any], Floats]) -> Question:
    """A comparison of the speakers' means, for each of their parts.

    Args:
        means: the means.
        comparison: what is compared.
        tally: of the speakers, each a cluster.
        statistic: tally to (..., parts).
    """
    return Question(
        comparison,
        tally,
        statistic,
        places=tuple(Place(part=part) for part in means.parts),
        supports=(means.size,) * len(means.parts),
        minimum=1,
        reasons=lambda: ("",) * len(means.parts),
    )


def answers(means: SpeakerMeans, questions: list[Question], setting: Setting) -> list[Measured]:
    """Answers with intervals over speakers."""
    noted = means.material.noted(f"over the means of {means.size} {counted_as(setting.definition)}")
    return [replace(one, minimum=means.minimum) for one in with_intervals(questions, noted, setting)]


def untested(means: SpeakerMeans, setting: Setting) -> list[Measured]:
    """Every comparison of speakers that cannot be tested."""
    places = [Place(part=part) for part in means.parts] or [Place()]
    return [
        Measured(comparison, place, None, means.reason, means.size, means.minimum, notes=means.material.notes)
        for comparison in setting.task.comparison
        for place in places
    ]


def _by_unit(material: Material, setting: Setting) -> Material:
    """The items with their recordings in the place of subjects, where averages are taken over those."""
    if counted(setting).unit == "subject":
        return material
    return replace(material, frame=material.frame.with_columns(subject=recording_of(material.frame)))


def _of_known(material: Material, setting: Setting) -> Material:
    unknown = material.frame.get_column("subject").is_null().to_numpy()
    return material.without(unknown, f"items without a known {counted_as(setting.definition).removesuffix('s')}")


def _of_classes(material: Material, setting: Setting) -> SpeakerMeans:
    """In corrected mode a class without any item is none that speakers could lack."""
    if setting.rules.labels != "observed":
        present = np.bincount(material.truth, minlength=len(material.parts)) > 0
        material = material.only(tuple(p for p, some in zip(material.parts, present, strict=True) if some))
    spec, classes = counted(setting), len(material.parts)
    counts = _counts(material.truth, material.clusters, classes, material.n_clusters)
    of_each = counts[:, _required(material.parts, setting)] >= spec.minimum_items_per_class
    enough = (counts.sum(axis=1) >= spec.minimum_items) & of_each.all(axis=1)
    kept = _kept(material, enough, f"{spec.minimum_items_per_class} items of each class and ", setting)
    sides = [_counts(codes, kept.clusters, classes, kept.n_clusters) for codes in (kept.truth, kept.prediction)]
    items = np.bincount(kept.clusters, minlength=kept.n_clusters)[:, None]
    return _checked(SpeakerMeans(kept, sides[0] / items, sides[1] / items, _first(kept), kept.parts), setting)


def _required(parts: tuple[str, ...], setting: Setting) -> list[int]:
    """The classes that a speaker needs items of: those of the paper among the tested ones, else all of them."""
    paper = {fold(one) for one in setting.task.classes}
    return [place for place, part in enumerate(parts) if fold(part) in paper] or list(range(len(parts)))


def _of_values(material: Material, setting: Setting) -> SpeakerMeans:
    spec = counted(setting)
    items = np.bincount(material.clusters, minlength=material.n_clusters)
    kept = _kept(material, items >= spec.minimum_items, "", setting)
    truth, prediction = (_means(values, kept) for values in (kept.truth, kept.prediction))
    return _checked(SpeakerMeans(kept, truth, prediction, _first(kept), kept.parts), setting)


def _kept(material: Material, enough: NDArray[np.bool_], further: str, setting: Setting) -> Material:
    """The items of the speakers with enough of them; how many are left out is said."""
    left_out, people = int(np.sum(~enough)), counted_as(setting.definition)
    told = plural(left_out, people.removesuffix("s"))
    are = "is" if left_out == 1 else "are"
    note = f"{told} with fewer than {further}{counted(setting).minimum_items} items {are} left out"
    return material.take(enough[material.clusters]).noted(note if left_out else "")


def _checked(means: SpeakerMeans, setting: Setting) -> SpeakerMeans:
    """With the number of speakers that the mode takes, and why there are too few."""
    spec, own = counted(setting), setting.rules.minimum_speakers
    minimum = max(1, spec.minimum_speakers if own is None else own)
    per_class = spec.minimum_items_per_class and setting.task.kind == "categories"
    wanted = f"{spec.minimum_items} items" + (f" and {spec.minimum_items_per_class} of each class" if per_class else "")
    people = counted_as(setting.definition)
    short = f"{means.size} {people} with at least {wanted}, the test takes {minimum}"
    return replace(means, minimum=minimum, reason=short if means.size < minimum else "")


def _counts(codes: NDArray[Any], speakers: NDArray[np.int64], classes: int, number: int) -> NDArray[np.int64]:
    """(S, C) items of each speaker in each class; codes beyond the classes count nowhere."""
    inside = codes < classes
    flat = np.bincount(speakers[inside] * classes + codes[inside], minlength=number * classes)
    return flat.reshape(number, classes)


def _means(values: NDArray[Any], material: Material) -> Floats:
    """(S, 1) means from exact sums, so that the order of items moves no rank.

    Values of single precision, as published predictions are, have means of single precision: what their sums carry
    beyond it would part equal means.
    """
    order = np.argsort(material.clusters, kind="stable")
    ends = np.cumsum(np.bincount(material.clusters, minlength=material.n_clusters))[:-1]
    by_speaker = np.split(np.asarray(values, np.float64)[order], ends) if material.size else []
    means = [math.fsum(own.tolist()) / len(own) for own in by_speaker]
    rounded = np.round(np.array(means, np.float64), _DECIMALS)
    held = rounded.astype(np.float32) if values.dtype == np.float32 else rounded
    return np.asarray(held[:, None], np.float64)


def _first(material: Material) -> NDArray[np.int64]:
    """(S,) row of each speaker's first item."""
    _, rows = np.unique(material.clusters, return_index=True)
    return rows.astype(np.int64)
