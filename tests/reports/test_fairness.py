"""The fairness page: a verdict for every disparity, who was compared, undefined cells, worst groups and shifts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from affectcheck.records import Decision, NoiseFloor, Place, RunRecord, Score, Undefined
from affectcheck.reports import render_html, render_markdown, summary_lines
from affectcheck.reports.document import Details, Figure, Section, Table
from affectcheck.reports.reading import Reading
from affectcheck.reports.sections import groups
from affectcheck.reports.sections.fairness import CELLS, judged_of, of_parts, undefined
from affectcheck.reports.sections.group_scores import MANY
from affectcheck.reports.sections.judging import judge
from affectcheck.reports.sections.sizes import NAMED, group_sizes, sizes, small_groups
from affectcheck.reports.sections.tiles import tiles
from affectcheck.reports.sections.untested import untested
from affectcheck.reports.sections.worst import shifts, worst_groups

if TYPE_CHECKING:
    from types import ModuleType

SEX = Place("sex")
BAND = NoiseFloor(0.05, 0.08, 1000, "groups permuted over 24 subjects")
WIDE = NoiseFloor(0.16, 0.21, 1000, "groups permuted over 24 subjects")


def record(records: ModuleType, *scores: Any, **tables: Any) -> RunRecord:
    return RunRecord(records.categories().header, tuple(scores), tables=tables)


def eop(records: ModuleType, outcome: str = "inconclusive", value: float = 0.19) -> tuple[Score, Score]:
    """EOP by sex in both scalings, the limit judged in that of the tables."""
    reason = "above the limit of 0.1, but groups dealt out at random reach 0.210 at this support"
    judged = records.score("eop", value, place=SEX, width=0, floor=WIDE, convention="tables", undefined_parts=2,
                           notes=("group 'male' (n = 9) has no items of the class fear", "no noise floor: of age"),
                           decision=Decision(outcome, 0.1, reason))  # fmt: skip
    return records.score("eop", 0.054, place=SEX, width=0, floor=BAND), judged


def section(found: RunRecord) -> Section:
    made = groups.build(Reading(found))
    assert made is not None
    (first, *_) = made.blocks
    assert isinstance(first, Section)
    return first


def rows(table: Table) -> list[dict[str, str]]:
    titles = [column.title for column in table.columns]
    return [dict(zip(titles, (cell.text for cell in row.cells), strict=True)) for row in table.rows]


class TestVerdicts:
    @pytest.mark.parametrize(
        ("outcome", "status"), [("exceeds", "failed"), ("within", "passed"), ("inconclusive", "inconclusive")]
    )
    def test_it_is_given_in_the_scaling_of_the_tables(self, records: ModuleType, outcome: str, status: str) -> None:
        found = judge(Reading(record(records)), eop(records, outcome), "EOP")
        assert (found.status, found.judged.signature.convention, found.limit) == (status, "tables", 0.1)

    def test_it_stands_first_with_both_scalings_limit_band_and_reason(self, records: ModuleType) -> None:
        figure = section(record(records, records.score("uar", 0.5), *eop(records))).blocks[0]
        assert isinstance(figure, Figure)
        assert figure.leads
        assert isinstance(figure.table, Table)
        (row,) = rows(figure.table)
        assert row == {
            "Disparity": "EOP",
            "Verdict": "inconclusive",
            "Value, tables": "0.190",
            "Value, paper": "0.054",
            "Limit": "0.1",
            "Null band": "0.160\N{NO-BREAK SPACE}…\N{NO-BREAK SPACE}0.210",
            "Undefined": "0/2",
            "n": "432",
            "Reason": "above the limit of 0.1, but groups dealt out at random reach 0.210 at this support",
        }
        assert "groups permuted over 24 subjects, 1,000 draws" in figure.table.caption
        band = figure.table.rows[0].cells[5]
        assert band.detail.replace("\N{NO-BREAK SPACE}", " ") == "paper: 0.050 … 0.080"

    def test_a_badge_in_html_and_a_word_elsewhere(self, records: ModuleType) -> None:
        made = record(records, *eop(records, "exceeds"))
        html = render_html(made)
        by_sex = html[html.index('id="group-1"') :]
        assert by_sex.index("failed") < by_sex.index("<svg")
        assert "| EOP | FAIL | 0.190 | 0.054 | 0.1 |" in render_markdown(made)
        (line,) = (line for line in summary_lines(made) if line.startswith("EOP, sex"))
        assert line.split()[2:6] == ["failed", "0.190", "0.054", "0.1"]

    def test_why_one_scaling_alone_is_judged_is_said_once(self, records: ModuleType) -> None:
        text = render_markdown(record(records, *eop(records)))
        assert text.count("neither can exceed 2 divided by the number of classes (0.250 for 8 classes)") == 1
        other = render_markdown(record(records, records.score("uar_gap", 0.2, place=SEX, width=0, floor=BAND)))
        assert "divided by the number of classes (" not in other

    def test_scalings_that_decide_otherwise_are_both_told(self, records: ModuleType) -> None:
        within = Decision("within", 0.1, "within the limit of 0.1: no unfairness detected at this support")
        exceeds = Decision("exceeds", 0.1, "above both")
        paper = records.score("eod", 0.09, place=SEX, width=0, floor=BAND, decision=within)
        tables = replace(paper, value=0.3, decision=exceeds, signature=paper.signature.with_(convention="tables"))
        found = judge(Reading(record(records)), (paper, tables), "EOD")
        assert (found.status, found.reason) == ("failed", "above both; in the paper scaling: within")

    def test_no_word_calls_a_model_fair(self, records: ModuleType) -> None:
        reason = "within the limit of 0.1: no unfairness detected at this support"
        scores = [replace(s, decision=Decision("within", 0.1, reason)) for s in eop(records)]
        text = render_html(record(records, *scores)).casefold()
        assert "no unfairness detected at this support" in text
        for word in ("fair model", "is fair", "unbiased"):
            assert word not in text

    @pytest.mark.parametrize(
        ("metric", "convention", "floor", "why"),
        [
            ("eop", "paper", BAND, "a limit is judged in the tables scaling only, in which it was not scored; above"),
            ("mae_gap", "", BAND, "no one limit holds for this scale; above what groups dealt out at random reach"),
            ("my_gap", "", WIDE, "no one limit holds for this scale; no more than groups dealt out at random reach"),
            ("uar_gap", "paper", None, "the limit was not judged; no null band was drawn"),
        ],
    )
    def test_what_is_not_judged_says_why(
        self, records: ModuleType, metric: str, convention: str, floor: NoiseFloor | None, why: str
    ) -> None:
        score = records.score(metric, 0.2, place=SEX, width=0, floor=floor, convention=convention)
        found = judge(Reading(record(records)), (score,), "")
        assert found.status == "not applicable"
        assert found.reason.startswith(why)
        assert found.limit is None

    def test_an_undefined_disparity_is_not_applicable(self, records: ModuleType) -> None:
        score = Undefined("eop", "one group only", 12, records.signature("eop"), SEX)
        (found,) = judged_of(Reading(record(records)), (score,))
        assert (found.status, found.reason) == ("not applicable", "one group only")

    def test_where_all_scalings_agree_the_value_stands_once(self, records: ModuleType) -> None:
        same = records.score("dpd", 0.03, place=SEX, width=0, floor=BAND, convention="")
        figure = section(record(records, *eop(records), same)).blocks[0]
        assert isinstance(figure, Figure)
        assert isinstance(figure.table, Table)
        told = rows(figure.table)[1]
        assert (told["Value, tables"], told["Value, paper"]) == ("0.030", "same")

    def test_a_value_is_told_apart_from_what_it_is_judged_by(self, records: ModuleType) -> None:
        floor = NoiseFloor(0.4, 0.42318, 1000)
        near = records.score("eop", 0.42324, place=SEX, width=0, floor=floor, convention="tables",
                             decision=Decision("exceeds", 0.1, "above"))  # fmt: skip
        text = render_markdown(record(records, near))
        assert "| 0.42324 | 0.1 | 0.400 … 0.42318 |" in text

    def test_an_unknown_convention_has_a_column_of_its_own(self, records: ModuleType) -> None:
        text = render_markdown(record(records, records.score("eop", 0.2, place=SEX, width=0, convention="house")))
        assert "| Value, house |" in text

    def test_the_first_screen_counts_them(self, records: ModuleType) -> None:
        failed = eop(records, "exceeds")
        gap = records.score("mae_gap", 0.2, place=SEX, width=0, floor=BAND)
        found = tiles(Reading(record(records, records.score("uar", 0.5), *failed, gap)))
        (tile,) = (tile for tile in found if tile.name == "Disparities that fail")
        assert tile.value == "1 of 1"
        assert tile.detail == "by sex · 0 within the limit at this support · 0 inconclusive · 1 not judged"
        bare = tiles(Reading(record(records, records.score("uar", 0.5), gap)))
        assert not [tile for tile in bare if tile.name == "Disparities that fail"], "nothing was judged"


class TestUndefinedCells:
    def test_which_and_what_became_of_them(self, records: ModuleType) -> None:
        (details,) = undefined(Reading(record(records)), "sex", eop(records))
        assert details.summary.startswith("Undefined cells by sex: up to 2,")
        cells, rules = details.blocks
        assert cells.items == (  # type: ignore[union-attr]
            "EOP (tables): 2 cells. group 'male' (n = 9) has no items of the class fear",
        )
        ruled = [replace(s, signature=s.signature.with_(undefined="uniform")) for s in eop(records)]
        (details,) = undefined(Reading(record(records)), "sex", ruled)
        assert details.blocks[1].items == (  # type: ignore[union-attr]
            "EOP (tables): a true class that a group lacks is taken as a uniform row",
        )
        assert not rules.items  # type: ignore[union-attr]

    def test_none_are_not_mentioned(self, records: ModuleType) -> None:
        assert undefined(Reading(record(records)), "sex", [records.score("eop", 0.1, place=SEX)]) == ()

    def test_hundreds_are_cut_and_counted(self, records: ModuleType) -> None:
        cells = tuple(f"group '{i}' has no items of the class fear" for i in range(40))
        score = records.score("eop", 0.1, place=SEX, undefined_parts=40, notes=cells)
        (details,) = undefined(Reading(record(records)), "sex", [score])
        (line,) = details.blocks[0].items  # type: ignore[union-attr]
        assert line.endswith(f"; and {40 - CELLS} more")

    def test_they_are_not_cautions_as_well(self, records: ModuleType) -> None:
        text = render_markdown(record(records, *eop(records)))
        assert text.count("has no items of the class fear") == 1
        assert "No noise floor: of age (EOP (tables), sex)" in text


def crossed(records: ModuleType, number: int = 14, small: int = 2) -> tuple[Any, ...]:
    """Scores of many crossed groups, the last few below the minimum support."""
    found: list[Any] = []
    for metric in ("uar", "f1_macro"):
        for i in range(number):
            place = Place("age*sex", f"{i:02d}*female")
            if i >= number - small:
                reason = f"group '{i:02d}*female' has {i} items, fewer than the minimum support of 20"
                found.append(Undefined(metric, reason, i, records.signature(metric), place))
            else:
                found.append(records.score(metric, 0.4 + i / 50, place=place, n=40))
                found.append(records.score("recall", 0.4, place=replace(place, part="anger"), n=30))
    excluded = ",".join(["missing=0", *(f"{i}*Unsure=2" for i in range(20))])
    return (*found, records.score("local_f1", 0.4, place=Place("age*sex"), excluded=excluded))


class TestGroups:
    def test_used_and_left_out_from_the_records_table(self, records: ModuleType) -> None:
        table = {"columns": ["attribute", "group", "count", "scored"],
                 "rows": [["sex", "female", 1216, True], ["sex", "Unsure", 4, False], ["sex", "missing", 0, False]]}  # fmt: skip
        made = record(records, records.score("uar", 0.5, place=Place("sex", "female")), groups=table)
        (text,) = sizes(Reading(made), "sex", made.scores)
        assert text.text == "Items: female (1,216). Left out, since the value names no group: Unsure (4)."  # type: ignore[union-attr]

    def test_or_from_the_scores(self, records: ModuleType) -> None:
        scores = (
            records.score("uar", 0.5, place=Place("sex", "female"), n=20, excluded="missing=3,Other=7,odd"),
            records.score("uar", 0.5, place=Place("sex", "male"), n=30),
            records.score("uar_difference", 0.5, place=Place("sex", "female-male"), n=50),
        )
        used, left = group_sizes(Reading(record(records, *scores)), "sex", scores)
        assert used == {"female": 20, "male": 30}
        assert left == {"missing": 3, "Other": 7}

    def test_nobody_is_not_worth_a_line(self, records: ModuleType) -> None:
        assert sizes(Reading(record(records)), "sex", ()) == ()

    def test_crossed_groups_are_counted_and_small_ones_greyed(self, records: ModuleType) -> None:
        scores = crossed(records)
        assert small_groups(scores) == ("12*female", "13*female")
        made = record(records, *scores)
        text, details = sizes(Reading(made), "age*sex", scores)
        assert (
            text.text
            == (  # type: ignore[union-attr]
                "12 groups with 480 items are compared: " + ", ".join(f"{i:02d}*female (40)" for i in range(12)) + "; "
                "2 groups below the minimum support (25 items) are shown greyed, and not compared. "
                "Left out, since one of their values names no group: 20 combinations, 40 items."
            )
        )
        assert isinstance(details, Details)
        assert len(details.blocks[0].rows) == 20 > NAMED  # type: ignore[union-attr]
        figure = next(b for b in section(made).blocks if isinstance(b, Figure))
        assert len(figure.chart.panels) == 1, "of many groups the headline metric alone is drawn"  # type: ignore[union-attr]
        assert isinstance(figure.table, Table)
        last = figure.table.rows[-1]
        assert [cell.text for cell in last.cells] == [
            "13*female", "13", "undefined", "undefined",
            "group '13*female' has 13 items, fewer than the minimum support of 20",
        ]  # fmt: skip
        assert all(cell.weak for cell in last.cells)
        assert 'class="short weak">13*female' in render_html(made)

    def test_many_groups_stand_in_rows_of_the_tables_of_parts(self, records: ModuleType) -> None:
        made = record(records, *crossed(records))
        details = [b for b in section(made).blocks if isinstance(b, Details) and b.summary.startswith("Recall")]
        (table,) = details[0].blocks
        assert isinstance(table, Table)
        assert [column.title for column in table.columns] == ["Group", "anger"]
        assert len(table.rows) == 12 > MANY
        assert table.caption.endswith(". 2 groups without any value left out")

    def test_the_terminal_tells_many_groups_in_a_line(self, records: ModuleType) -> None:
        lines = summary_lines(record(records, *crossed(records)))
        (line,) = (line for line in lines if "14 groups of age*sex" in line)
        assert "0.400 … 0.620" in line
        assert not [line for line in lines if "= 03*female" in line]
        none = record(records, *(s for s in crossed(records, small=14)))
        assert any("14 groups of age*sex  undefined" in line for line in summary_lines(none))

    def test_undefined_scores_of_small_groups_are_one_line(self, records: ModuleType) -> None:
        said = untested(Reading(record(records, *crossed(records))))
        assert "4 scores undefined: 2 groups of age*sex below the minimum support" in said
        assert "Left out of the scores by age*sex: 20 combinations, 40 items" in said

    def test_undefined_scores_of_parts_are_told_by_their_gist(self, records: ModuleType) -> None:
        lost = [
            Undefined("recall", f"{part}: no items in the truth", 0, records.signature("recall"), Place("", "", part))
            for part in ("fear", "calm")
        ]
        said = untested(Reading(record(records, *lost)))
        assert "2 scores of single groups or parts undefined: no items in the truth" in said


class TestWorst:
    def scores(self, records: ModuleType) -> tuple[Score, ...]:
        return (
            records.score("uar", 0.7, place=Place("sex", "female"), n=20),
            records.score("uar", 0.5, place=Place("sex", "male"), n=30),
            records.score("mde", 0.1, place=Place("sex", "female")),
            records.score("mde", -0.2, place=Place("sex", "male")),
            records.score("share", 0.1, place=Place("sex", "female")),
            records.score("share", 0.2, place=Place("sex", "male")),
        )

    def test_by_the_direction_of_each_metric(self, records: ModuleType) -> None:
        whole = records.score("uar", 0.62)
        reading = Reading(record(records, whole, *self.scores(records)))
        (table,) = worst_groups(reading, "sex", self.scores(records))
        assert isinstance(table, Table)
        first, second = rows(table)
        assert (first["Metric"], first["Worst group"], first["Value"], first["All items"]) == (
            "UAR",
            "male",
            "0.500",
            "0.620",
        )
        assert (second["Metric"], second["Worst group"], second["Best group"]) == ("MDE", "male", "female")
        assert len(table.rows) == 2, "no share is better than another"
        assert "Chance" not in table.caption

    def test_beside_what_chance_makes_of_the_worst(self, records: ModuleType) -> None:
        worst = records.score("uar_worst", 0.5, place=SEX, width=0, floor=NoiseFloor(0.55, 0.51, 100))
        made = record(records, *self.scores(records), worst)
        (table,) = worst_groups(Reading(made), "sex", self.scores(records), (worst,))
        assert isinstance(table, Table)
        assert rows(table)[0]["Chance, mean … 95\N{NO-BREAK SPACE}%"].startswith("0.550")
        assert rows(table)[1]["Chance, mean … 95\N{NO-BREAK SPACE}%"] == "–"
        assert "UAR of the worst group" not in [row["Disparity"] for row in _verdict_rows(made)]

    def test_one_group_is_no_worst(self, records: ModuleType) -> None:
        assert worst_groups(Reading(record(records)), "sex", self.scores(records)[:1]) == ()

    def test_in_the_terminal(self, records: ModuleType) -> None:
        lines = summary_lines(record(records, *self.scores(records)))
        assert lines[lines.index(next(line for line in lines if line.startswith("worst group"))) + 1].startswith(
            "UAR, sex = male  0.500"
        )


def _verdict_rows(made: RunRecord) -> list[dict[str, str]]:
    tables = [b.table if isinstance(b, Figure) else b for b in section(made).blocks]
    return [row for t in tables if isinstance(t, Table) and t.caption.startswith("Verdicts") for row in rows(t)]


class TestShifts:
    def test_whole_metrics_open_and_parts_folded(self, records: ModuleType) -> None:
        scores = [
            records.score("uar_to_combined", 0.1, place=Place("sex", "female")),
            records.score("uar_to_combined", -0.1, place=Place("sex", "male")),
            records.score("share_to_combined", 0.02, place=Place("sex", "female", "anger")),
        ]
        made = record(records, *scores)
        table, details = shifts(Reading(made), "sex", scores)
        assert isinstance(table, Table)
        assert rows(table) == [{"Group": "female", "UAR": "+0.100"}, {"Group": "male", "UAR": "−0.100"}]
        assert isinstance(details, Details)
        assert details.summary == "Share predicted, group minus all, of each class by sex"
        figures = [b for b in section(made).blocks if isinstance(b, Figure)]
        assert not figures, "a shift is no score of a group"

    def test_of_many_groups_folded(self, records: ModuleType) -> None:
        scores = [records.score("uar_to_combined", 0.1, place=Place("age", str(i))) for i in range(MANY + 1)]
        (details,) = shifts(Reading(record(records, *scores)), "age", scores)
        assert isinstance(details, Details)

    def test_none(self, records: ModuleType) -> None:
        assert shifts(Reading(record(records)), "sex", ()) == ()


class TestParts:
    def test_a_table_of_parts_with_band_or_interval(self, records: ModuleType) -> None:
        scores = [
            records.score("eod", 0.3, place=Place("sex", "", "AU1"), width=0, floor=BAND),
            records.score("eod", 0.06, place=Place("sex", "", "AU2"), width=0, floor=BAND),
            records.score("unit_local_f1", 0.6, place=Place("sex", "", "AU1")),
        ]
        (details,) = of_parts(Reading(record(records, *scores)), "sex", scores)
        (table,) = details.blocks
        assert isinstance(table, Table)
        assert rows(table)[0] == {"Class": "AU1", "n": "432", "EOD": "0.300", "Local AU F1": "0.600"}
        details_of = [[cell.detail.replace("\N{NO-BREAK SPACE}", " ") for cell in row.cells] for row in table.rows]
        assert details_of[0][2:] == ["above chance, 0.080", "[0.550, 0.645]"]
        assert details_of[1][2:] == ["within chance, 0.080", ""]
        assert "no part is judged by itself" in table.caption
        assert of_parts(Reading(record(records)), "sex", ()) == ()
