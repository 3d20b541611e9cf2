"""Which of a network's outputs holds the numbers: several heads, or several things that are returned together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from affectcheck.errors import InputError
from affectcheck.models.options import Option
from affectcheck.models.registry import words

if TYPE_CHECKING:
    from collections.abc import Mapping

OUTPUT_OPTION: Final = Option(
    "output_node",
    "of several outputs, which: a name, or a number from 0 on; 0,1 puts two side by side, such as valence and arousal",
    "logits, or the one with as many numbers as are declared",
)


def chosen_output(returned: Any, stated: str, parts: int, *, where: str) -> np.ndarray:
    """The numbers among what a network of PyTorch returned for one item.

    Args:
        returned: a tensor, a sequence or mapping of tensors, or an object of the library transformers.
        stated: names or numbers, separated by commas; empty for what has the attribute or name ``logits``, the only
            tensor, or the only one that has as many numbers as are declared.
        parts: how many are declared.
        where: model and item.

    Raises:
        InputError: no such output, or it is not clear which one.
    """
    if not stated and hasattr(returned, "logits"):
        return _array(returned.logits)
    named = _named(returned)
    if stated:
        chosen = words(stated)
        unknown = [name for name in chosen if name not in named]
        if unknown:
            raise InputError(f"the network has no output {unknown[0]!r}", where=where, expected=f"of {_listed(named)}")
        return np.concatenate([_array(named[name]).reshape(1, -1) for name in chosen], axis=1)
    fitting = [one for name, one in named.items() if name == "logits" or len(named) == 1]
    fitting = fitting or [one for one in named.values() if _array(one).size == parts]
    if len(fitting) != 1:
        raise InputError(
            f"the network returns {len(named)} outputs, {len(fitting)} of them with {parts} numbers: {_listed(named)}",
            where=where,
            expected="?output_node=0, which of them; ?output_node=0,1 for two side by side",
        )
    return _array(fitting[0])


def _named(returned: Any) -> dict[str, Any]:
    """The tensors by name, or by number."""
    if isinstance(returned, tuple | list):
        found: Mapping[str, Any] = {str(number): one for number, one in enumerate(returned)}
    elif hasattr(returned, "items"):
        found = {str(name): one for name, one in returned.items()}
    else:
        found = {"0": returned}
    return {name: one for name, one in found.items() if hasattr(one, "detach")}


def _array(tensor: Any) -> np.ndarray:
    return np.asarray(tensor.detach().cpu().float().numpy())


def _listed(named: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} of shape {_array(one).shape}" for name, one in named.items())
