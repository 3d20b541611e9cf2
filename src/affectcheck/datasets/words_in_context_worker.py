"""The process that speaks: ``python -m affectcheck.datasets.words_in_context_worker FOLDER SELECTION SHARE SHARES``.

Clips that are there already are read instead of spoken, so a run that was killed goes on where it stopped.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from affectcheck.datasets.sentiment_sentences import PlannedSpeech, Selection, select
from affectcheck.datasets.speech_files import read_speech, whole_samples, write_speech
from affectcheck.datasets.speech_processes import run_worker, say
from affectcheck.datasets.speech_synthesis import load_speaker
from affectcheck.digest import digest_array, digest_bytes, digest_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.datasets.speech_synthesis import Speaker


@dataclass(frozen=True)
class SpokenSentence:
    """One finished clip.

    Attributes:
        item: its key.
        clip: name of its file, by all that it was made from.
        digest: of its samples (int16).
        file: digest of its file.
    """

    item: str
    clip: str
    digest: str
    file: str


def clip_path(folder: Path, clip: str) -> Path:
    """Where a clip lies."""
    return folder / "clips" / clip[:2] / f"{clip}.flac"


def clip_names(clips: tuple[PlannedSpeech, ...]) -> dict[str, str]:
    """Item to the name of its clip: a digest of the text, the seed, and all that the speaker's samples depend on.

    Raises:
        InputError: a speaker does not speak a language.
        ExtraMissingError: the package of a speaker is not installed.
    """
    speakers = speakers_of(clips)
    pairs = dict.fromkeys((clip.voice, clip.sentence.language) for clip in clips)
    keys = {(voice, language): speakers[voice].key(language) for voice, language in pairs}
    return {
        clip.sentence.item: digest_bytes(
            keys[clip.voice, clip.sentence.language], clip.sentence.language, clip.sentence.text, str(clip.seed)
        )
        for clip in clips
    }


def speakers_of(clips: tuple[PlannedSpeech, ...]) -> dict[str, Speaker]:
    """The speakers of clips, by the voice that the selection states."""
    return {voice: load_speaker(voice) for voice in dict.fromkeys(clip.voice for clip in clips)}


def speak_sentences(folder: Path, clips: tuple[PlannedSpeech, ...]) -> Iterator[SpokenSentence]:
    """Make the clips that are missing; yield each as soon as it is there."""
    speakers, names = speakers_of(clips), clip_names(clips)
    for planned in clips:
        speaker, sentence = speakers[planned.voice], planned.sentence
        name = names[sentence.item]
        path = clip_path(folder, name)
        samples = read_speech(path)
        if samples is None:
            clip = speaker.speak(sentence.text, sentence.language, planned.seed)
            samples = whole_samples(clip.samples, clip.rate_hz)
            write_speech(path, samples)
        yield SpokenSentence(sentence.item, name, digest_array(samples), digest_file(path))


def main(arguments: list[str]) -> int:
    """Speak this process's share of a selection's clips."""
    folder, text, share, shares = arguments
    fields = json.loads(text)
    selection = Selection(**{**fields, "languages": tuple(fields["languages"]), "voices": tuple(fields["voices"])})
    say(speak_sentences(Path(folder), select(selection)[int(share) :: int(shares)]))
    return 0


if __name__ == "__main__":
    run_worker(main)
