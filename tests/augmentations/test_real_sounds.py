"""Real coughs, sneezes, ambient sounds, music and voices, many of them padded with digital silence; and the benchmark."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from affectcheck.augmentations import Background, Perturbation, Sounds, make_augmentation, read_sounds, rms

ROLES = {"babble": "speech", "music": "music", "environment": "environment", "cough": "cough", "sneeze": "sneeze"}


@pytest.fixture(scope="module")
def real(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Sounds:
    path = tmp_path_factory.mktemp("described") / "sounds.toml"
    data = json.dumps(str(shared_data / "data"))
    path.write_text(
        f'name = "sample"\nlicence = "see its list"\nfolder = {data}\n'
        '[roles.cough]\nfiles = "sounds/cough/*"\n'
        '[roles.sneeze]\nfiles = "sounds/sneeze/*"\n'
        '[roles.music]\nfiles = "sounds/music/*"\n'
        '[roles.environment]\nfiles = ["sounds/*/*.flac"]\nexclude = ["sounds/cough/*", "sounds/sneeze/*", "sounds/music/*"]\n'
        '[roles.speech]\nfiles = "librispeech-sample/**/*"\n'
    )
    return read_sounds(path)


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("over", ["clip", "active"])
@pytest.mark.parametrize("name", ROLES)
def test_real_recordings(name: str, over: str, real: Sounds) -> None:
    pytest.importorskip("soundfile")
    speech = real.get("speech")
    perturbation = Perturbation(make_augmentation(name, {"snr_over": over}, real))
    assert isinstance(perturbation.augmentation, Background)
    changed = 0
    for sound in speech.sounds[:20]:
        samples = speech.samples(sound.key, 16_000)[: 3 * 16_000]
        made = perturbation.augmentation.apply(samples, 16_000, np.random.Generator(np.random.PCG64(len(sound.key))))
        assert np.isfinite(made.samples).all()
        changed += made.changed
        if made.changed and over == "clip":
            added = made.samples.astype(np.float64) / 10 ** (float(made.drawn["level_gain_db"]) / 20) - samples
            ratio_db = 20 * math.log10(rms(samples) / rms(added))
            assert ratio_db == pytest.approx(float(made.drawn["snr_db"]), abs=0.01)
    assert changed >= 18


@pytest.mark.slow
def test_the_benchmark_runs() -> None:
    pytest.importorskip("soundfile")
    script = Path(__file__).resolve().parents[2] / "benchmarks" / "augmentations.py"
    words = [sys.executable, str(script), "--clips", "2", "--runs", "1"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    for name in (*ROLES, "tone", "tilt-up", "white-noise, active"):
        assert f"  {name}:" in done.stdout
