"""Doubts about subjects: named, and fatal only where they must be mistakes."""

from __future__ import annotations

import pytest

from affectcheck.annotations import AnnotationTable, make_table
from affectcheck.errors import InputError
from affectcheck.partitions import PartitionOptions
from affectcheck.partitions.preparing import Prepared, prepare


def table(rows: list[dict], groups: tuple[str, ...] = ()) -> AnnotationTable:
    columns = {name: [row.get(name) for row in rows] for name in rows[0]}
    return make_table(columns, targets=[], groups=groups, name="demo")


def prepared(rows: list[dict], groups: tuple[str, ...] = (), **options: object) -> Prepared:
    return prepare(table(rows, groups), options=PartitionOptions(**options))


def people(*sizes: int) -> list[dict]:
    return [{"item": f"s{s}-{n:02d}", "subject": f"s{s}"} for s, size in enumerate(sizes) for n in range(size)]


# one that holds nearly all


def test_one_subject_of_most_items_is_named_with_the_sizes_it_leaves() -> None:
    (note,) = prepared(people(80, 10, 5, 5)).notes
    assert note == (
        "subject 's0' holds 80.0% of all items, more than any set should; the sizes of the sets can at best be about "
        "train 80.0%, validation 6.7%, test 13.3%"
    )


def test_the_largest_set_need_not_be_the_first() -> None:
    (note,) = prepared(people(80, 10, 10), protocol="20-70-10").notes
    assert note.endswith("about train 13.3%, validation 80.0%, test 6.7%")


def test_one_subject_that_a_set_can_hold_is_only_named() -> None:
    assert prepared(people(52, 20, 28)).notes == ("subject 's0' holds 52.0% of all items",)
    assert prepared(people(50, 20, 30)).notes == ()


def test_one_recording_of_most_items_is_named_by_its_first() -> None:
    rows = [{"item": f"{n:02d}", "media": "a.mp4" if n < 9 else f"{n}.mp4"} for n in range(12)]
    assert "what belongs to item '00' holds 75.0% of all items, more than any set should" in prepared(
        rows, subjects="none"
    ).notes[-1]  # fmt: skip


# file names in place of subjects


@pytest.mark.parametrize(("items", "told"), [(19, False), (20, True), (40, True)])
def test_a_subject_an_item_may_be_a_file_name(items: int, told: bool) -> None:
    notes = prepared([{"item": f"{n:02d}.jpg", "subject": f"{n:02d}"} for n in range(items)]).notes
    assert any("the subjects may be file names" in note for note in notes) is told


def test_one_person_with_two_items_is_enough_to_be_believed() -> None:
    rows = [{"item": f"{n:02d}.jpg", "subject": f"{max(n, 1):02d}"} for n in range(30)]
    assert prepared(rows).notes == ()


def test_a_rule_that_finds_file_names_is_doubted_too() -> None:
    rows = [{"item": f"{n:02d}.jpg"} for n in range(30)]
    assert any("may be file names" in note for note in prepared(rows, subjects=r"\d+").notes)
    assert prepared(rows, subjects="none").notes == ()


# spellings


def test_a_subject_in_two_spellings_is_named() -> None:
    rows = [{"item": f"{n}", "subject": name} for n, name in enumerate(["S1", "s1", "S 2", "S  2", "s3", "S1"])]
    assert prepared(rows).notes == (
        "2 subjects may be spelt in two ways, and count as two: 'S  2' and 'S 2', 'S1' and 's1'",
    )


def test_many_spellings_are_counted() -> None:
    rows = [{"item": f"{case}{n:02d}", "subject": f"{case}{n:02d}"} for n in range(30) for case in "aA"]
    (*_, note) = prepared(rows).notes
    assert note.startswith("30 subjects may be spelt in two ways")
    assert note.endswith("'A19' and 'a19', and 10 more")


# contradictions


def persons(**values: list) -> list[dict]:
    """Six items of three subjects."""
    return [
        {"item": f"i{n}", "subject": f"s{n // 2}", **{name: given[n] for name, given in values.items()}}
        for n in range(6)
    ]


SEX = ["female", "male", "male", "male", "female", "female"]


@pytest.mark.parametrize("group", ["sex", "gender", "perceived_gender", "Race", "ethnicity"])
def test_a_subject_of_two_genders_is_an_error_that_lists_it(group: str) -> None:
    with pytest.raises(InputError) as caught:
        prepared(persons(**{group: SEX}), (group,))
    assert caught.value.what == (
        f"1 subject with contradicting demographics:\n  subject 's0': {group} is female (1 item: 'i0'); male (1 item: 'i1')"
    )
    assert "--allow-contradictions" in caught.value.expected


def test_a_contradiction_that_is_allowed_is_told() -> None:
    (note,) = prepared(persons(sex=SEX), ("sex",), allow_contradictions=True).notes
    assert note == (
        "1 subject of several values of sex, of which each item counts by its own, such as 's0': 'female', 'male'"
    )


def test_a_contradiction_in_what_is_not_balanced_is_told() -> None:
    (note,) = prepare(table(persons(sex=SEX), ("sex",)), options=PartitionOptions(groups=())).notes
    assert note.startswith("1 subject of several values of sex")


def test_people_grow_older() -> None:
    ages = ["20-29", "30-39", "40-49", "40-49", "50-59", None]
    (note,) = prepared(persons(age=ages), ("age",)).notes
    assert "1 subject of several values of age" in note


def test_who_is_not_known_contradicts_nobody() -> None:
    values = ["female", None, "male", "other/uncertain", "Unsure", "female"]
    assert prepared(persons(gender=values), ("gender",)).notes == ()


def test_items_without_a_subject_are_no_person() -> None:
    rows = [{**row, "subject": None if n < 2 else row["subject"]} for n, row in enumerate(persons(sex=SEX))]
    assert prepared(rows, ("sex",), protocol="50-50").notes == (
        "2 items name no subject; they stay together in one set",
    )


def test_other_groups_may_change_within_a_person() -> None:
    assert prepared(persons(language=SEX), ("language",)).notes == ()


def test_many_contradictions_are_counted_and_long_lists_cut() -> None:
    rows = [{"item": f"{s:02d}-{n}", "subject": f"{s:02d}", "sex": "fm"[n % 2]} for s in range(25) for n in range(10)]
    with pytest.raises(InputError) as caught:
        prepared(rows, ("sex",))
    assert caught.value.what.startswith("25 subjects with contradicting demographics:")
    assert caught.value.what.endswith("\n  and 5 more")
    assert "f (5 items: '00-0', '00-2', '00-4', …)" in caught.value.what


# nothing to divide


def test_labels_that_nobody_made_by_hand_leave_nothing() -> None:
    from affectcheck.schemes import Target, scheme

    mood = Target("mood", scheme("expressions-4"), provenance="automatic")
    found = make_table(
        {"item": list("abc"), "subject": list("xyz"), "mood": ["anger"] * 3}, targets=[mood], name="demo"
    )
    with pytest.raises(InputError) as caught:
        prepare(found)
    assert caught.value.what == "nothing is left to divide: no label is manual: mood: automatic (3)"
    allowed = prepare(found, options=PartitionOptions(provenance=("manual", "automatic")))
    assert allowed.table.height == 3


def test_values_that_cannot_be_split_are_known_beforehand() -> None:
    rows = persons(sex=["female", "female", "male", "male", "male", "male"], age=["1"] * 6)
    named = [(rare.column, rare.value, rare.units) for rare in prepared(rows, ("sex", "age")).unsplittable]
    assert named == [("sex", "female", 1), ("sex", "male", 2)]
