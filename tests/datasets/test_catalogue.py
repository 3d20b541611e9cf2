"""Laws that every registered data set keeps: a complete card, and a table that is as the card says."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

import polars as pl
import pytest

import label_trees
import speech_trees
from affectcheck.annotations import AnnotationTable
from affectcheck.datasets import DATASETS, load_dataset
from affectcheck.datasets.card import Option
from affectcheck.schemes import CategoryScheme

if TYPE_CHECKING:
    from affectcheck.datasets import Card

NAMES = DATASETS.names()


def ravdess(put, request):
    return load_dataset("ravdess", put(*request.getfixturevalue("ravdess_files")))


def emodb(put, request):
    return load_dataset("emodb", put(*request.getfixturevalue("emodb_files")))


def table(put, request):
    root = put("a.wav")
    (root / "table.csv").write_text("media,emotion\na.wav,anger\n")
    return load_dataset("table", root / "table.csv", targets="emotion=expressions-7")


def synthetic_speech(put, request):
    pytest.importorskip("espeakng_loader")
    root = request.getfixturevalue("tmp_path") / "made"
    return load_dataset("synthetic-speech", root, speakers=2, languages="en")


def drawn_faces(put, request):
    pytest.importorskip("PIL")
    root = request.getfixturevalue("tmp_path") / "made"
    return load_dataset("drawn-faces?subjects=2&takes=1&size=48", root)


def audb(put, request):
    pytest.importorskip("audb")
    return request.getfixturevalue("tiny_audb")()


def words_in_context(put, request):
    pytest.importorskip("espeakng_loader")
    return load_dataset("words-in-context?languages=en,ja&per_cell=2", request.getfixturevalue("tmp_path") / "made")


def written(write, name, *others):
    """A maker of a set that needs no sound: the tree is text and empty files."""

    def make(put, request):
        return load_dataset(name, write(request.getfixturevalue("tmp_path") / "tree", *others))

    return make


MAKERS = {
    "aff-wild2": written(label_trees.aff_wild2, "aff-wild2"),
    "affectnet": written(label_trees.affectnet_full, "affectnet"),
    "audb": audb,
    "c-expr-db": written(label_trees.c_expr_db, "c-expr-db"),
    "common-voice": written(speech_trees.common_voice, "common-voice"),
    "crema-d": written(label_trees.crema_d, "crema-d"),
    "des": written(partial(speech_trees.acted_of, "des-5"), "des"),
    "disfa": written(label_trees.disfa, "disfa"),
    "drawn-faces": drawn_faces,
    "emodb": emodb,
    "emotionet": written(label_trees.emotionet, "emotionet"),
    "emovo": written(speech_trees.emovo, "emovo"),
    "fair-protocol": written(label_trees.protocol, "fair-protocol", "disfa"),
    "fairface": written(label_trees.fairface, "fairface"),
    "ferplus": written(label_trees.ferplus, "ferplus"),
    "gft": written(label_trees.protocol, "gft", "gft"),
    "hume-vidmimic2": written(label_trees.hume_vidmimic2, "hume-vidmimic2"),
    "iemocap": written(speech_trees.iemocap, "iemocap"),
    "meld": written(speech_trees.meld, "meld"),
    "msp-podcast": written(speech_trees.msp_podcast, "msp-podcast"),
    "nsc": written(speech_trees.nsc, "nsc"),
    "pesd": written(partial(speech_trees.acted_of, "pesd-6"), "pesd"),
    "raf-au": written(label_trees.raf_au, "raf-au"),
    "raf-db": written(label_trees.raf, "raf-db"),
    "raf-db-compound": written(partial(label_trees.raf, part="compound", codes=11), "raf-db-compound"),
    "ravdess": ravdess,
    "speech-accent-archive": written(speech_trees.accent_archive, "speech-accent-archive"),
    "synthetic-speech": synthetic_speech,
    "table": table,
    "timit": written(speech_trees.timit, "timit"),
    "words-in-context": words_in_context,
}
#: Sets whose media the tree above has in part or not at all; the others' are all there.
WITHOUT_MEDIA = {"affectnet", "crema-d", "disfa", "emotionet", "fair-protocol", "ferplus", "gft", "raf-au"}
WITHOUT_MEDIA |= {"iemocap", "meld", "msp-podcast"}
#: Sets with groups that are not known for every item, of the set itself or of the tree.
UNKNOWN_GROUPS = {"common-voice", "meld", "msp-podcast", "pesd", "raf-db", "raf-db-compound"}

#: Sets whose number of subjects depends on the release.
BY_RELEASE = {"aff-wild2", "c-expr-db", "msp-podcast"}


def test_every_data_set_is_tried_here():
    assert set(NAMES) == set(MAKERS)
    assert not DATASETS.broken


@pytest.mark.parametrize("name", NAMES)
def test_the_card_is_complete(name):
    card: Card = DATASETS.get(name).card
    assert card.name == name
    assert re.fullmatch(r"[a-z0-9-]+", name)
    for field in (
        "title",
        "licence",
        "access",
        "citation",
        "url",
        "description",
        "provenance",
        "can_show",
        "cannot_show",
    ):
        text = getattr(card, field)
        assert text == text.strip() != "", field
    for option in card.options:
        assert isinstance(option, Option)
        assert option.name.isidentifier()
        assert option.description
        assert option.description == option.description.strip()
    assert len({option.name for option in card.options}) == len(card.options)
    assert len({target.name for target in card.targets}) == len(card.targets)
    assert all(note == note.strip() != "" for note in card.notes)
    if card.speakers is not None:
        assert card.speakers > 0
        assert card.items is None or card.items > card.speakers


@pytest.mark.parametrize("name", [name for name in NAMES if DATASETS.get(name).card.items is not None])
def test_a_set_of_known_size_says_what_is_annotated_or_that_nothing_is(name):
    card = DATASETS.get(name).card
    assert card.items > 0
    assert card.targets or (card.groups and "no affect labels" in card.provenance)
    assert card.speakers is not None or "who is who is not known" in card.cannot_show or "subjects" in card.cannot_show


@pytest.mark.parametrize("name", NAMES)
def test_the_table_is_as_the_card_says(name, put, request):
    made: AnnotationTable = MAKERS[name](put, request)
    card = DATASETS.get(name).card
    assert isinstance(made, AnnotationTable)
    assert made.name == ("tiny" if name == "audb" else name)
    assert made.items.n_unique() == made.height > 0
    assert made.root is not None
    media = made.frame.get_column("media")
    assert (media.null_count() > 0) == (name in WITHOUT_MEDIA)
    assert all((made.root / path).is_file() for path in media.drop_nulls())
    if card.targets:
        assert {target: found.scheme for target, found in made.targets.items()} == {
            t.name: t.scheme for t in card.targets
        }
        assert made.groups == card.groups
        assert made.has_subjects == (card.speakers is not None or name in BY_RELEASE)
    for target in made.targets.values():
        if isinstance(target.scheme, CategoryScheme):
            column = made.frame.get_column(target.name)
            assert column.dtype == pl.Enum(target.scheme.labels)
            assert column.null_count() < made.height
    if made.groups:
        unknown = any(made.frame.get_column(group).null_count() for group in made.groups)
        assert unknown == (name in UNKNOWN_GROUPS)
