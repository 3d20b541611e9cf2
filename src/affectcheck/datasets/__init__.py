"""Data sets: one module each, with a card and a reader that returns an annotation table."""

from affectcheck.datasets.card import Card, Option, OptionValue
from affectcheck.datasets.registry import (
    DATASETS,
    Dataset,
    DatasetReader,
    DatasetSpec,
    Making,
    dataset,
    load_dataset,
    typed_options,
)

__all__ = [
    "DATASETS",
    "Card",
    "Dataset",
    "DatasetReader",
    "DatasetSpec",
    "Making",
    "Option",
    "OptionValue",
    "dataset",
    "load_dataset",
    "typed_options",
]
