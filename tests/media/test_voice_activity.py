"""Voice activity: borders of speech, noise that is none, cuts of what is long; made sound and real readers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affectcheck.errors import InputError
from affectcheck.media import Clip, decode_audio
from affectcheck.media.voice_activity import Segment, VoiceActivity, speech_segments
from speech_trees import RATE, voice


def noise(seconds: float, level: float = 0.01) -> np.ndarray:
    return (level * np.random.Generator(np.random.PCG64(1)).standard_normal(int(RATE * seconds))).astype(np.float32)


def within(segments: tuple[Segment, ...], end_us: float) -> None:
    borders = [border for one in segments for border in (one.start_us, one.end_us)]
    assert borders == sorted(borders)
    assert not borders or (borders[0] >= 0 and borders[-1] <= end_us)
    assert all(one.end_us > one.start_us for one in segments)


@pytest.mark.parametrize("level", [1e-5, 1e-4, 1e-3])
def test_words_between_pauses(level):
    found = speech_segments(Clip(voice(words=4, noise=level), RATE))
    assert len(found) == 4
    for place, one in enumerate(found):
        start = 0.6 + 1.6 * place
        assert one.start_us / 1e6 == pytest.approx(start - 0.05, abs=0.1)
        assert one.end_us / 1e6 == pytest.approx(start + 1.05, abs=0.1)


def test_short_pauses_part_nothing():
    found = speech_segments(Clip(voice(words=3, pause_s=0.2), RATE), VoiceActivity(longest_s=10))
    assert len(found) == 1


def test_what_is_long_is_cut_where_it_is_quietest():
    samples = voice(words=6, pause_s=0.2)
    found = speech_segments(Clip(samples, RATE), VoiceActivity(longest_s=3))
    lengths = [(one.end_us - one.start_us) / 1e6 for one in found]
    assert max(lengths) <= 3
    assert min(lengths) >= 0.5
    pauses = [(1.2 * place, 1.2 * place + 0.2) for place in range(7)]
    for one in found[1:]:
        assert any(low - 0.05 <= one.start_us / 1e6 <= high + 0.05 for low, high in pauses)


def test_neither_noise_nor_silence_nor_a_click_is_speech():
    assert speech_segments(Clip(noise(3), RATE)) == ()
    assert speech_segments(Clip(np.zeros(RATE, np.float32), RATE)) == ()
    assert speech_segments(Clip(noise(0.01), RATE)) == ()
    burst = noise(3, 1e-4)
    burst[RATE : 2 * RATE] += noise(1, 0.1)
    assert speech_segments(Clip(burst, RATE)) == ()


@pytest.mark.parametrize("slope", [0.5, 0.75, 1.0])
@pytest.mark.parametrize("is_gated", [False, True])
def test_noise_that_falls_towards_high_frequencies_is_no_speech(slope, is_gated):
    spectrum = np.fft.rfft(noise(10.0, 1.0))
    samples = np.fft.irfft(spectrum / np.maximum(np.arange(len(spectrum)), 1) ** slope)
    samples *= 0.1 / np.sqrt(np.square(samples).mean())
    if is_gated:
        samples *= np.repeat(np.arange(10) % 2, RATE)
    assert speech_segments(Clip(samples.astype(np.float32), RATE)) == ()


def test_speech_in_a_room_that_hums_and_hisses_stays():
    spectrum = np.fft.rfft(noise(7.0, 1.0))
    rumble = np.fft.irfft(spectrum / np.maximum(np.arange(len(spectrum)), 1))
    clean = voice(words=4)
    for background in (noise(7.0, 1.0), rumble):
        loud = 0.1 * np.sqrt(np.square(clean).mean() / np.square(background).mean())  # 20 dB below
        samples = clean + loud * background[: len(clean)]
        assert len(speech_segments(Clip(samples.astype(np.float32), RATE))) == 4


def test_speech_without_a_pause_is_all_speech():
    samples = voice(words=1, word_s=3.0)[int(0.75 * RATE) : int(3.45 * RATE)]
    found = speech_segments(Clip(samples, RATE))
    assert len(found) == 1
    assert (found[0].start_us, found[0].end_us) == (0, pytest.approx(2.7e6, abs=5e4))


def test_margins_that_meet_share_the_pause():
    found = speech_segments(Clip(voice(words=3, pause_s=0.4), RATE), VoiceActivity(margin_s=0.5))
    assert len(found) == 3
    assert found[0].end_us == found[1].start_us
    within(found, 4.6e6)


@settings(deadline=None, max_examples=25)
@given(
    words=st.integers(1, 4),
    pause=st.floats(0.1, 0.8),
    word=st.floats(0.2, 3),
    longest=st.floats(1, 5),
    rate=st.sampled_from([8_000, 16_000, 44_100]),
)
def test_segments_lie_apart_within_the_recording(words, pause, word, longest, rate):
    samples = voice(words=words, pause_s=pause, word_s=word)
    found = speech_segments(Clip(samples, rate), VoiceActivity(longest_s=longest))
    within(found, len(samples) / rate * 1e6 + 1)
    assert all(0.5e6 <= one.end_us - one.start_us <= longest * 1e6 + 2 for one in found)
    assert found == speech_segments(Clip(samples.copy(), rate), VoiceActivity(longest_s=longest))


@pytest.mark.parametrize(
    "wrong", [{"shortest_s": 0}, {"longest_s": 0.6}, {"pause_s": 0}, {"margin_s": -1}, {"above": 1}]
)
def test_lengths_that_cannot_be(wrong):
    with pytest.raises(InputError):
        VoiceActivity(**wrong)


@pytest.mark.shared
@pytest.mark.parametrize("floor_db", [-90, -60, -45])
def test_real_readers_with_pauses_between(shared_data, floor_db):
    files = sorted((shared_data / "data" / "librispeech-sample").rglob("*.flac"))[:36:3]
    generator = np.random.Generator(np.random.PCG64(0))
    parts, spoken = [], []
    for path in files:
        gap = int(generator.integers(8_000, 24_000))
        samples = decode_audio(path).samples
        parts += [np.zeros(gap, np.float32), samples]
        spoken += [np.zeros(gap, bool), np.ones(len(samples), bool)]
    samples, truth = np.concatenate(parts), np.concatenate(spoken)
    samples = samples + 10 ** (floor_db / 20) * generator.standard_normal(len(samples)).astype(np.float32)
    found = speech_segments(Clip(samples.astype(np.float32), RATE))
    within(found, len(samples) / RATE * 1e6)
    heard = np.zeros(len(samples), bool)
    for one in found:
        heard[int(one.start_us * RATE / 1e6) : int(one.end_us * RATE / 1e6)] = True
    power = samples.astype(np.float64) ** 2
    assert power[heard & truth].sum() / power[truth].sum() > 0.95
    assert (heard & ~truth).sum() / (~truth).sum() < 0.06
    assert len(found) >= 1.5 * len(files)
