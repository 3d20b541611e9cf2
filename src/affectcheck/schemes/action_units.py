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
    "AU8": "lips toward each other",
    "AU9": "nose wrinkler",
    "AU10": "upper lip raiser",
    "AU11": "nasolabial deepener",
    "AU12": "lip corner puller",
    "AU13": "sharp lip puller",
    "AU14": "dimpler",
    "AU15": "lip corner depressor",
    "AU16": "lower lip depressor",
    "AU17": "chin raiser",
    "AU18": "lip puckerer",
    "AU19": "tongue show",
    "AU20": "lip stretcher",
    "AU21": "neck tightener",
    "AU22": "lip funneler",
    "AU23": "lip tightener",
    "AU24": "lip pressor",
    "AU25": "lips part",
    "AU26": "jaw drop",
    "AU27": "mouth stretch",
    "AU28": "lip suck",
    "AU29": "jaw thrust",
    "AU30": "jaw sideways",
    "AU31": "jaw clencher",
    "AU32": "lip bite",
    "AU33": "cheek blow",
    "AU34": "cheek puff",
    "AU35": "cheek suck",
    "AU36": "tongue bulge",
    "AU37": "lip wipe",
    "AU38": "nostril dilator",
    "AU39": "nostril compressor",
    "AU41": "glabella lowerer",
    "AU42": "inner eyebrow lowerer",
    "AU43": "eye closure",
    "AU44": "eyebrow gatherer",
    "AU45": "blink",
    "AU46": "wink",
    "AU51": "head turn left",
    "AU52": "head turn right",
    "AU53": "head up",
    "AU54": "head down",
    "AU55": "head tilt left",
    "AU56": "head tilt right",
    "AU57": "head forward",
    "AU58": "head back",
    "AU61": "eyes turn left",
    "AU62": "eyes turn right",
    "AU63": "eyes up",
    "AU64": "eyes down",
    "AU65": "walleye",
    "AU66": "cross-eye",
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
