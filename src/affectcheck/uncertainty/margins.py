"""Tables with both margins held: the answers of all items dealt out among groups that keep their true classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def dealt_answers(cells: NDArray[Any], draws: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Deal the answers given to each true class out anew among the groups, as permuting the items of a class would.

    Args:
        cells: (G, C, K) numbers of items by group, true class and answer.
        draws: R.
        random: where the draws come from.

    Returns:
        (R, G, C, K) numbers; in each draw every group has as many items of each true class as before, and every true
        class as many of each answer.

    Example:
        >>> table = np.array([[[2, 0]], [[0, 3]]])
        >>> drawn = dealt_answers(table, 4, np.random.Generator(np.random.PCG64(0)))
        >>> drawn.sum(axis=-1).tolist()[0], drawn.sum(axis=1).tolist()[0]
        ([[2], [3]], [[2, 3]])
    """
    groups, classes, answers = cells.shape
    drawn = np.zeros((draws, groups, classes, answers), np.int64)
    left = np.broadcast_to(cells.sum(axis=0), (draws, classes, answers)).astype(np.int64)
    for group in range(groups - 1):
        wanted = np.broadcast_to(cells[group].sum(axis=-1), (draws, classes)).astype(np.int64)
        others = left.sum(axis=-1)
        for answer in range(answers - 1):
            others = others - left[..., answer]
            drawn[:, group, :, answer] = random.hypergeometric(left[..., answer], others, wanted)
            wanted = wanted - drawn[:, group, :, answer]
        drawn[:, group, :, -1] = wanted
        left = left - drawn[:, group]
    drawn[:, -1] = left
    return drawn
