"""Randomness keyed by purpose and item, never by process, order or clock.

The same seed and keys give the same numbers in every process, on every platform and whatever else was drawn
before; another seed, purpose or item gives independent ones.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.random.bit_generator import ISeedSequence

if TYPE_CHECKING:
    from typing import Any

Key = str | int | bytes


def entropy(seed: int, *keys: Key) -> int:
    """128 bits that depend on the seed and every key, in order and by type.

    Each key is written with its type and length, so that ("ab", "c") and ("a", "bc") differ, as do 1 and "1".
    """
    state = hashlib.blake2b(digest_size=16, person=b"affectcheck-seed")
    for key in (seed, *keys):
        state.update(_written(key))
    return int.from_bytes(state.digest(), "big")


def _written(key: Key) -> bytes:
    if isinstance(key, str):
        raw = key.encode()
        return b"s%d:%b" % (len(raw), raw)
    if isinstance(key, bytes):
        return b"b%d:%b" % (len(key), key)
    if isinstance(key, bool) or not isinstance(key, int):
        raise TypeError(f"a seed key is a str, bytes or int, not {type(key).__name__}: {key!r}")
    raw = str(key).encode()
    return b"i%d:%b" % (len(raw), raw)


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


def item_rng(shared: tuple[Key, ...], *keys: Key) -> np.random.Generator:
    """An independent generator for one of many items, in a fifth of the time of ``rng``.

    What the items share is hashed once, and the 256 bits of the hash are the state and the increment of the generator,
    without NumPy's mixing of seeds, which a cryptographic hash needs as little. The draws are not those of ``rng``.

    Args:
        shared: the run's seed, the purpose, and whatever else all items share.
        *keys: what the draw belongs to, such as an item key.

    Example:
        >>> int(item_rng((7, "noise"), "a.wav").integers(1000)), int(item_rng((7, "noise"), "a.wav").integers(1000))
        (783, 783)
        >>> int(item_rng((7, "noise"), "b.wav").integers(1000))
        593
    """
    state = _begun(*shared).copy()
    for key in keys:
        state.update(_written(key))
    seeded = np.random.PCG64(_Hashed(state.digest()))  # type: ignore[arg-type]  # NumPy's stub knows SeedSequence alone
    return np.random.Generator(seeded)


@lru_cache(maxsize=256, typed=True)
def _begun(*keys: Key) -> hashlib.blake2b:
    state = hashlib.blake2b(digest_size=32, person=b"affectcheck-item")
    for key in keys:
        state.update(_written(key))
    return state


class _Hashed(ISeedSequence):
    """32 bytes of a hash, which seed a PCG64 as they are."""

    __slots__ = ("digest",)

    def __init__(self, digest: bytes) -> None:
        self.digest = digest

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> np.ndarray:
        """The four words of 64 bits that are asked for."""
        return np.frombuffer(self.digest, "<u8").astype(np.uint64, copy=False)
