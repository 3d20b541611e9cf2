"""Words in context: enough sentences, sentiments that differ by the word alone, and no voice that changes language."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from affectcheck.datasets.sentiment_lexicon import LANGUAGES, SENTIMENTS, Word, lexicon, read_lexicon
from affectcheck.datasets.sentiment_sentences import VOICES, Selection, select, sentences
from affectcheck.datasets.speech_synthesis.espeak import phonemes, spoken_text
from affectcheck.errors import InputError, UnknownNameError

SMALL = """
language = "xx"
name = "Nowhere"
[slots.thing]
forms = ["m", "f"]
negative = ["feo / fea"]
neutral = ["azul"]
positive = ["lindo / linda"]
[templates.thing]
coat = "El abrigo es {m}."
door = "La puerta es {f}."
"""


def adjectives(language: str) -> list[Word]:
    return [word for kind in ("object", "work") for words in lexicon(language).words[kind].values() for word in words]


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_enough_sentences_templates_and_words(language: str) -> None:
    found = sentences(language)
    texts = defaultdict(set)
    for sentence in found:
        texts[sentence.sentiment].add(sentence.text)
    assert min(len(each) for each in texts.values()) >= 667  # a third of 2000, rounded
    assert len({sentence.text for sentence in found}) == len(found), "no sentence has two sentiments"
    assert len({sentence.template for sentence in found}) >= 40
    assert len({sentence.word for sentence in found if sentence.sentiment != "neutral"}) >= 60


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sentiments_are_matched_by_template_and_form(language: str) -> None:
    cells = Counter((sentence.template, sentence.sentiment) for sentence in sentences(language))
    for template in lexicon(language).templates:
        assert len({cells[template.name, sentiment] for sentiment in SENTIMENTS}) == 1
        before, after = template.text.split(f"{{{template.form}}}")
        filled = [sentence.text for sentence in sentences(language) if sentence.template == template.name]
        assert all(text.startswith(before) and text.endswith(after) for text in filled)


def test_every_language_has_templates_of_the_same_names_and_as_many_words() -> None:
    names = {language: [t.name for t in lexicon(language).templates] for language in LANGUAGES}
    assert all(each == names["en"] for each in names.values())
    counts = {
        language: {kind: len(each["neutral"]) for kind, each in lexicon(language).words.items()}
        for language in LANGUAGES
    }
    assert all(each == counts["en"] for each in counts.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_text_is_clean(language: str) -> None:
    end = "。" if language in ("ja", "zh") else "."
    for sentence in sentences(language):
        assert sentence.text.endswith(end), sentence
        assert sentence.text == sentence.text.strip()
        assert "  " not in sentence.text
        assert not re.search(r"[{}/\d]", sentence.text), sentence


def test_japanese_is_written_in_kana_and_mandarin_in_its_own_script() -> None:
    assert all(re.fullmatch(r"[ぁ-ゖァ-ヺー 。]+", sentence.text) for sentence in sentences("ja"))
    assert all(re.fullmatch(r"[\u4e00-\u9fff。]+", sentence.text) for sentence in sentences("zh"))


@pytest.mark.parametrize("language", ["es", "fr", "it", "pt"])
def test_words_agree_with_the_noun(language: str) -> None:
    """The article, or the noun's own name, says gender and number of the form that the gap takes."""
    articles = {
        "es": {"El": "m", "La": "f", "Los": "mp", "Las": "fp"},
        "fr": {"Le": "m", "La": "f"},
        "it": {"Il": "m", "La": "f", "I": "mp", "Le": "fp"},
        "pt": {"O": "m", "A": "f", "Os": "mp", "As": "fp"},
    }[language]
    others = re.compile(r"(Los niños dicen|I bambini dicono|As crianças dizem) ")  # whose subject is another's
    checked = 0
    for template in lexicon(language).templates:
        article = template.text.split()[0]
        if template.kind != "deed" and article in articles and not others.match(template.text):
            assert template.form == articles[article], template
            checked += 1
    assert checked >= 24


@pytest.mark.parametrize(
    ("language", "endings"),
    [
        ("es", {"mp": "s", "fp": "s"}),
        ("fr", {"f": "e", "mp": "sx", "fp": "s"}),
        ("it", {"m": "oea", "f": "ae", "mp": "i", "fp": "ei"}),
        ("pt", {"mp": "s", "fp": "s"}),
    ],
)
def test_forms_end_as_adjectives_of_their_language_do(language: str, endings: dict[str, str]) -> None:
    for kind in ("object", "work"):
        for words in lexicon(language).words[kind].values():
            for word in words:
                if len(set(word.forms.values())) > 1:  # the others do not agree, such as names of dark colours
                    assert all(word.forms[form][-1] in letters for form, letters in endings.items()), word


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_and_no_word_is_spoken_in_another_language(language: str) -> None:
    pytest.importorskip("espeakng_loader", reason="eSpeak NG is of the extra 'synthetic'")
    forms = {
        form
        for kind in lexicon(language).words.values()
        for words in kind.values()
        for word in words
        for form in word.forms.values()
    }
    texts = [*sorted(forms), *(sentence.text for sentence in sentences(language))]
    spoken = phonemes(texts, language)
    assert all(spoken)
    changed = [(text, heard) for text, heard in zip(texts, spoken, strict=True) if "(" in heard]
    assert not changed


def test_no_adjective_is_spoken_in_the_form_of_the_other_gender() -> None:
    """A consonant that French writes and does not speak; the engine speaks that of *laid*, which then is *laide*."""
    pytest.importorskip("espeakng_loader", reason="eSpeak NG is of the extra 'synthetic'")
    silent = [word.forms for word in adjectives("fr") if re.search("[dstx]$", word.forms["m"])]
    heard = [phonemes([forms[form] for forms in silent], "fr") for form in ("m", "f")]
    pairs = zip(silent, *heard, strict=True)
    assert len(silent) >= 20
    assert not [forms["m"] for forms, m, f in pairs if forms["m"] != forms["f"] and m == f]


@pytest.mark.parametrize("language", ["es", "fr", "it", "pt"])
def test_both_genders_of_an_adjective_are_stressed_alike(language: str) -> None:
    """The engine guesses some wrongly, such as the masculine of *pacchiano*."""
    pytest.importorskip("espeakng_loader", reason="eSpeak NG is of the extra 'synthetic'")
    words = adjectives(language)
    masculine, feminine = (
        [heard.split("ˈ")[0] for heard in phonemes([word.forms[form] for word in words], language)]
        for form in ("m", "f")
    )
    assert masculine == feminine


def test_japanese_has_no_syllable_that_the_engine_cannot_speak() -> None:
    assert not [sentence.text for sentence in sentences("ja") if re.search("[りリ][ゃゅょャュョ]", sentence.text)]


def test_a_long_o_in_japanese_is_spoken_long() -> None:
    assert spoken_text("ゆうべ の えいが は さいこう でした。", "ja") == "ゆうべの えいがわ さいこー でした。"
    long_o = re.compile("[おこそとのほもよろごぞどぼぽょ]う")
    spoken = [spoken_text(sentence.text, "ja") for sentence in sentences("ja")]
    assert sum(bool(long_o.search(sentence.text)) for sentence in sentences("ja")) > 400
    assert not [text for text in spoken if long_o.search(text)]


def test_a_word_of_another_language_would_be_found() -> None:
    pytest.importorskip("espeakng_loader", reason="eSpeak NG is of the extra 'synthetic'")
    assert "(en)" in phonemes(["Les murs sont bruns."], "fr")[0]
    assert "(en)" in phonemes(["映画"], "ja")[0]


def test_the_page_shows_sentences_that_are_there_and_counts_words_right() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "words-in-context.md"
    rows = [
        row.strip("| ").split(" | ") for row in page.read_text(encoding="utf-8").splitlines() if row.startswith("|")
    ]
    shown = {row[0]: row[1:] for row in rows if len(row) == 5}
    for language in LANGUAGES:
        *samples, words = shown[lexicon(language).name.removesuffix(" Chinese")]
        found = sentences(language)
        assert samples == [next(s.text for s in found if s.item == f"{language}-film-{x}-06") for x in SENTIMENTS]
        assert int(words) == len({sentence.word for sentence in found if sentence.sentiment != "neutral"})


def test_a_lexicon_is_read() -> None:
    found = read_lexicon(SMALL)
    coat, door = found.templates
    assert coat.fill(found.words["thing"]["negative"][0]) == "El abrigo es feo."
    assert door.fill(found.words["thing"]["positive"][0]) == "La puerta es linda."
    assert door.fill(found.words["thing"]["neutral"][0]) == "La puerta es azul."


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"feo / fea"', '"feo / fea / feos"', "without all its forms"),
        ('"feo / fea"', '"feo / "', "without all its forms"),
        ('["azul"]', '["azul", "rojo / roja"]', "unequal numbers"),
        ('"lindo / linda"', '"azul"', "words that are there twice: azul"),
        ("{m}", "{mp}", "not one gap"),
        ("{m}", "rojo", "not one gap"),
        ('door = "', 'coast = "{m} ', "not one gap"),
    ],
)
def test_a_faulty_lexicon_is_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_lexicon(SMALL.replace(old, new, 1), where="xx.toml")


def test_an_unknown_language_names_the_known() -> None:
    with pytest.raises(UnknownNameError, match="unknown language of words in context 'sv'"):
        lexicon("sv")
    with pytest.raises(UnknownNameError, match="'sv'"):
        Selection(languages=("sv",))


def test_by_default_two_thousand_sentences_a_language_in_equal_thirds() -> None:
    clips = select(Selection())
    assert set(Counter(clip.sentence.language for clip in clips).values()) == {2000}
    cells = Counter((clip.sentence.language, clip.sentence.sentiment) for clip in clips)
    assert set(cells.values()) == {666, 667}
    assert len({clip.sentence.item for clip in clips}) == 16_000
    voices = Counter(clip.voice for clip in clips)
    assert set(voices) == set(VOICES)
    assert max(voices.values()) - min(voices.values()) <= 24
    assert len(select(Selection(languages=("en",), per_language=0))) == 2592


def test_a_small_selection_has_the_same_templates_and_voices_in_every_cell() -> None:
    clips = select(Selection(per_cell=10))
    cells = defaultdict(list)
    for clip in clips:
        cell = (clip.sentence.language, clip.sentence.sentiment)
        cells[cell].append((clip.sentence.template, clip.sentence.number, clip.voice))
    assert len(cells) == len(LANGUAGES) * len(SENTIMENTS)
    assert all(each == cells["de", "negative"] for each in cells.values())


def test_a_smaller_selection_is_the_beginning_of_a_larger_one() -> None:
    large = select(Selection(languages=("it",)))
    assert select(Selection(languages=("it",), per_cell=5)) == large[:15]
    assert select(Selection(languages=("it",), per_language=7)) == large[:7]


def test_the_seed_chooses_the_order() -> None:
    one, other = Selection(languages=("fr",)), Selection(languages=("fr",), seed=1)
    assert select(one) == select(replace(one))
    assert [clip.sentence.item for clip in select(one)] != [clip.sentence.item for clip in select(other)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"languages": ()}, "languages '' are none"),
        ({"languages": ("de", "de")}, "named twice"),
        ({"voices": ()}, "voices '' are none"),
        ({"per_cell": -1}, "per_cell is -1"),
        ({"per_language": -5}, "per_language is -5"),
    ],
)
def test_selections_that_cannot_be(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Selection(**options)
