"""Tiny trees in the layouts of corpora of speech, written by tests: no data of theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import soundfile

from affectcheck.schemes import parts, scheme
from label_trees import put, touch

if TYPE_CHECKING:
    from pathlib import Path

RATE = 16_000


def sound(root: Path, *names: str, seconds: float = 0.1, **options: str) -> Path:
    """Write short tones."""
    samples = (0.1 * np.sin(np.arange(int(RATE * seconds)) / 5)).astype(np.float32)
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(path, samples, RATE, **options)
    return root


def voice(*, words: int, pause_s: float = 0.6, word_s: float = 1.0, noise: float = 1e-4, seed: int = 0) -> np.ndarray:
    """Voiced stretches with pauses before, between and after them."""
    generator = np.random.Generator(np.random.PCG64(seed))
    time = np.arange(int(RATE * word_s)) / RATE
    tone = sum(np.sin(2 * np.pi * 120 * k * time) / k for k in range(1, 20)) * np.hanning(len(time)) ** 0.2
    gap = np.zeros(int(RATE * pause_s))
    samples = np.concatenate([gap, *([0.1 * tone, gap] * words)])
    return (samples + noise * generator.standard_normal(len(samples))).astype(np.float32)


def emovo(root: Path) -> Path:
    emotions = ("dis", "gio", "neu", "pau", "rab", "sor", "tri")
    return sound(root, *(f"{who}/{emotion}-{who}-b1.wav" for who in ("f1", "m3") for emotion in emotions))


IEMOCAP_HEAD = "% [START_TIME - END_TIME] TURN_NAME EMOTION [V, A, D]\n\n"
RATERS = "C-E2:\tNeutral;\t()\nC-F1:\tNeutral;\t()\nA-E3:\tval 3; act 2; dom  ;\t()\n\n"


def iemocap_turn(name: str, code: str, ratings: str = "2.5000, 3.0000, 4.0000", times: str = "6.2901 - 8.2357") -> str:
    return f"[{times}]\t{name}\t{code}\t[{ratings}]\n{RATERS}"


def iemocap(root: Path) -> Path:
    """Every class; a man speaks in the dialogue that the woman wears the markers in; no agreement; no dominance."""
    codes = ("ang", "dis", "exc", "fea", "fru", "hap", "neu", "oth", "sad", "sur", "xxx")
    turns = [f"Ses01F_impro01_{'FM'[place % 2]}{place:03}" for place in range(len(codes))]
    first = "".join(map(iemocap_turn, turns, codes))
    second = iemocap_turn("Ses04M_script01_1b_F000", "ang", "1.0000, 5.0000, ") + iemocap_turn(
        "Ses04M_script01_1b_M000", "neu", "3.0000, 5.5000, 3.0000"
    )
    folder = "Session{}/dialog/EmoEvaluation/{}.txt"
    put(
        root,
        {
            folder.format(1, "Ses01F_impro01"): IEMOCAP_HEAD + first,
            folder.format(1, "._Ses01F_impro01"): "junk",
            folder.format(1, "Attribute/Ses01F_impro01_e3_atr"): "[1 - 2] no turn",
            folder.format(4, "Ses04M_script01_1b"): IEMOCAP_HEAD + second,
        },
    )
    return sound(root, *(f"Session1/sentences/wav/Ses01F_impro01/{turn}.wav" for turn in turns))


MELD_HEAD = "Sr No.,Utterance,Speaker,Emotion,Sentiment,Dialogue_ID,Utterance_ID,Season,Episode,StartTime,EndTime\n"


def meld_row(dialogue: int, utterance: int, *, who: str = "Rachel", emotion: str = "joy", **times: str) -> str:
    start, end = times.get("start", "00:14:38,127"), times.get("end", "00:14:40,378")
    return f'1,"Oh, no",{who},{emotion},positive,{dialogue},{utterance},3,19,"{start}","{end}"\n'


def meld(root: Path) -> Path:
    """All expressions; broken recordings; lengths at and beyond the limits; sound beside a video."""
    emotions = ("anger", "disgust", "fear", "joy", "neutral", "sadness", "surprise")
    train = [meld_row(0, place, emotion=emotion) for place, emotion in enumerate(emotions)] + [meld_row(125, 3)]
    test = [
        meld_row(0, 0, who="The Interviewer", start="0:10:44,769", end="0:10:45,529"),
        meld_row(0, 1, start="00:00:01,000", end="00:00:01,759"),
        meld_row(0, 2, start="00:00:00,000", end="00:00:30,001"),
        meld_row(0, 3, start="00:00:00,500", end="00:00:30,500", who=" Joey "),
        meld_row(0, 4, start="00:06:45,489", end="00:06:47,28"),
    ]
    put(
        root,
        {
            "train_sent_emo.csv": MELD_HEAD + "".join(train),
            "dev_sent_emo.csv": MELD_HEAD + meld_row(110, 7) + meld_row(1, 0),
            "test_sent_emo.csv": MELD_HEAD + "".join(test),
        },
    )
    touch(root, *(f"train_splits/dia0_utt{place}.mp4" for place in range(6)))
    touch(root, "dev_splits_complete/dia1_utt0.mp4")
    return sound(root, "train_splits/dia0_utt0.wav", "output_repeated_splits_test/dia0_utt0.wav")


MSP_HEAD = "FileName,EmoClass,EmoAct,EmoVal,EmoDom,SpkrID,Gender,Split_Set\n"


def msp_podcast(root: Path) -> Path:
    """Every class; no agreement; unknown speakers; every partition."""
    parts = ("Train", "Development", "Validation", "Test1", "Test2")
    rows = [
        f"MSP-PODCAST_0001_{place:04}.wav,{code},4.0,{1 + place % 7},7,{place // 2},{('Male', 'Female')[place % 2]},"
        f"{parts[place % 5]}\n"
        for place, code in enumerate("ACDFHNOSUX")
    ]
    rows.append("MSP-PODCAST_0002_0001.wav,N,,3.5,2.25,Unknown,Unknown,Test1\n")
    put(root, {"Labels/labels_concensus.csv": MSP_HEAD + "".join(rows)})
    return sound(root, *(f"Audios/MSP-PODCAST_0001_{place:04}.wav" for place in range(10)))


def acted(root: Path, *labels: str, speakers: tuple[str, ...] = ("HO", "KLA")) -> Path:
    """Files named by the form that is read by default."""
    return sound(root, *(f"wav/{who}/{who}_{label}_s1.wav" for who in speakers for label in labels))


def acted_of(scheme_name: str, root: Path) -> Path:
    """Every label of a scheme."""
    return acted(root, *parts(scheme(scheme_name)))


ACCENT_HEAD = "age,age_onset,birthplace,filename,native_language,sex,speakerid,country,file_missing?,,,\n"


def accent_archive(root: Path, languages: tuple[str, ...] = ("english", "urdu"), speakers: int = 2) -> Path:
    """Speakers of two sexes, one of them spelled famale; a missing file, a synthesised voice, a recording twice."""
    rows, number = [], 0
    for language in languages:
        for place in range(2 * speakers):
            number += 1
            sex = ("male", "female")[place % 2]
            rows.append(
                f'{20 + 9 * place},12,"koussi, senegal",{language}{place + 1},{language},{sex},{number},usa,FALSE,,,'
            )
            path = root / f"recordings/recordings/{language}{place + 1}.mp3"
            path.parent.mkdir(parents=True, exist_ok=True)
            soundfile.write(path, voice(words=3, seed=number), RATE, format="MP3")
    rows[1] = rows[1].replace("female", "famale")
    rows.append('24,12,"a, b",balanta,balanta,male,788,senegal,TRUE,,,')
    rows.append('0,0,"a, b",synthesized1,synthesized,male,355,usa,FALSE,,,')
    rows.append(rows[0])
    return put(root, {"speakers_all.csv": ACCENT_HEAD + "\n".join(rows) + "\n"})


CV_HEAD = "client_id\tpath\tsentence\tup_votes\tdown_votes\tage\tgender\taccents\tvariant\tlocale\tsegment\n"


def common_voice(root: Path, clips: int = 3) -> Path:
    """Seven locales; a sentence with a quotation mark that quotes nothing; empty last cells."""
    for locale in ("de", "en", "es", "fr", "it", "zh-CN", "zh-TW"):
        rows = [
            f'c{n}\tcommon_voice_{locale}_{n}.mp3\tHe said "yes\t2\t0\t{("", "twenties", "fourties")[n % 3]}\t'
            f"{('male', '', 'female_feminine', 'other')[n % 4]}\t\t\t{locale}\t\n"
            for n in range(clips)
        ]
        put(root, {f"{locale}/test.tsv": CV_HEAD + "".join(rows)})
        touch(root, *(f"{locale}/clips/common_voice_{locale}_{n}.mp3" for n in range(clips)))
    return root


def nsc(root: Path) -> Path:
    """Two speakers, two sessions, three microphones; scripts with the spoken form on a line of its own."""
    for folder, channel in (("CHANNEL0", 0), ("CHANNEL1", 1), ("CHANNEL2", 2)):
        base = f"PART1/DATA/{folder}"
        names = [
            f"{base}/WAVE/SPEAKER{who:04}/SESSION{session}/{channel}{who:04}{session}{n:03}.WAV"
            for who in (1, 2)
            for session in (0, 1)
            for n in (1, 2)
            if (who, session, n, channel) != (2, 1, 2, 2)
        ]
        sound(root, *names, format="WAV")
        for who in (1, 2):
            for session in (0, 1):
                front = f"{channel}{who:04}{session}"
                text = "".join(f"{front}{n:03}\tSentence {session}{n}.\r\n\tsentence {session}{n}\r\n" for n in (1, 2))
                put(root, {f"{base}/SCRIPT/{front}.TXT": "\ufeff" + text})
    return root


def timit(root: Path) -> Path:
    """Two speakers, as NIST SPHERE files, with their texts."""
    for name in ("TRAIN/DR1/FCJF0/SA1", "TRAIN/DR1/FCJF0/SX37", "TEST/DR8/MJLN0/SI1449"):
        sound(root, f"{name}.WAV", format="NIST")
        put(root, {f"{name}.TXT": "0 1600 She had your dark suit. \n", f"{name}.PHN": "0 1600 h#\n"})
    return root
