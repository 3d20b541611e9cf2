"""Perceived or annotated age, gender and race: the group schemes, and what a missing value is called."""

from __future__ import annotations

from typing import Final

from affectcheck.schemes.scheme import CategoryScheme

#: How a group value that is not known is shown; it is counted, never a group of a disparity.
MISSING: Final = "missing"

#: Group values that name no group: their own stratum in partitions, excluded and counted in scores.
UNKNOWN_GROUPS: Final = frozenset({"unsure", "other", "unknown", "missing", "other/uncertain"})

AGE_9: Final = ("00-02", "03-09", "10-19", "20-29", "30-39", "40-49", "50-59", "60-69", "70+")
_AGE_9_ALIASES: Final = {
    "0-2": "00-02",
    "<=2": "00-02",
    "≤2": "00-02",
    "3-9": "03-09",
    "more than 70": "70+",
    ">=70": "70+",
    "≥70": "70+",
    "03-Sep": "03-09",  # a spreadsheet's reading of 3-9, met in the wild
    "Oct-19": "10-19",  # the same of 10-19
}
_GENDER_ALIASES: Final = {
    "f": "female",
    "m": "male",
    "w": "female",
    "woman": "female",
    "man": "male",
    "uncertain": "other/uncertain",
    "unsure": "other/uncertain",
    "other": "other/uncertain",
}

DEMOGRAPHICS: Final = (
    CategoryScheme("age-9", AGE_9, _AGE_9_ALIASES, ordered=True, source="paper 1, section II-A"),
    CategoryScheme(
        "age-5-rafdb",
        ("00-03", "04-19", "20-39", "40-69", "70+"),
        {"0-3": "00-03", "4-19": "04-19"},
        dict(enumerate(("00-03", "04-19", "20-39", "40-69", "70+"))),
        ordered=True,
        source="RAF-DB's own groups (paper 1, Table I)",
    ),
    CategoryScheme(
        "age-years-gft",
        tuple(str(age) for age in range(21, 29)),
        ordered=True,
        source="GFT gives single years 21 to 28",
    ),
    CategoryScheme("gender-3", ("female", "male", "other/uncertain"), _GENDER_ALIASES, source="paper 1, section II-A"),
    CategoryScheme("sex-2", ("female", "male"), {"f": "female", "m": "male"}, source="paper 2, Table III"),
    CategoryScheme(
        "race-5",
        ("asian", "black", "indian", "native hawaiian", "white"),
        {
            "african american": "black",
            "black or african american": "black",
            "caucasian": "white",
            "alaska native": "indian",
            "other pacific islander": "native hawaiian",
        },
        source="paper 1, section II-A",
    ),
    CategoryScheme("race-4-gft", ("asian", "black", "white", "other"), source="GFT (paper 1, Table II)"),
    CategoryScheme(
        "race-7-fairface",
        ("white", "black", "latino_hispanic", "east asian", "southeast asian", "indian", "middle eastern"),
        {"latino hispanic": "latino_hispanic"},
        source="FairFace (Karkkainen and Joo, 2021)",
    ),
    CategoryScheme(
        "tone-4",
        ("light", "tan", "brown", "dark"),
        ordered=True,
        source="the colours of skin of affectcheck's drawn faces; a tone is a colour, not a race",
    ),
)
