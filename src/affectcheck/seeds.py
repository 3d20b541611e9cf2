"""Randomness keyed by purpose and item, never by process, order or clock.

The same seed and keys give the same numbers in every process, on every platform and whatever else was drawn
before; another seed, purpose or item gives independent ones.
"""

from __future__ import annotations

import hashlib

import numpy as np

Key = str | int | bytes


def entropy(seed: int, *keys: Key) -> int:
    """128 bits that depend on the seed and every key, in order and by type.

    Each key is written with its type and length, so that ("ab", "c") and ("a", "bc") differ, as do 1 and "1".
    """
    state = hashlib.blake2b(digest_size=16, person=b"affectcheck-seed")
    for key in (seed, *keys):
        if isinstance(key, bool) or not isinstance(key, str | bytes | int):
            raise TypeError(f"a seed key is a str, bytes or int, not {type(key).__name__}: {key!r}")
        tag = "s" if isinstance(key, str) else "b" if isinstance(key, bytes) else "i"
        raw = key if isinstance(key, bytes) else str(key).encode()
        state.update(f"{tag}{len(raw)}:".encode() + raw)
    return int.from_bytes(state.digest(), "big")


def rng(seed: int, *keys: Key) -> np.random.Generator:
    """An independent generator for this seed, purpose and item.

    Args:
        seed: the run's seed, any integer.
        *keys: purpose first, then whatever the draw belongs to, such as an item key.

    Returns:
        A PCG64 generator, whose stream NumPy keeps stable for integers and uniform draws.

    Example:
        >>> int(rng(7, "noise", "a.wav").integers(1000)), int(rng(7, "noise", "a.wav").integers(1000))
        (329, 329)
        >>> int(rng(7, "noise", "b.wav").integers(1000))
        445
    """
    return np.random.Generator(np.random.PCG64(entropy(seed, *keys)))
