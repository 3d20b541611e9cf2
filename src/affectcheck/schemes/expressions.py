"""Basic and compound expressions. The order is that of the source, the names are ours."""

from __future__ import annotations

from typing import Final

from affectcheck.schemes.scheme import CategoryScheme

#: Spellings met in public corpora; a scheme takes those whose label it has. No typing mistake is listed here:
#: a misspelt label is an error with a suggestion.
ALIASES: Final = {
    "anger": ("angry", "ang", "wut"),
    "disgust": ("disgusted", "dis"),
    "fear": ("fearful", "afraid", "fea", "anxiety"),
    "happiness": ("happy", "joy", "joyful", "hap", "enjoyment"),
    "neutral": ("neu",),
    "sadness": ("sad", "unhappy"),
    "surprise": ("surprised", "sur"),
    "contempt": ("contemptuous",),
    "other": (),
}

BASIC_7: Final = ("anger", "disgust", "fear", "happiness", "neutral", "sadness", "surprise")

#: The compounds of Du, Tao and Martinez (2014) that are pairs of basic expressions.
COMPOUND_12: Final = (
    "fearfully surprised",
    "happily surprised",
    "sadly surprised",
    "disgustedly surprised",
    "angrily surprised",
    "sadly fearful",
    "sadly angry",
    "happily disgusted",
    "sadly disgusted",
    "fearfully angry",
    "fearfully disgusted",
    "angrily disgusted",
)


def aliases_of(labels: tuple[str, ...]) -> dict[str, str]:
    """Alias to label, for those labels of a scheme that are basic expressions."""
    return {alias: label for label in labels for alias in ALIASES.get(label, ())}


def _scheme(name: str, labels: tuple[str, ...], source: str) -> CategoryScheme:
    return CategoryScheme(name, labels, aliases=aliases_of(labels), source=source)


EXPRESSIONS: Final = (
    _scheme("expressions-4", ("anger", "happiness", "neutral", "sadness"), "paper 2, section 3: speech categories"),
    _scheme("expressions-7", BASIC_7, "paper 1, Table I: RAF-DB and AffectNet-7"),
    _scheme("expressions-8-contempt", (*BASIC_7, "contempt"), "paper 1, Table I: AffectNet-8"),
    _scheme(
        "expressions-8-other",
        ("neutral", "anger", "disgust", "fear", "happiness", "sadness", "surprise", "other"),
        "paper 3, section 2.2: Aff-Wild2, in the order of its codes 0 to 7",
    ),
)

_COMPOUND_SPELLINGS: Final = {c.replace(" ", separator): c for c in COMPOUND_12 for separator in ("_", "-")}


def _compound(name: str, labels: tuple[str, ...], source: str, codes: dict[int, str] | None = None) -> CategoryScheme:
    aliases = {alias: label for alias, label in _COMPOUND_SPELLINGS.items() if label in labels}
    return CategoryScheme(name, labels, aliases=aliases, codes=codes or {}, source=source)


_RAF_COMPOUND: Final = (
    "happily surprised",
    "happily disgusted",
    "sadly fearful",
    "sadly angry",
    "sadly surprised",
    "sadly disgusted",
    "fearfully angry",
    "fearfully surprised",
    "angrily surprised",
    "angrily disgusted",
    "disgustedly surprised",
)

COMPOUND: Final = (
    _compound(
        "compound-12",
        COMPOUND_12,
        "the 12 pairs of Du, Tao and Martinez (2014); our reading of C-EXPR-DB, whose 12 paper 3 does not list",
    ),
    _compound("compound-7", COMPOUND_12[:7], "paper 3, section 1: the 7 of the compound expression challenge"),
    _compound(
        "compound-11-rafdb", _RAF_COMPOUND, "RAF-DB compound part, codes 1 to 11", dict(enumerate(_RAF_COMPOUND, 1))
    ),
)
