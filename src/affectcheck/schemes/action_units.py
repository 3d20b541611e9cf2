"""Facial action units with their names, and the sets that the databases of the papers annotate."""

from __future__ import annotations

from typing import Final

from affectcheck.schemes.scheme import UnitScheme

#: Names of the Facial Action Coding System (Ekman, Friesen and Hager, 2002).
ACTION_UNIT_NAMES: Final = {
    "AU1": "inner brow raiser",
    "AU2": "outer brow raiser",
    "AU4": "brow lowerer",
    "AU5": "upper lid raiser",
    "AU6": "cheek raiser",
    "AU7": "lid tightener",
    "AU9": "nose wrinkler",
    "AU10": "upper lip raiser",
    "AU11": "nasolabial deepener",
    "AU12": "lip corner puller",
    "AU14": "dimpler",
    "AU15": "lip corner depressor",
    "AU16": "lower lip depressor",
    "AU17": "chin raiser",
    "AU18": "lip puckerer",
    "AU20": "lip stretcher",
    "AU22": "lip funneler",
    "AU23": "lip tightener",
    "AU24": "lip pressor",
    "AU25": "lips part",
    "AU26": "jaw drop",
    "AU27": "mouth stretch",
    "AU28": "lip suck",
}


def _scheme(name: str, numbers: str, source: str) -> UnitScheme:
    return UnitScheme(name, tuple(f"AU{number}" for number in numbers.split()), source)


ACTION_UNITS: Final = (
    _scheme("au-12-affwild2", "1 2 4 6 7 10 12 15 23 24 25 26", "paper 3, section 2.3"),
    _scheme("au-12-disfa", "1 2 4 5 6 9 12 15 17 20 25 26", "paper 1, Table II"),
    _scheme("au-11-emotionet", "1 2 4 5 6 9 12 17 20 25 26", "paper 1, Table II"),
    _scheme("au-14-gft", "1 2 4 5 6 7 9 10 11 12 15 17 23 24", "paper 1, Table II"),
    _scheme("au-13-rafau", "1 2 4 5 6 9 10 12 16 17 25 26 27", "paper 1, Table II"),
)
