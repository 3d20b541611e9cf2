"""The model that is audited: trained here by a recipe, or opened as it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from affectcheck.audits.finished import with_annotated_classes
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.models import ModelSpec, load_model, random_model
from affectcheck.schemes import CategoryScheme, DimensionScheme, fold, parts
from affectcheck.schemes import scheme as named_scheme
from affectcheck.seeds import rng
from affectcheck.training import TrainOptions, recipe_names, train

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.audits.options import AuditOptions
    from affectcheck.models import Predictor
    from affectcheck.records import Fault
    from affectcheck.schemes import Scheme

#: Kind of the random models, and the scheme of those whose data set is annotated otherwise.
_RANDOM: Final = {
    "random-categorical": ("categories", "expressions-4"),
    "random-gaussian": ("dimensions", "affect-3"),
}


@dataclass(frozen=True, eq=False)
class Subject:
    """The model under test.

    Attributes:
        model: the model.
        training: what its training did, as plain values; empty if it was opened as it is.
        faults: items that training could not use.
    """

    model: Predictor
    training: dict[str, Any]
    faults: tuple[Fault, ...] = ()


def is_recipe(name: str) -> bool:
    """Whether the name is a training recipe rather than a model to open."""
    return name in recipe_names()


def prepare(
    table: AnnotationTable,
    sets: Mapping[str, Sequence[str]],
    options: AuditOptions,
    update: Callable[[int, int], None],
) -> Subject:
    """Train the recipe on the partition's training set, or open the model.

    Args:
        table: the whole data set.
        sets: items of each set of the partition; a recipe needs ``train``.
        options: the audit.
        update: called with (done, total) items while features are measured.

    Raises:
        InputError: a recipe without a training set to train it on.
    """
    if not is_recipe(options.model):
        return Subject(opened(table, options), {})
    if "train" not in sets:
        raise InputError(
            f"the recipe {options.model!r} has nothing to be trained on",
            expected=f"a partition with a set 'train'; this one has {', '.join(sets)}",
            cause="a partition of another protocol; name a trained model instead",
        )
    learned = {name: items for name, items in sets.items() if name in {"train", "validation"}}
    material = shuffled(table, learned, options) if options.shuffle_labels else table
    done = train(material, learned, options=train_options(options, update))
    return Subject(done.model, done.report.as_dict(), done.report.faults)


def train_options(options: AuditOptions, update: Callable[[int, int], None] | None = None) -> TrainOptions:
    """The audit's options, as training takes them."""
    return TrainOptions(
        recipe=options.model,
        target=options.target,
        seed=options.seed,
        cache=options.cache_folder,
        workers=options.processes,
        max_fault_share=0.0 if options.strict else options.max_fault_share,
        progress=update,
    )


def opened(table: AnnotationTable, options: AuditOptions) -> Predictor:
    """The model of an audit as it is, for what a table is annotated with."""
    if not table.targets:
        return open_model(options.model, None)
    target = table.target(options.target)
    return with_annotated_classes(open_model(options.model, target.scheme), options.model, table, target)


def open_model(spec: str, scheme: Scheme | None) -> Predictor:
    """Load a model; a random one predicts what is annotated, or, where that is of another kind, what paper 2 tests.

    Finished predictions of dimensions whose range is not stated are taken to be on the range of the annotations.
    """
    if spec not in _RANDOM:
        return load_model(spec, **_range_of_tables(spec, scheme))
    kind, default = _RANDOM[spec]
    return random_model(scheme if scheme is not None and scheme.kind == kind else named_scheme(default))


def _range_of_tables(spec: str, scheme: Scheme | None) -> dict[str, str]:
    named = ModelSpec.parse(spec)
    if named.name != "table" or "range" in named.options or not isinstance(scheme, DimensionScheme):
        return {}
    return {"range": f"{scheme.low!r},{scheme.high!r}"}


def shuffled(table: AnnotationTable, sets: Mapping[str, Sequence[str]], options: AuditOptions) -> AnnotationTable:
    """The table with the labels of each of these sets permuted within the set: nothing is left to be learned."""
    target = table.target(options.target)
    frame = table.frame.with_row_index("_row")
    for name, items in sets.items():
        rows = frame.filter(pl.col("item").is_in(list(items)))
        order = rng(options.seed, "shuffled labels", name).permutation(rows.height)
        moved = rows.select("_row", *(pl.col(c).gather(order.tolist()) for c in target.columns))
        frame = frame.update(moved, on="_row")
    return replace(table, frame=frame.drop("_row"))


def own_part(table: AnnotationTable, part: str) -> AnnotationTable:
    """The items of one set of the data set's own partition.

    Raises:
        InputError: the data set has no partition of its own.
        UnknownNameError: it has no set of this name.
    """
    if "partition" not in table.frame.columns:
        raise InputError(f"the data set {table.name!r} has no partition of its own")
    known = table.frame.get_column("partition").drop_nulls().unique().to_list()
    if part not in known:
        raise UnknownNameError.of("set of the partition", part, known)
    return table.filter(pl.col("partition") == part)


def require_labels(model: Predictor, scheme: Scheme) -> None:
    """Raise before any work if the model speaks of another kind of thing than the data.

    Raises:
        InputError: another kind, or classes that share none with the data's.
    """
    card = model.card
    if card.kind != scheme.kind:
        raise InputError(
            f"the model {card.name!r} predicts {card.kind}, the target is annotated with {scheme.kind}",
            expected=f"a model of {scheme.kind}, or another --target",
        )
    if isinstance(scheme, CategoryScheme) and not any(fold(part) in scheme.spellings() for part in card.parts):
        raise InputError(
            f"the model {card.name!r} predicts none of the classes of {scheme.name!r}: {', '.join(card.parts)}",
            expected=f"classes such as {', '.join(scheme.labels)}",
            cause="a model of another data set",
        )
    strangers = [] if isinstance(scheme, CategoryScheme) else sorted(set(parts(scheme)) - set(card.parts))
    if strangers:
        raise InputError(
            f"the model {card.name!r} has no output for {', '.join(strangers)}",
            expected=f"one for each of {', '.join(parts(scheme))}",
        )
