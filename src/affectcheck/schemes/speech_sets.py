"""Expressions as single corpora of speech annotate them: names that a table description may use too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.schemes.expressions import aliases_of
from affectcheck.schemes.scheme import CategoryScheme

if TYPE_CHECKING:
    from collections.abc import Mapping

_CREMAD: Final = ("anger", "disgust", "fear", "happiness", "neutral", "sadness")
_EMODB: Final = ("anger", "boredom", "disgust", "fear", "happiness", "neutral", "sadness")
_RAVDESS_CODES: Final = {
    1: "neutral",
    2: "calm",
    3: "happiness",
    4: "sadness",
    5: "anger",
    6: "fear",
    7: "disgust",
    8: "surprise",
}


def _scheme(
    name: str, labels: tuple[str, ...], source: str, aliases: Mapping[str, str] | None = None
) -> CategoryScheme:
    return CategoryScheme(name, labels, aliases_of(labels) | dict(aliases or {}), source=source)


CREMAD_6: Final = _scheme("cremad-6", _CREMAD, "Cao et al. (2014): intended or perceived expression")
DES_5: Final = _scheme(
    "des-5",
    ("anger", "happiness", "neutral", "sadness", "surprise"),
    "Engberg and Hansen (1996): intended expression",
)
EMODB_7: Final = _scheme("emodb-7", _EMODB, "Burkhardt et al. (2005): intended expression", {"bored": "boredom"})
IEMOCAP_10: Final = _scheme(
    "iemocap-10",
    (
        *("anger", "disgust", "excitement", "fear", "frustration"),
        *("happiness", "neutral", "other", "sadness", "surprise"),
    ),
    "Busso et al. (2008): what most of the annotators perceived",
    {"exc": "excitement", "excited": "excitement", "fru": "frustration", "frustrated": "frustration", "oth": "other"},
)
MSP_PODCAST_9: Final = _scheme(
    "msp-podcast-9",
    ("anger", "contempt", "disgust", "fear", "happiness", "neutral", "other", "sadness", "surprise"),
    "Lotfian and Busso (2019): what most of the annotators perceived",
)
PESD_6: Final = _scheme(
    "pesd-6",
    ("anger", "boredom", "fear", "happiness", "neutral", "sadness"),
    "paper 2, section III-A: Polish Emotional Speech Database",
    {"bored": "boredom"},
)
RAVDESS_8: Final = CategoryScheme(
    "ravdess-8",
    tuple(sorted(_RAVDESS_CODES.values())),
    aliases_of(tuple(_RAVDESS_CODES.values())),
    _RAVDESS_CODES,
    source="Livingstone and Russo (2018): intended expression",
)

SPEECH_SETS: Final = (CREMAD_6, DES_5, EMODB_7, IEMOCAP_10, MSP_PODCAST_9, PESD_6, RAVDESS_8)
