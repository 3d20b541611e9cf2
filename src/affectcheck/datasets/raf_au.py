"""RAF-AU: faces from the web whose action units experts coded; one line a face."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from affectcheck.annotations import make_table
from affectcheck.datasets.card import Card, Option
from affectcheck.datasets.corpus_files import refuse
from affectcheck.datasets.declared import UNITS_TARGET, number_of, unit_target, units, unknown_units
from affectcheck.datasets.headerless import LINE, lines_where, read_lines
from affectcheck.datasets.layouts import locate
from affectcheck.datasets.pictures import put_media
from affectcheck.datasets.registry import dataset
from affectcheck.errors import UnknownNameError
from affectcheck.schemes import Target

if TYPE_CHECKING:
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

_LIST: Final = "RAFAU_label.txt"
_EXAMPLE: Final = "0007.jpg 1+2+L12+25 (name, blank, units joined by +, or null)"
_DECLARED: Final = units("au-13-rafau")
_SIDES: Final = ("any", "both")
_NULLS: Final = ("absent", "unknown")

CARD: Final = Card(
    name="raf-au",
    title="RAF-AU: action units of the Real-world Affective Faces Database",
    licence=(
        "research that is not commercial, by an agreement that a member of staff of a university or institute signs; "
        "not to be passed on"
    ),
    citation=(
        "Yan W-J, Li S, Que C, Pei J, Deng W (2020). RAF-AU database: In-the-wild facial expressions with subjective "
        "emotion judgement and objective AU annotations. ACCV 2020"
    ),
    url="http://www.whdeng.cn/RAF/model3.html",
    access="on request",
    description=(
        "4601 faces of RAF-ML, whose expressions are blended, coded for action units by two experts of the Facial "
        "Action Coding System."
    ),
    provenance="manual: two experts a face",
    can_show="how well a model finds the action units of blended expressions in pictures from the web",
    cannot_show=(
        "anything about subjects (who is who is not known), age, gender or race (not annotated in the release), "
        "intensities, or motion"
    ),
    layout=f"a folder that holds {_LIST}, with pictures such as aligned/0007_aligned.jpg",
    targets=(Target(UNITS_TARGET, _DECLARED),),
    items=4_601,
    options=(
        Option("units", "13 (those of the fair protocol), or all that the list has", "13"),
        Option("sides", "whether a unit seen on one side (L12, R12) is present: any, or both sides only", "any"),
        Option("null", "what a line 'null' says of every unit: absent, or unknown", "absent"),
    ),
    notes=(
        "the release has no partition; studies made their own and seldom shared it",
        "the pictures are those of RAF-ML: a model trained on RAF-ML or RAF-DB may have seen them",
        "253 lines say null; they are read as faces on which no unit is present",
    ),
)


@dataclass(frozen=True, eq=False)
class Codes:
    """Every code of the list.

    Attributes:
        items: (n,) names of the pictures.
        null: (n,) whether the line says null.
        item: (c,) place of the item that each code is of.
        number: (c,) number of the unit.
        side: (c,) L, R or empty.
    """

    items: pl.Series
    null: np.ndarray
    item: np.ndarray
    number: np.ndarray
    side: np.ndarray

    def present(self, number: int, *, both: bool) -> np.ndarray:
        """(n,) whether a unit is present."""
        of_unit = self.number == number
        seen = {side: np.zeros(len(self.items), bool) for side in ("", "L", "R")}
        for side, found in seen.items():
            found[self.item[of_unit & (self.side == side)]] = True
        return seen[""] | (seen["L"] & seen["R"] if both else seen["L"] | seen["R"])


@dataset(CARD)
def read(root: Path, *, units: str = "13", sides: str = "any", null: str = "absent") -> AnnotationTable:
    """Read the set.

    Args:
        root: folder of the list.
        units: ``13`` or ``all``.
        sides: ``any`` or ``both``.
        null: ``absent`` or ``unknown``.

    Returns:
        One item a picture, named as in the list; notes count one-sided units, null lines and codes left out.

    Raises:
        UnknownNameError: an option that there is not.
        InputError: lines of another form, or units that the coding system does not have; all are listed.
    """
    for name, value, known in (("sides", sides, _SIDES), ("null", null, _NULLS)):
        if value not in known:
            raise UnknownNameError.of(f"choice of {name}", value, known, where=CARD.name)
    found = locate(root, (_LIST, f"RAF-AU/{_LIST}"), CARD)
    codes = _codes(found.path)
    target = unit_target(units, _DECLARED, codes.number.tolist(), source=CARD.name)
    columns = {
        unit: pl.Series(unit, codes.present(number_of(unit), both=sides == "both").astype(np.int8))
        for unit in target.columns
    }
    if null == "unknown":
        columns = {unit: column.set(pl.Series(codes.null), None) for unit, column in columns.items()}
    frame = pl.DataFrame([codes.items, *columns.values()])
    base = found.path.parent
    paths = "aligned/" + codes.items.str.replace(r"(\.[A-Za-z]+)$", "_aligned${1}")
    placed = put_media(frame, paths, base, noun="pictures")
    table = make_table(placed.frame, targets=[target], name=CARD.name, root=base, where=str(found.path))
    return replace(table, notes=(*_notes(codes, target, sides=sides, null=null), *placed.notes, *table.notes))


def _codes(path: Path) -> Codes:
    lines = read_lines(path, example=_EXAMPLE)
    pieces = pl.col("text").str.extract_groups(r"^(\S+\.[A-Za-z]+)[ \t]+(\S+)$").struct
    rows = lines.with_columns(pieces.field("1").alias("item"), pieces.field("2").alias("codes")).with_row_index("place")
    tokens = rows.filter(pl.col("codes") != "null").with_columns(pl.col("codes").str.split("+")).explode("codes")
    parts = pl.col("codes").str.extract_groups(r"^([LR]?)([0-9]{1,2})$").struct
    tokens = tokens.with_columns(parts.field("1").alias("side"), parts.field("2").cast(pl.Int64).alias("number"))
    wrong = lines_where(rows.select(LINE, "text", "codes"), pl.col("codes").is_null())
    wrong += lines_where(
        tokens.filter(pl.col("codes").is_not_null()).select(LINE, "codes", "number"), pl.col("number").is_null()
    )
    refuse(
        wrong,
        what="lines or codes that are not of the list",
        where=str(path),
        expected=f"lines such as {_EXAMPLE}; L or R before a number for one side",
        cause="a list of another data set, or one edited by hand",
    )
    strange = unknown_units(tokens.get_column("number").to_list())
    refuse(
        lines_where(
            tokens.with_columns(("AU" + pl.col("number").cast(pl.String)).alias("unit")).select("unit", LINE),
            pl.col("unit").is_in(strange),
        ),
        what=f"codes of action units that there are not ({', '.join(strange)})",
        where=str(path),
        expected="numbers of the Facial Action Coding System",
    )
    return Codes(
        rows.get_column("item"),
        (rows.get_column("codes") == "null").to_numpy(),
        tokens.get_column("place").to_numpy(),
        tokens.get_column("number").to_numpy(),
        tokens.get_column("side").to_numpy(),
    )


def _notes(codes: Codes, target: Target, *, sides: str, null: str) -> tuple[str, ...]:
    kept = {number_of(unit) for unit in target.columns}
    one_sided = int((codes.side != "").sum())
    beyond = sorted(set(codes.number.tolist()) - kept)
    dropped = int((~np.isin(codes.number, list(kept))).sum())
    meant = "present" if sides == "any" else "present only where both sides are coded"
    found = [
        (codes.null.any(), f"{int(codes.null.sum())} lines say null: every unit {null}"),
        (one_sided, f"{one_sided} codes are of one side (L or R): {meant}"),
        (dropped, f"left out {dropped} codes of {', '.join(f'AU{n}' for n in beyond)}, which units=all keeps"),
    ]
    return tuple(note for holds, note in found if holds)
