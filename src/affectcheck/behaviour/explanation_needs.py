"""What a behaviour test needs, and whom and what it takes of a table, in plain language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affectcheck.behaviour.applicability import PITCH
from affectcheck.behaviour.medium import counted_as, medium_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from affectcheck.behaviour.definition import Definition
    from affectcheck.behaviour.requirements import ColumnBins, Groups, PerturbationSpec, Reference, Speakers


def requirement_lines(definition: Definition) -> list[str]:
    """Needs, groups, perturbation, pairs, and what is counted, one sentence a line."""
    return [
        *_wanted(definition),
        *(_grouped(definition.groups) if definition.groups else ()),
        *_perturbed(definition),
        *_counted(definition),
        *([f"Sets of the paper: {', '.join(definition.data.sets)}."] if definition.data.sets else []),
    ]


def parameters_text(parameters: Mapping[str, Any]) -> str:
    """Parameters of an augmentation in one line."""
    return ", ".join(f"{name} {value}" for name, value in parameters.items())


def _wanted(definition: Definition) -> Iterator[str]:
    data, groups, reference = definition.data, definition.groups, definition.reference
    wants = [f"the medium {' or '.join(data.media)}"] if data.media else []
    wants += ["labels"] if data.labels is True else []
    if groups and groups.columns:
        wants.append(f"a column {' or '.join(groups.columns)}")
    named = [groups.bins.column] if groups and groups.bins and groups.bins.column != PITCH else []
    named += [*groups.crossed, groups.within] if groups else []
    wants += [
        f"a column {name}" for name in dict.fromkeys((*named, *data.columns, reference.column, *reference.join)) if name
    ]
    if groups and groups.bins and groups.bins.column == PITCH:
        wants.append(f"a column {PITCH}, or the medium audio to measure it")
    if wants:
        yield f"Needs: {', '.join(wants)}."
    if data.labels == "where known":
        yield "Takes: labels where there are any; without them, only what is predicted is compared."
    if data.labels == "where unknown":
        yield "Takes: data in which what the model predicts is not annotated."


def _grouped(groups: Groups) -> Iterator[str]:
    if groups.values:
        yield f"Groups: {', '.join(groups.values)}; others are left out."
    if groups.merged:
        yield f"Groups: {', '.join(f'{value} counts as {into}' for value, into in groups.merged.items())}."
    if groups.bins:
        yield _bins(groups.bins)
    if groups.crossed:
        yield f"Groups: every combination of {' and '.join([' or '.join(groups.columns), *groups.crossed])}."
    if groups.pairs:
        yield "Groups: of every one of these columns that there is, and every combination of two of them."
    if groups.within:
        yield f"Within: the values of {groups.within} are compared inside each group."
    for column, least in groups.minimum_subjects.items():
        wanted = " and ".join(f"{count} of {value}" for value, count in least.items())
        yield f"Counts: groups with at least {wanted} as {column}, where column and subjects are known."


def _bins(bins: ColumnBins) -> str:
    ends = zip(bins.names, bins.edges, bins.edges[1:], strict=False)
    named = ", ".join(f"{name} above {low:g} up to {high:g}" for name, low, high in ends)
    whose = f" of a subject's mean {bins.column}" if bins.mean_over == "subject" else f" of {bins.column}"
    said = [f"Groups: bins{whose}: {named}"]
    if bins.valid:
        said.append(f"values outside {bins.valid[0]:g} to {bins.valid[1]:g} are not counted")
    if bins.minimum_items > 1:
        said.append(f"at least {bins.minimum_items} items a subject")
    return "; ".join(said) + "."


def _perturbed(definition: Definition) -> Iterator[str]:
    medium = medium_of(definition)
    if definition.perturbation:
        yield f"Perturbs: {_perturbation(definition.perturbation)}, drawn for each item by its key."
        if definition.reference.perturbation:
            yield f"Compares with: {_perturbation(definition.reference.perturbation)}, not with {medium.untouched}."
        yield f"Counts: only items whose {medium.name} {medium.were} really changed; the others are left out and counted."
    if definition.reference.column:
        yield _pairs(definition.reference)


def _perturbation(spec: PerturbationSpec) -> str:
    return spec.augmentation + (f" ({parameters_text(spec.parameters)})" if spec.parameters else "")


def _pairs(reference: Reference) -> str:
    same = " and ".join(reference.join)
    return f"Pairs: {reference.column} {reference.value} with every other one, by the same {same}."


def _counted(definition: Definition) -> Iterator[str]:
    data, medium = definition.data, medium_of(definition)
    if data.duration_s:
        yield f"Counts: clips of {data.duration_s[0]:g} to {data.duration_s[1]:g} s."
    if data.maximum_items:
        per = f" of each {data.maximum_items_per}" if data.maximum_items_per else ""
        what = "pairs" if definition.kind == "recording" else "items"
        yield f"Draws: {data.maximum_items} {what}{per} where there are more, from a seed."
    if data.minimum_items > 1:
        yield f"Counts: tables of at least {data.minimum_items} items."
    if definition.speakers:
        yield _speakers(definition.speakers, counted_as(definition))
    if data.minimum_segments > 1:
        counted = f"{medium.recordings} with at least {data.minimum_segments} {medium.segments}"
        yield f"Counts: {counted}, in the order of time."
    if definition.balance:
        yield f"Balances: equal {definition.balance.by} in every group, drawn without replacement from a seed."


def _speakers(spec: Speakers, people: str) -> str:
    per_class = f", for classes {spec.minimum_items_per_class} of each" if spec.minimum_items_per_class else ""
    return f"Counts: {people} with at least {spec.minimum_items} items{per_class}; each counts once."
