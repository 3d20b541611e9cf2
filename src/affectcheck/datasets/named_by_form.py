"""Acted corpora whose file names no public page describes: the user states their form, or a table beside them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from affectcheck.annotations import make_table
from affectcheck.datasets.card import Card, Option
from affectcheck.datasets.corpus_files import (
    SUFFIXES,
    files_below,
    nothing_found,
    read_metadata,
    refuse,
    require_folder,
    require_text,
)
from affectcheck.datasets.declared import categories
from affectcheck.datasets.parts import words
from affectcheck.datasets.relabel import MAPPING_OPTION, SCHEME_OPTION, relabel
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import CategoryScheme, StatedMapping, fold

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from affectcheck.annotations import AnnotationTable

#: What a form may name; the last is passed over.
FIELDS: Final = ("speaker", "expression", "text", "sex", "repetition", "any")
DEFAULT_FORM: Final = "{speaker}_{expression}_{text}"
_NEEDED: Final = ("file", "speaker", "expression")
_FIELD: Final = re.compile(r"\{(\w+)(?::([1-9]\d?))?\}")

OPTIONS: Final = (
    Option(
        "form",
        "of the names without their suffix, or of paths: {speaker}, {expression}, {text}, {sex}, {repetition} and {any}, with a "
        "width where nothing separates them, such as {speaker:2}{expression:1}; / between folders",
        DEFAULT_FORM,
    ),
    Option("codes", "codes of expressions in the names, such as A=anger,J=happiness; labels themselves need none"),
    Option("female", "codes of the female speakers, separated by commas"),
    Option("male", "codes of the male speakers, separated by commas"),
    SCHEME_OPTION,
    MAPPING_OPTION,
)

#: What their cards have in common.
LAYOUT: Final = (
    "a folder with recordings (.wav or .flac, in any subfolders) that either are called SPEAKER_EXPRESSION_TEXT (or as "
    "form= says) or stand in a metadata.csv with the columns file, speaker and expression (sex and text if known)"
)
NOTES: Final = (
    "no public description of the distribution's file names was found: state their form, or a table",
    "paper 2 tests on the whole set; it has no partition of its own",
)


@dataclass(frozen=True)
class Stated:
    """What the user says of the names.

    Attributes:
        form: the form of the paths.
        codes: ``CODE=LABEL,CODE=LABEL``.
        female, male: speakers, separated by commas.
    """

    form: str = DEFAULT_FORM
    codes: str = ""
    female: str = ""
    male: str = ""


@dataclass(frozen=True)
class Corpus:
    """What is known of a corpus.

    Attributes:
        card: its card; the first target is its expression.
        sexes: speaker to sex.
        codes: folded code to label, in other words than the scheme's.
    """

    card: Card
    sexes: Mapping[str, str] = field(default_factory=dict)
    codes: Mapping[str, str] = field(default_factory=dict)


def read_corpus(root: Path, corpus: Corpus, *, scheme: str = "", mapping: str = "", **names: str) -> AnnotationTable:
    """Read a corpus, in the labels that are asked for.

    Args:
        root: folder of the recordings.
        corpus: what is known of it.
        scheme: label scheme to map to; empty for the corpus's own.
        mapping: labels that go elsewhere than to their namesake in that scheme.
        **names: what the user says of the names, as ``Stated`` has it.

    Returns:
        One item a file, with ``sex`` and, where it is named, ``text``.

    Raises:
        InputError: files that do not fit, or expressions without a label; all are listed.
    """
    return relabel(read_by_form(root, corpus, Stated(**names)), "expression", scheme, mapping)


def read_by_form(root: Path, corpus: Corpus, stated: Stated) -> AnnotationTable:
    """Read a corpus by the table beside its files if there is one, else by the form of their names.

    Raises:
        InputError: files that do not fit the form, expressions without a label, or contradictory options; all are
            listed.
    """
    card = corpus.card
    require_folder(root, card.name, card.layout)
    metadata = read_metadata(root, _NEEDED)
    files = sorted(path.relative_to(root).as_posix() for path in files_below(root) if path.suffix.lower() in SUFFIXES)
    if not files:
        raise nothing_found(root, card.name, card.layout)
    require_text(files, root)
    if metadata.rows:
        listed = [file for file in files if file in metadata.rows]
        rows: list[Mapping[str, str | None]] = [_stripped(metadata.rows[file]) for file in listed]
        told = [(len(files) - len(listed), "files are not in metadata.csv")]
        told.append((len(metadata.rows) - len(listed), "files of metadata.csv are not here"))
    else:
        listed, rows, told = files, _named(files, stated.form, str(root)), []
    if not listed:
        raise InputError(
            f"no file of metadata.csv is here, such as {next(iter(metadata.rows))}",
            where=str(root),
            expected=f"paths relative to the root, with slashes, such as {files[0]}",
        )
    notes = [f"{count} {words_}" for count, words_ in told if count]
    if card.items is not None and len(listed) != card.items:
        notes.append(f"{len(listed)} of the {card.items} items of the set are here")
    return replace(_table(root, listed, rows, corpus, stated), notes=tuple(notes))


def _stripped(row: Mapping[str, str | None]) -> dict[str, str | None]:
    return {name: (cell or "").strip() or None for name, cell in row.items()}


def _table(
    root: Path, files: list[str], rows: list[Mapping[str, str | None]], corpus: Corpus, stated: Stated
) -> AnnotationTable:
    scheme = corpus.card.targets[0].scheme
    assert isinstance(scheme, CategoryScheme)  # said by the two cards
    stated_codes = StatedMapping.parse(stated.codes).resolve(scheme)
    known = {**scheme.spellings(), **corpus.codes, **stated_codes}
    refuse(
        [
            f"{file}: {row['expression']!r}"
            for file, row in zip(files, rows, strict=True)
            if fold(row["expression"] or "") not in known
        ],
        what="expressions without a label",
        where=str(root),
        expected=f"one of {', '.join(scheme.labels)}, or codes=CODE=LABEL for each other code",
        cause="names of another form; state form=",
    )
    sexes = _sexes(corpus, stated, {row["speaker"] or "" for row in rows})
    columns: dict[str, list[str | None]] = {
        "item": list(files),
        "media": list(files),
        "subject": [row["speaker"] for row in rows],
        "sex": [row.get("sex") or sexes.get(fold(row["speaker"] or "")) for row in rows],
        "expression": [known[fold(row["expression"] or "")] for row in rows],
    }
    for name in ("text", "repetition"):
        if any(row.get(name) for row in rows):
            columns[name] = [row.get(name) for row in rows]
    return make_table(
        columns,
        targets=corpus.card.targets,
        groups={"sex": categories("sex-2")},
        name=corpus.card.name,
        root=root,
        where=str(root),
    )


def _sexes(corpus: Corpus, stated: Stated, speakers: set[str]) -> dict[str, str]:
    found = {fold(speaker): sex for speaker, sex in corpus.sexes.items()}
    female, male = ({fold(word) for word in words(text)} for text in (stated.female, stated.male))
    if female & male:
        raise InputError(f"both female and male: {', '.join(sorted(female & male))}", expected="each speaker once")
    here = {fold(speaker) for speaker in speakers}
    for speaker in words(f"{stated.female},{stated.male}"):
        if fold(speaker) not in here:
            raise UnknownNameError.of("speaker", speaker, speakers, where=corpus.card.name)
    return found | dict.fromkeys(female, "female") | dict.fromkeys(male, "male")


def _named(files: list[str], form: str, where: str) -> list[Mapping[str, str | None]]:
    pattern = pattern_of(form)
    deep = form.count("/") + 1  # folders that the form does not name may lie above
    found = [pattern.fullmatch("/".join(file.rpartition(".")[0].split("/")[-deep:])) for file in files]
    refuse(
        [file for file, match in zip(files, found, strict=True) if match is None],
        what="files that do not fit the form",
        where=where,
        expected=f"paths such as {form}.wav",
        cause="another form: state form=, or put a metadata.csv with file, speaker and expression beside the files",
    )
    return [match.groupdict() for match in found if match is not None]


def pattern_of(form: str) -> re.Pattern[str]:
    """The expression that a form of paths stands for.

    Raises:
        UnknownNameError: the form names what there is not.
        InputError: it lacks speaker or expression, or has one twice.

    Example:
        >>> pattern_of("{speaker:2}/{expression}_{text}").fullmatch("k1/joy_3").groupdict()
        {'speaker': 'k1', 'expression': 'joy', 'text': '3'}
    """
    pieces: list[str] = []
    names: list[str] = []
    end = 0
    for match in _FIELD.finditer(form):
        name, width = match.groups()
        if name not in FIELDS:
            raise UnknownNameError.of("field of a form", name, FIELDS, where=form)
        cell = f"[^/]{{{width}}}" if width else "[^/]+?"
        pieces += [re.escape(form[end : match.start()]), cell if name == "any" else f"(?P<{name}>{cell})"]
        names += [name] * (name != "any")
        end = match.end()
    if len(set(names)) < len(names) or not {"speaker", "expression"} <= set(names):
        raise InputError(
            f"not a form: {form!r}", expected="{speaker} and {expression} once each, and others at most once"
        )
    return re.compile("".join(pieces) + re.escape(form[end:]))
