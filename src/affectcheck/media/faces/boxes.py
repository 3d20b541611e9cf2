"""Arithmetic of boxes: (n, 4) arrays of left, upper, right and lower edge."""

from __future__ import annotations

import numpy as np


def sizes(boxes: np.ndarray) -> np.ndarray:
    """(n, 2): width and height."""
    result: np.ndarray = boxes[:, 2:] - boxes[:, :2]
    return result


def squared(boxes: np.ndarray) -> np.ndarray:
    """The least squares around the same centres that hold width and height."""
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2
    half = sizes(boxes).max(axis=1, keepdims=True) / 2
    return np.concatenate([centres - half, centres + half], axis=1)


def moved(boxes: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Edges moved by shares of width and height."""
    result: np.ndarray = boxes + offsets * np.tile(sizes(boxes), 2)
    return result


def apart(boxes: np.ndarray, scores: np.ndarray, *, overlap: float, of_smaller: bool = False) -> np.ndarray:
    """Which boxes stay when each one removes those less sure than itself that overlap it too much.

    Args:
        boxes: (n, 4).
        scores: (n,).
        overlap: intersection over union beyond which a box goes.
        of_smaller: whether the intersection counts as a share of the smaller box, not of the union.

    Returns:
        Indices of those that stay, the surest first.
    """
    areas = sizes(boxes).prod(axis=1)
    left = np.argsort(-scores, kind="stable")
    kept: list[int] = []
    while left.size:
        one, left = left[0], left[1:]
        kept.append(int(one))
        sides = np.minimum(boxes[one, 2:], boxes[left, 2:]) - np.maximum(boxes[one, :2], boxes[left, :2])
        shared = np.maximum(sides, 0).prod(axis=1)
        whole = np.minimum(areas[one], areas[left]) if of_smaller else areas[one] + areas[left] - shared
        left = left[shared <= overlap * whole]
    return np.array(kept, int)
