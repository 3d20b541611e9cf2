"""Templates and words of one language: sentences with a gap, and the negative, neutral and positive words for it.

One TOML file a language in the folder ``sentiment``:

| key | meaning |
|---|---|
| ``language``, ``name`` | code and English name |
| ``slots.<kind>.forms`` | names of a word's forms, such as ``m``, ``f``, ``mp``, ``fp`` where adjectives agree |
| ``slots.<kind>.<sentiment>`` | words, each with its forms separated by a slash; one form alone stands for all |
| ``templates.<kind>.<name>`` | a sentence with one gap, ``{form}``, that any word of this kind fits |

Every kind has as many negative as neutral and positive words, so that the sentiments differ by the word alone.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from affectcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping

LANGUAGES: Final = ("de", "en", "es", "fr", "it", "ja", "pt", "zh")
SENTIMENTS: Final = ("negative", "neutral", "positive")
_GAP: Final = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Word:
    """A word that fills a gap.

    Attributes:
        name: its first form, by which it is cited.
        forms: form name to form.
    """

    name: str
    forms: Mapping[str, str]


@dataclass(frozen=True)
class Template:
    """A sentence with a gap.

    Attributes:
        name: unique in its language, and of like meaning in all.
        kind: which words fit.
        text: the sentence, the gap as ``{form}``.
        form: of the word, that the gap needs.
    """

    name: str
    kind: str
    text: str
    form: str

    def fill(self, word: Word) -> str:
        """The sentence with a word."""
        return self.text.replace(f"{{{self.form}}}", word.forms[self.form])


@dataclass(frozen=True)
class Lexicon:
    """What the sentences of one language are made of.

    Attributes:
        language: code.
        name: in English.
        templates: in the order of the file.
        words: kind to sentiment to words; as many of each sentiment.
    """

    language: str
    name: str
    templates: tuple[Template, ...]
    words: Mapping[str, Mapping[str, tuple[Word, ...]]]


@cache
def lexicon(language: str) -> Lexicon:
    """The lexicon of a language.

    Raises:
        UnknownNameError: there is none.
    """
    if language not in LANGUAGES:
        raise UnknownNameError.of("language of words in context", language, LANGUAGES)
    path = files("affectcheck.datasets").joinpath("sentiment", f"{language}.toml")
    return read_lexicon(path.read_text(encoding="utf-8"), where=path.name)


def read_lexicon(text: str, *, where: str = "") -> Lexicon:
    """Read a lexicon.

    Raises:
        InputError: a word without all its forms, a gap that no form fills, unequal numbers of words, or a name that
            is there twice.
    """
    data = tomllib.loads(text)
    words = {kind: _words(kind, slot, where) for kind, slot in data["slots"].items()}
    forms = {kind: tuple(slot["forms"]) for kind, slot in data["slots"].items()}
    templates = [
        _template(name, kind, sentence, forms[kind], where)
        for kind, sentences in data["templates"].items()
        for name, sentence in sentences.items()
    ]
    names = [template.name for template in templates]
    _require_distinct(names, "templates", where)
    return Lexicon(data["language"], data["name"], tuple(templates), words)


def _words(kind: str, slot: Mapping[str, Any], where: str) -> dict[str, tuple[Word, ...]]:
    found = {
        sentiment: tuple(_word(cell, slot["forms"], f"{where}: {kind}, {sentiment}") for cell in slot[sentiment])
        for sentiment in SENTIMENTS
    }
    counts = {sentiment: len(each) for sentiment, each in found.items()}
    if len(set(counts.values())) > 1:
        raise InputError(f"unequal numbers of words: {counts}", where=f"{where}: {kind}", expected="as many of each")
    _require_distinct([word.name for each in found.values() for word in each], "words", f"{where}: {kind}")
    return found


def _word(cell: str, names: list[str], where: str) -> Word:
    forms = [form.strip() for form in cell.split("/")]
    if len(forms) == 1:
        forms *= len(names)
    if len(forms) != len(names) or not all(forms):
        raise InputError(f"a word without all its forms: {cell!r}", where=where, expected=" / ".join(names))
    return Word(forms[0], dict(zip(names, forms, strict=True)))


def _template(name: str, kind: str, text: str, forms: tuple[str, ...], where: str) -> Template:
    gaps = _GAP.findall(text)
    if len(gaps) != 1 or gaps[0] not in forms:
        raise InputError(
            f"not one gap that a word fills: {text!r}",
            where=f"{where}: {name}",
            expected=" or ".join(f"{{{form}}}" for form in forms),
        )
    return Template(name, kind, text, gaps[0])


def _require_distinct(names: list[str], what: str, where: str) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"{what} that are there twice: {', '.join(twice)}", where=where, expected="each once")
