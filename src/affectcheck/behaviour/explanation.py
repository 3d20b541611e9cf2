"""A test definition in plain language, for people who decide whether the test is about their question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.behaviour.definition import COMPARED
from affectcheck.behaviour.explanation_needs import parameters_text, requirement_lines
from affectcheck.behaviour.medium import counted_as, medium_of

if TYPE_CHECKING:
    from affectcheck.behaviour.definition import Comparison, Definition, Range, Rules, Task

#: By reference; ``{name}`` and ``{untouched}`` are words of the medium.
_REFERENCES = {
    "truth": "the value itself is judged",
    "combined": "the value of each group minus that of all groups together is judged",
    "mean over groups": "the shift of each group minus the mean shift over groups is judged",
    "clean": "the value on perturbed {name} minus the value on {untouched} is judged",
    "perturbed": "the value on perturbed {name} minus the value on another perturbed version is judged",
    "recording": "the value on one recording minus the value on a parallel recording is judged",
}
_DISTRIBUTION = "what the predictions show minus what the annotations show, or the distance of both, is judged"
_RULES = {"gt": "above", "lt": "below", "abs_lt": "of a size below", "abs_gt": "of a size above"}


def explain(definition: Definition) -> str:
    """What a test asks, of whom, how it judges and where its limits come from, as lines of text."""
    lines = [
        f"{definition.title} ({definition.name}, version {definition.version})",
        f"  Asks: {definition.question}",
        f"  Source: {definition.source}",
        f"  Judged: {_judged(definition)}.",
        *(f"  {line}" for line in requirement_lines(definition)),
    ]
    for task in definition.task:
        compared = (_comparison(one, counted_as(definition)) for one in task.comparison)
        lines += [f"  For {task.kind}{_paper_parts(task)}:", *(f"    - {one}" for one in compared)]
        lines += [f"    expected {_range(one)}" for one in task.ranges]
    for mode, rules in (
        ("Corrected mode (the default)", definition.corrected),
        ("Published mode", definition.published),
    ):
        said = [*_mode(rules, published=rules is definition.published), *_particular(definition, rules)]
        lines.append(f"  {mode}: {rules.not_judged or '; '.join(said)}.")
    lines += [
        *(f"  Note: {note}" for note in definition.notes),
    ]
    return "\n".join(lines)


def _judged(definition: Definition) -> str:
    if definition.kind == "distribution":
        return _DISTRIBUTION
    if definition.kind == "group perturbation":
        return "the change of each group under the perturbation minus that of all groups together is judged"
    medium = medium_of(definition)
    return _REFERENCES[definition.reference.kind].format(name=medium.name, untouched=medium.untouched)


def _paper_parts(task: Task) -> str:
    names = task.classes or task.dimensions or task.units
    return f" (paper: {', '.join(names)})" if names else ""


def _comparison(comparison: Comparison, ranked: str) -> str:
    per = "" if comparison.per == "set" else f" per {comparison.per}"
    within = f" (a change below {comparison.tolerance:g} is none)" if comparison.tolerance is not None else ""
    simulated = ", in corrected mode simulated for the real sizes" if comparison.threshold == "simulated" else ""
    own = ", ".join(f"{part} {limit:g}" for part, limit in comparison.limits.items())
    what = COMPARED[comparison.metric].replace("subjects", ranked)
    return (
        f"{what}{per}{within} passes {_RULES[comparison.rule]} {comparison.limit:g}"
        + (f" ({own})" if own else "")
        + simulated
        + (f" [{comparison.source}]" if comparison.source else "")
    )


def _range(one: Range) -> str:
    """Where the values of some classes are expected."""
    ends = [f"{word} {end:g}" for word, end in (("from", one.low), ("up to", one.high)) if end is not None]
    of = f" {one.dimension}" if one.dimension else ""
    return f"{one.name}{of}, {' '.join(ends)}" + (f": {', '.join(one.categories)}" if one.categories else "")


def _particular(definition: Definition, rules: Rules) -> list[str]:
    """What a mode does in tests of speakers, ranges and histograms alone."""
    said = []
    if definition.speakers:
        least = definition.speakers.minimum_speakers if rules.minimum_speakers is None else rules.minimum_speakers
        people = counted_as(definition)
        said.append(f"at least {least} {people}" if least > 1 else f"any number of {people}")
    if definition.kind == "speaker ranking":
        shared = "equal means share the last places of a quantile"
        said.append(shared if rules.ties == "shared" else "the order of rows decides between equal means")
    compared = [one for task in definition.task for one in task.comparison]
    if rules.sign_blind and any(one.absolute for one in compared):
        said.append("the rank correlation counts whatever its sign")
    if rules.parameters:
        said.append(f"perturbed with {parameters_text(rules.parameters)}")
    said += [_range(one) for one in rules.ranges]
    edges = rules.histogram_edges
    if edges:
        said.append(f"a histogram of {len(edges) - 1} bins from {edges[0]:g} to {edges[-1]:g}, values outside dropped")
    elif any(one.metric == "jsd" for one in compared):
        said.append("values outside the histogram count in its outermost bin")
    return said


def _mode(rules: Rules, *, published: bool) -> list[str]:
    said = ["unrounded values, strict comparisons"]
    if rules.prediction_decimals is not None:
        kind = "float32, " if rules.prediction_float32 else ""
        said = [f"predictions rounded to {rules.prediction_decimals} decimals ({kind}as the published results were)"]
    if rules.score_decimals is not None:
        said.append(f"scores rounded to {rules.score_decimals} decimals before they are compared")
    if published:
        said.append("the paper's classes, labels as observed, 0/0 counted as 0, published limits")
    if rules.intervals:
        said.append("inconclusive where the support cannot decide")
    if rules.items_per_group:
        said.append(f"{rules.items_per_group} items a group")
    if rules.minimum_per_group > 1:
        said.append(f"not applicable below {rules.minimum_per_group} items")
    if rules.minimum_per_class > 1:
        said.append(f"not applicable below {rules.minimum_per_class} items of a class")
    return said
