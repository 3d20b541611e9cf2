"""Common Voice: sentences read by volunteers in many languages; no affect labels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import make_table, read_csv
from affectcheck.annotations.listing import plural
from affectcheck.datasets.card import Card, Option
from affectcheck.datasets.corpus_files import refuse
from affectcheck.datasets.declared import categories
from affectcheck.datasets.headerless import LINE, misfits
from affectcheck.datasets.layouts import locate
from affectcheck.datasets.parts import SEED_OPTION, drawn, words
from affectcheck.datasets.pictures import put_media
from affectcheck.datasets.registry import dataset
from affectcheck.errors import InputError, MissingPathError, UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

#: Languages of paper 2's test.
LANGUAGES: Final = "de,en,es,fr,it,zh"
#: Names for several locales at once.
LOCALES: Final = {"zh": ("zh-CN", "zh-TW")}
_PARTS: Final = ("train", "dev", "test", "validated", "invalidated", "other")
_NEEDED: Final = ("client_id", "path")
_AGES: Final = dict(
    zip(
        ("teens", "twenties", "thirties", "fourties", "fifties", "sixties", "seventies", "eighties", "nineties"),
        ("10-19", "20-29", "30-39", "40-49", "50-59", "60-69", "70+", "70+", "70+"),
        strict=True,
    )
) | {"forties": "40-49"}
_SEXES: Final = {
    "female": "female",
    "female_feminine": "female",
    "male": "male",
    "male_masculine": "male",
}

CARD: Final = Card(
    name="common-voice",
    title="Mozilla Common Voice",
    licence="CC0-1.0",
    citation=(
        "Ardila R, Branson M, Davis K, Kohler M, Meyer J, Henretty M, Morais R, Saunders L, Tyers F, Weber G (2020). "
        "Common Voice: A massively-multilingual speech corpus. LREC 2020"
    ),
    url="https://commonvoice.mozilla.org",
    access="open",
    provenance="no affect labels; age, sex and accent as the volunteers state them, mostly not stated",
    description=(
        "Volunteers all over the world read sentences aloud with their own devices, and check each other's recordings. "
        "Paper 2 takes 2000 clips of the test partition of each of six languages."
    ),
    can_show="whether a model's predictions differ between languages where nothing is expressed on purpose",
    cannot_show=(
        "whether predictions are right: no affect labels; languages differ in speakers, devices and sentences too, so a "
        "difference is not of the language alone"
    ),
    layout=(
        "a folder of one release (cv-corpus-…) with a folder a language, each with clips/ and test.tsv and the other "
        "lists"
    ),
    groups=("language", "sex", "age"),
    options=(
        Option("languages", "locales, separated by commas; zh is zh-CN and zh-TW", LANGUAGES),
        Option("part", "the list to read: train, dev, test, validated, invalidated or other", "test"),
        Option("clips", "at most so many clips a language, drawn; 0 for all", 2_000),
        SEED_OPTION,
    ),
    notes=(
        "which clips paper 2 drew is not known from it; clips= and seed= draw others",
        "sex and age are not known for most clips; genders of other names than female and male are no group",
        "a volunteer counts as one subject within a language, by the client_id",
    ),
)


@dataset(CARD)
def read(
    root: Path, *, languages: str = LANGUAGES, part: str = "test", clips: int = 2_000, seed: int = 0
) -> AnnotationTable:
    """Read the lists of some languages.

    Args:
        root: folder of a release, or one above it.
        languages: locales, separated by commas.
        part: the list.
        clips: at most so many a language; 0 for all.
        seed: of what is drawn.

    Returns:
        One item a clip, such as ``de/common_voice_de_1.mp3``, without targets, with ``language``, ``locale``,
        ``sex``, ``age`` (decade), ``accent`` and ``text``.

    Raises:
        UnknownNameError: another list.
        MissingPathError: a language is not here.
        InputError: a list that lacks columns, or has lines of other lengths.
    """
    if part not in _PARTS:
        raise UnknownNameError.of("list", part, _PARTS, where=CARD.name)
    wanted = {name: LOCALES.get(name, (name,)) for name in words(languages)}
    if not wanted:
        raise InputError("no language is stated", where=CARD.name, expected=f"such as {LANGUAGES}")
    every_locale = [locale for locales in wanted.values() for locale in locales]
    twice = sorted({locale for locale in every_locale if every_locale.count(locale) > 1})
    if twice:
        raise InputError(
            f"stated twice: {', '.join(twice)}", where=CARD.name, expected="each locale once; zh is zh-CN and zh-TW"
        )
    first = [f"{locale}/{part}.tsv" for locale in every_locale]
    base = locate(root, first, CARD).base
    notes: list[str] = []
    frames: list[pl.DataFrame] = []
    for language, locales in wanted.items():
        every = pl.concat([_list(base, locale, part) for locale in locales]).with_columns(language=pl.lit(language))
        chosen = drawn(every.get_column("item").to_list(), clips, seed, CARD.name, language)
        frames.append(every.filter(pl.col("item").is_in(chosen)))
        if len(chosen) < every.height:
            notes.append(f"{len(chosen)} of {every.height} clips of {language} are drawn")
        elif every.height < max(1, clips):
            notes.append(f"{language} has {plural(every.height, 'clip')}, fewer than {max(1, clips)}")
    frame = pl.concat(frames)
    placed = put_media(frame.drop("path"), frame.get_column("path"), base, noun="clips")
    groups = {"language": None, "sex": categories("sex-2"), "age": categories("age-9")}
    table = make_table(placed.frame, targets={}, groups=groups, name=CARD.name, root=base, where=str(base))
    return replace(table, notes=(*notes, *placed.notes))


def _list(base: Path, locale: str, part: str) -> pl.DataFrame:
    path = base / locale / f"{part}.tsv"
    if not path.is_file():
        raise MissingPathError.of(
            f"list of {locale}",
            path,
            expected=CARD.layout,
            cause="a language that was not downloaded; state languages=",
        )
    # Sentences hold quotation marks that quote nothing.
    table = read_csv(path, delimiter="\t", quoted=False, controls=True)
    missing = [name for name in _NEEDED if name not in table.columns]
    if missing:
        raise InputError(f"no column {', '.join(missing)}", where=str(path), expected="a list of Common Voice")
    refuse(
        misfits(table.select(_NEEDED).with_row_index(LINE, 2), {"path": table["path"].is_not_null()}),
        what="rows without the name of a clip",
        where=str(path),
        expected="the name of a clip in the column path of every row",
        cause="a list that was saved again by a table program",
    )
    name = pl.col("path").str.strip_chars()
    name = pl.when(name.str.contains(r"\.\w+$")).then(name).otherwise(name + ".mp3")  # old releases leave it out
    return table.select(
        (pl.lit(f"{locale}/") + name).alias("item"),
        (pl.lit(f"{locale}/clips/") + name).alias("path"),
        pl.col("client_id").alias("subject"),
        pl.lit(part).alias("partition"),
        pl.lit(locale).alias("locale"),
        _cell(table, "gender").replace_strict(_SEXES, default=None, return_dtype=pl.String).alias("sex"),
        _cell(table, "age").replace_strict(_AGES, default=None, return_dtype=pl.String).alias("age"),
        pl.coalesce(_cell(table, "accents"), _cell(table, "accent")).alias("accent"),
        _cell(table, "sentence").alias("text"),
    )


def _cell(table: pl.DataFrame, name: str) -> pl.Expr:
    return pl.col(name).replace("", None) if name in table.columns else pl.lit(None, pl.String)
