"""The table of speakers of the speech accent archive, with the mistakes that are in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from affectcheck.annotations import read_csv
from affectcheck.datasets.corpus_files import refuse
from affectcheck.datasets.headerless import LINE, misfits
from affectcheck.datasets.leaving_out import Kept, leave_out
from affectcheck.errors import UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

TABLE: Final = "speakers_all.csv"
_NEEDED: Final = ("filename", "speakerid", "native_language", "sex", "age", "age_onset", "country", "file_missing?")
_SEXES: Final = {"female": "female", "famale": "female", "male": "male"}


def speakers_of(path: Path) -> Kept:
    """The speakers whose recording the table does not call missing.

    Returns:
        ``item`` (name of the file without its suffix), ``subject``, ``native_language``, ``sex``, ``age`` (decade),
        ``age_years``, ``age_onset`` and ``country``.

    Raises:
        UnknownNameError: the table lacks a column.
        InputError: sexes or ages that do not fit; all are listed.
    """
    table = read_csv(path)
    missing = [name for name in _NEEDED if name not in table.columns]
    if missing:
        raise UnknownNameError(
            f"the table lacks {', '.join(missing)}",
            where=str(path),
            expected=f"a header with {', '.join(_NEEDED)}",
            cause="another table of the archive",
        )
    sex = pl.col("sex").str.strip_chars().str.to_lowercase()
    years, onset = (pl.col(name).str.strip_chars().cast(pl.Float64, strict=False) for name in ("age", "age_onset"))
    fits = {
        "sex": table.select(sex.is_in(list(_SEXES))).to_series(),
        "age": table.select(years.is_finite() & years.is_between(0, 120)).to_series(),
        "filename": table.get_column("filename").is_not_null(),
        "speakerid": table.get_column("speakerid").is_not_null(),
        "native_language": table.get_column("native_language").is_not_null(),
        "age_onset": table.select(onset.is_finite().fill_null(value=False) | pl.col("age_onset").is_null()).to_series(),
    }
    refuse(
        misfits(
            table.with_row_index(LINE, 2).select(LINE, "filename", *(name for name in fits if name != "filename")), fits
        ),
        what="rows that do not fit",
        where=str(path),
        expected=f"{', '.join(_SEXES)}, ages in years, a file, a speaker and a native language",
    )
    frame = table.select(
        pl.col("filename").str.strip_chars().str.replace(r"\.mp3$", "").alias("item"),
        pl.col("speakerid").str.strip_chars().alias("subject"),
        pl.col("native_language").str.strip_chars().str.to_lowercase(),
        sex.replace_strict(_SEXES).alias("sex"),
        _decade(years).alias("age"),
        years.alias("age_years"),
        onset.alias("age_onset"),
        pl.col("country").str.strip_chars(),
        (pl.col("file_missing?").str.strip_chars().str.to_uppercase() == "TRUE").alias("missing"),
    )
    kept = leave_out(
        frame,
        {
            "of speakers whose recording is missing": pl.col("missing"),
            "of synthesised voices": pl.col("native_language").str.contains("synthes"),
            "of a recording listed before": pl.col("item").is_first_distinct().not_(),
        },
        where=str(path),
    )
    return Kept(kept.frame.drop("missing"), kept.notes)


def _decade(years: pl.Expr) -> pl.Expr:
    """The label of ``age-9`` that an age lies in."""
    low = (years // 10 * 10).cast(pl.Int64)
    decade = low.cast(pl.String).str.zfill(2) + "-" + (low + 9).cast(pl.String).str.zfill(2)
    young = pl.when(years < 3).then(pl.lit("00-02")).when(years < 10).then(pl.lit("03-09"))
    return young.when(years >= 70).then(pl.lit("70+")).otherwise(decade)
