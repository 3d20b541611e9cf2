"""Letters that pass for another one: the table behind the key by which two names count as one."""
# letters that look alike are what this is about

from __future__ import annotations

import unicodedata
from typing import Final

#: Letter and what it passes for, after case folding. Of letters whose two cases pass for different ones, such as the Greek
#: eta for H and n, the capital decides, which is the very same glyph.
_PAIRS: Final = (
    # Cyrillic
    "аa вb гr еe зe иu кk мm нh оo пn рp сc тt уy фφ хx іl јj ѕs ѡw ѳθ ѵv ѱψ ҽe һh ӏl ԁd ԛq ԝw ьb ґr ғf қk ңh үy ұy ҳx",
    # Greek
    "αa βb γr εe ζz ηh ιl κk μm νn οo πn ρp σo ςo τt υy χx ωw ϳj",
    # Latin letters beyond the 26: without a dot, with a stroke, of phonetics, two in one
    "ıl łl øo đd ħh ŧt ƀb ɑa ɡg ɩl ɪl þp ƒf ɛe ʋv ʟl æae œoe ǀl ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ᴊj ᴋk ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz",
    # Armenian, Cherokee
    "օo սu հh ոn ցg քp յj Ꭰd Ꭱr Ꭲt Ꭵl Ꭺa Ꭻj Ꭼe Ꮃw Ꮇm Ꮋh Ꮐg Ꮓz Ꮪs Ꮲp Ꮤw Ꮩv Ꮮl Ꮯc Ꮶk Ᏼb",
    # Latin, and digits among letters
    "il 1l 0o",
)
_TABLE: Final = str.maketrans({pair[0]: pair[1:] for line in _PAIRS for pair in line.split()})
#: Two letters that pass for one.
_TWO: Final = (("rn", "m"), ("vv", "w"))
#: Accents and strokes over letters of Latin, Greek and Cyrillic; marks of other scripts make other syllables.
_ACCENTS: Final = dict.fromkeys(range(0x0300, 0x0370))


def skeleton(text: str) -> str:
    """A text without its case, accents and kinds of digits, with one letter for all that look like it.

    Example:
        >>> skeleton("TEAM") == skeleton("t\u0435\u00e1m")
        True
    """
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold()).translate(_ACCENTS)
    digits = "".join(str(unicodedata.digit(letter)) if letter.isdecimal() else letter for letter in folded)
    found = digits.translate(_TABLE)
    for two, one in _TWO:
        found = found.replace(two, one)
    return found
