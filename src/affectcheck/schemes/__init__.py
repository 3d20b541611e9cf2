"""Label schemes: expressions, compound expressions, action units, dimensions, demographics, and mappings."""

from affectcheck.schemes.action_units import ACTION_UNIT_NAMES, ACTION_UNITS
from affectcheck.schemes.catalogue import scheme, scheme_names
from affectcheck.schemes.demographics import DEMOGRAPHICS, MISSING, UNKNOWN_GROUPS
from affectcheck.schemes.dimensions import DIMENSIONS, rescale
from affectcheck.schemes.expressions import COMPOUND, EXPRESSIONS, aliases_of
from affectcheck.schemes.mappings import LabelMapping, StatedMapping, mapping_between
from affectcheck.schemes.scheme import (
    PROVENANCES,
    CategoryScheme,
    DimensionScheme,
    Kind,
    Scheme,
    Target,
    UnitScheme,
    fold,
    parts,
)
from affectcheck.schemes.speech_sets import SPEECH_SETS
from affectcheck.schemes.tasks import TASKS, Task, task_of

__all__ = [
    "ACTION_UNITS",
    "ACTION_UNIT_NAMES",
    "COMPOUND",
    "DEMOGRAPHICS",
    "DIMENSIONS",
    "EXPRESSIONS",
    "MISSING",
    "PROVENANCES",
    "SPEECH_SETS",
    "TASKS",
    "UNKNOWN_GROUPS",
    "CategoryScheme",
    "DimensionScheme",
    "Kind",
    "LabelMapping",
    "Scheme",
    "StatedMapping",
    "Target",
    "Task",
    "UnitScheme",
    "aliases_of",
    "fold",
    "mapping_between",
    "parts",
    "rescale",
    "scheme",
    "scheme_names",
    "task_of",
]
