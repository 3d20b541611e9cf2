"""Published partitions: what is typed is what is printed, every contradiction is named, and the measures are known."""

from __future__ import annotations

import runpy
from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.annotations import make_table
from affectcheck.errors import UnknownNameError
from affectcheck.partitions import deviations, published, published_names, published_statistics, statistics
from affectcheck.partitions.published import beside_published, inconsistencies
from affectcheck.schemes import Target, scheme

if TYPE_CHECKING:
    from pathlib import Path

PAPER_1 = {
    "affectnet-8": "AffectNet-8",
    "raf-db": "RAF-DB",
    "disfa": "DISFA",
    "emotionet": "EmotioNet",
    "gft": "GFT",
    "raf-au": "RAF-AU",
}
#: Share and allocation, largest and mean, size, smallest count, empty cells: in percentage points, as known before.
KNOWN = {
    "affectnet-8": (0.31, 0.05, 1.63, 0.32, 0.18, 479, 0),
    "raf-db": (1.53, 0.39, 6.70, 1.56, 1.33, 44, 0),
    "emotionet": (12.73, 1.30, 29.6, 4.31, 0.16, 7, 0),
    "raf-au": (6.69, 1.24, 12.3, 3.10, 1.41, 4, 0),
    "disfa": (29.4, 5.61, 70.0, 13.98, 3.58, 0, 10),
    "gft": (12.6, 2.24, 70.0, 8.01, 2.78, 0, 7),
}


def test_every_database_of_the_papers_is_known() -> None:
    assert set(PAPER_1) < set(published_names())
    assert len(published_names()) == 11
    with pytest.raises(UnknownNameError, match=r"raf-db"):
        published("raf_db")


@pytest.mark.parametrize("name", KNOWN)
def test_the_measures_of_the_new_partitions(name: str) -> None:
    found = published_statistics(name)
    measured = deviations(found, found.division("new"))
    assert measured is not None
    numbers = (
        measured.share_max,
        measured.share_mean,
        measured.allocation_max,
        measured.allocation_mean,
        measured.size,
    )
    for number, expected in zip(numbers, KNOWN[name], strict=False):
        assert round(100 * number, 1 if expected in {29.6, 12.3, 29.4, 70.0, 12.6} else 2) == expected
    assert (measured.smallest, measured.empty) == KNOWN[name][5:]


def test_the_measures_of_what_every_set_could_hold() -> None:
    rare = {
        "disfa": {("race", "black"), ("race", "indian"), ("age", "10-19"), ("age", "30-39"), ("age", "40-49")},
        "gft": {("race", "asian"), ("age in years", "24"), ("age in years", "27")},
    }
    for name, expected in (("disfa", (36.6, 6.52)), ("gft", (28.6, 6.06))):
        found = published_statistics(name)
        measured = deviations(found, found.division("new"), skip=rare[name])
        assert measured is not None
        assert (round(100 * measured.allocation_max, 1), round(100 * measured.allocation_mean, 2)) == expected


@pytest.mark.parametrize("name", published_names())
def test_every_number_that_does_not_add_up_is_named_in_the_notes_and_no_other(name: str) -> None:
    found = published(name)
    named = [key for note in found.notes for key in note.covers]
    assert sorted(named) == sorted(one.key for one in inconsistencies(found.statistics))


@pytest.mark.parametrize("name", published_names())
def test_every_database_says_where_its_numbers_are_printed(name: str) -> None:
    found = published(name)
    assert found.source.startswith(("paper 1, Table", "paper 3, section"))
    assert found.statistics.source == found.source
    assert all(text.text.endswith(".") for text in found.notes)
    assert not found.statistics.frame.filter(pl.col("count") < 0).height


def test_inconsistencies_read_as_sentences() -> None:
    told = {one.key: str(one) for name in published_names() for one in inconsistencies(published_statistics(name))}
    assert told["sum original/train gender"]  # of several databases
    emotionet = {one.key: str(one) for one in inconsistencies(published_statistics("emotionet"))}
    assert emotionet["impossible AU12"] == "AU12: 19,836 items after, 14,187 before: more than there were (+5,649)"
    assert emotionet["impossible AU20"] == "AU20: 156 items after, 280 before: more than was left out (-124)"
    assert emotionet["total"] == "44,928 items after, 45,005 before (-77)"
    assert emotionet["fewer AU9"] == "AU9: 590 items after, 648 before (-58)"
    assert (
        emotionet["sum original/test age"] == "original/test age: the values add up to 20,320, the set has 20,361 (-41)"
    )


def test_readings_of_the_odd_numbers_agree_with_the_other_half_of_the_table() -> None:
    gft = published_statistics("gft")
    test = gft.sizes("original")["test"]
    for unit in ("AU1", "AU9"):
        before, after = (gft.counts(part, unit) for part in ("original", "new"))
        complement = test - before["test", "present"]
        assert before["train", "present"] + complement == sum(after.values())
    disfa = published_statistics("disfa")
    lost = sum(disfa.sizes("original").values()) - sum(disfa.sizes("new").values())
    complement = disfa.sizes("original")["all"] - disfa.counts("original", "AU26")["all", "present"]
    assert 0 <= complement - sum(disfa.counts("new", "AU26").values()) <= lost


def test_what_the_text_states_agrees_with_the_sets() -> None:
    for name in ("aff-wild2-va", "aff-wild2-expr", "aff-wild2-au"):
        found = published(name)
        assert f"{sum(found.statistics.sizes('challenge').values()):,}" == dict(found.facts)["videos"]
        assert found.statistics.division("challenge").unit == "videos"
    expressions = published_statistics("aff-wild2-expr")
    assert expressions.counts("challenge", "expression") == {}
    assert deviations(expressions, expressions.division("challenge")) is None


def test_own_counts_stand_beside_published_ones_in_one_spelling() -> None:
    frame = pl.DataFrame(
        {
            "item": list("abcd"),
            "sex": ["F", "M", "M", "F"],
            "race": ["Caucasian"] * 4,
            "emotion": ["anger"] * 4,
            "camera": ["1"] * 4,
        }
    )
    table = make_table(
        frame, targets=[Target("emotion", scheme("expressions-7"))], groups=("sex", "race", "camera"), name="mine"
    )
    found = beside_published(statistics(table), "raf-db")
    assert [one.name for one in found.divisions] == ["original", "RAF-DB, original", "RAF-DB, new"]
    assert found.counts("RAF-DB, new", "sex")["train", "F"] == 4455
    assert found.counts("RAF-DB, new", "race")["train", "Caucasian"] == 6411
    assert found.counts("RAF-DB, new", "race")["train", "black"] == 631
    assert found.counts("RAF-DB, new", "emotion")["test", "anger"] == 282
    assert found.source == "paper 1, Table I"
    assert all(note.startswith("RAF-DB: ") for note in found.notes)
    assert "age" in {column.name for column in found.columns}


@pytest.mark.shared
@pytest.mark.parametrize(("name", "theirs"), PAPER_1.items())
def test_the_same_counts_as_typed_by_others(shared_data: Path, name: str, theirs: str) -> None:
    tables = runpy.run_path(str(shared_data / "reference" / "synthetic_databases" / "tables.py"))["DBS"][theirs]
    found = published_statistics(name)
    for place, part in enumerate(("original", "new")):
        assert tuple(found.sizes(part).values()) == tables["total"][place]
        for attribute, values in tables["attrs"].items():
            for value, counts in values.items():
                column, key = _ours(name, attribute, value)
                held = found.counts(part, column)
                assert tuple(held[where, key] for where in found.division(part).sets) == counts[place], (column, key)


def _ours(name: str, attribute: str, value: str) -> tuple[str, str]:
    if attribute == "au":
        return value, "present"
    if attribute == "age":
        return ("age in years" if name == "gft" else "age"), value
    return ("expression" if attribute == "label" else attribute), value.lower()


@pytest.mark.shared
@pytest.mark.parametrize("name", published_names())
def test_every_number_stands_in_its_paper(shared_data: Path, name: str) -> None:
    found = published(name)
    papers = {"paper 1": "1-fair-affect-protocol.txt", "paper 3": "3-abaw6-competition.txt"}
    text = (shared_data / "papers" / papers[found.source.split(",")[0]]).read_text(encoding="utf-8").replace(",", "")
    words = set(text.replace("$", " ").replace("(", " ").replace(")", " ").replace(".", " ").split())
    counts = found.statistics.frame.get_column("count").drop_nulls()
    missing = {count for count in counts if count and str(count) not in words}
    assert not missing
