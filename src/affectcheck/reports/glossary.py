"""Titles of metrics, which way is better, and how to read what is derived from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.reports.entries import METRICS, Entry

if TYPE_CHECKING:
    from affectcheck.reports.entries import Better

_DIFFERENCE: Final = "_difference"
_GAP: Final = "_gap"
_WORST: Final = "_worst"
_SHIFT: Final = "_to_combined"
#: Suffix of a metric that is made from another one, to what its title adds.
_DERIVED: Final = {
    _DIFFERENCE: " difference",
    "_change": " change",
    _GAP: " gap",
    _WORST: " of the worst group",
    _SHIFT: ", group minus all",
}
#: Words that are abbreviations.
_ABBREVIATIONS: Final = {"jpeg": "JPEG"}


def title_of(metric: str) -> str:
    """Short title of a metric; an unknown one keeps its name, with spaces."""
    if metric in METRICS:
        return METRICS[metric].title
    for suffix, words in _DERIVED.items():
        if metric.endswith(suffix):
            return f"{title_of(metric.removesuffix(suffix))}{words}"
    words = " ".join(_ABBREVIATIONS.get(word, word) for word in metric.replace("_", " ").split(" "))
    return words[:1].upper() + words[1:]


def entry_of(metric: str) -> Entry | None:
    """The glossary entry of a metric; gaps and worst groups have their own; of other derived ones, their metric's."""
    if metric in METRICS:
        return METRICS[metric]
    suffix = next((suffix for suffix in _DERIVED if metric.endswith(suffix)), None)
    base = None if suffix is None else entry_of(metric.removesuffix(suffix))
    if suffix is None or base is None:
        return None
    if suffix == _GAP:
        text = f"Largest minus smallest {base.title} over the groups. Noise alone makes it positive."
        return Entry(title_of(metric), text, "lower")
    if suffix == _WORST:
        text = f"{base.title} of the group that scores worst. Of many small groups one is bad by chance alone."
        return Entry(title_of(metric), text, base.better)
    return base


def better_of(metric: str) -> Better:
    """Which way is better; empty where it is not known."""
    if metric in METRICS:
        return METRICS[metric].better
    if metric.endswith(_GAP):
        return "lower"
    if metric.endswith(_WORST):
        return better_of(metric.removesuffix(_WORST))
    return "nearer to 0" if metric.endswith(tuple(_DERIVED)) else ""


def is_difference(metric: str) -> bool:
    """Whether a metric is the signed difference of two groups."""
    return metric.endswith(_DIFFERENCE)


def is_shift(metric: str) -> bool:
    """Whether a metric is the signed difference of a group and all groups together."""
    return metric.endswith(_SHIFT)


def is_worst(metric: str) -> bool:
    """Whether a metric is the value of another one in its worst group."""
    return metric.endswith(_WORST)


def anchor_of(term: str) -> str:
    """Fragment of a glossary entry."""
    return "term-" + "".join(c if c.isalnum() and c.isascii() else "-" for c in term.casefold())
