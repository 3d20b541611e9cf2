"""Items whose labels were not made by hand are left out, counted, and known to be left out."""

from __future__ import annotations

from affectcheck.annotations import AnnotationTable, make_table
from affectcheck.partitions import PartitionOptions
from affectcheck.partitions.left_out import left_out_of
from affectcheck.schemes import Target, scheme

MOOD, AU = Target("mood", scheme("expressions-4")), Target("au", scheme("au-12-affwild2"), provenance="automatic")


def table() -> AnnotationTable:
    units = {unit: [1, 0, None, 1, None] for unit in AU.columns}
    return make_table(
        {
            "item": list("edcba"),
            "mood": ["anger", None, "anger", "neutral", "anger"],
            "mood_provenance": ["manual", "automatic", "automatic", "semi-automatic", None],
            **units,
        },
        targets=[MOOD, AU],
    )


def test_each_item_has_one_reason_that_names_all_targets() -> None:
    found = left_out_of(table(), PartitionOptions(targets=("mood", "au")))
    assert found.frame.rows() == [
        ("b", "mood: semi-automatic; au: automatic"),
        ("c", "mood: automatic"),
        ("d", "au: automatic"),  # its mood is not known, so nobody made it
        ("e", "au: automatic"),
    ]
    assert found.reasons == {"au: automatic": 2, "mood: automatic": 1, "mood: semi-automatic; au: automatic": 1}


def test_only_balanced_targets_count() -> None:
    assert left_out_of(table(), PartitionOptions()).items.to_list() == ["b", "c"]
    assert not left_out_of(table(), PartitionOptions(targets=())).items.len()
    assert left_out_of(table(), PartitionOptions(targets=())).reasons == {}


def test_what_is_allowed_is_an_option() -> None:
    allowed = PartitionOptions(provenance=("manual", "semi-automatic"))
    assert left_out_of(table(), allowed).items.to_list() == ["c"]
    assert left_out_of(table(), PartitionOptions(provenance=("automatic",))).items.to_list() == ["a", "b", "e"]


def test_the_digest_knows_items_and_reasons() -> None:
    one = left_out_of(table(), PartitionOptions())
    other = left_out_of(table(), PartitionOptions(targets=("mood", "au")))
    assert one.digest == left_out_of(table(), PartitionOptions()).digest
    assert one.digest != other.digest
