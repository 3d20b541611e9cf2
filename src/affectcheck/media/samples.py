"""Samples of one rate at another, and as whole numbers of 16 bits: the one way that all of the package takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from affectcheck.errors import ExtraMissingError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def resampled(samples: NDArray[Any], from_hz: float, to_hz: float) -> NDArray[Any]:
    """Samples at another rate, of the same type; those of the wanted rate as they are.

    Args:
        samples: (n,) floating-point samples.
        from_hz: their rate.
        to_hz: rate of the result.

    Raises:
        ExtraMissingError: the package that resamples is not installed.
    """
    if from_hz == to_hz:
        return samples
    try:
        import soxr  # noqa: PLC0415  # an optional package
    except ImportError as error:
        raise ExtraMissingError.of("resampling sound", "speech", "soxr") from error
    found: NDArray[Any] = soxr.resample(samples, from_hz, to_hz, quality="HQ")
    return found


def to_pcm(samples: NDArray[np.floating]) -> NDArray[np.int16]:
    """16-bit samples: times 32768, halves to the even number, what is beyond full scale clipped.

    Example:
        >>> to_pcm(np.array([0.0, 0.5 / 32768, 1.5 / 32768, -1.0, 1.0])).tolist()
        [0, 0, 2, -32768, 32767]
    """
    scaled = np.rint(np.asarray(samples, np.float64) * 32_768)
    return np.clip(scaled, -32_768, 32_767).astype(np.int16)
