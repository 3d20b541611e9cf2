"""WAV files written byte by byte, so that their headers can lie."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path


def sine(samples: int = 8000, *, peak: float = 0.5, rate_hz: int = 16_000, pitch_hz: float = 500.0) -> np.ndarray:
    return (peak * np.sin(2 * np.pi * pitch_hz * np.arange(samples) / rate_hz)).astype(np.float32)


def pcm16(samples: np.ndarray) -> bytes:
    return np.round(np.asarray(samples) * 32768).clip(-32768, 32767).astype("<i2").tobytes()


def wav(
    data: bytes,
    *,
    claimed: int | None = None,
    riff: int | None = None,
    channels: int = 1,
    rate_hz: int = 16_000,
    before: bytes = b"",
    after: bytes = b"",
    coding: int = 1,
    bits: int = 16,
) -> bytes:
    frame = channels * bits // 8
    form = struct.pack("<HHIIHH", coding, channels, rate_hz, rate_hz * frame, frame, bits)
    body = b"WAVE" + b"fmt " + struct.pack("<I", len(form)) + form + before
    body += b"data" + struct.pack("<I", len(data) if claimed is None else claimed) + data + after
    return b"RIFF" + struct.pack("<I", len(body) if riff is None else riff) + body


def chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path
