"""Several models as one: predictions are fused item by item."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np

from affectcheck.digest import digest_bytes
from affectcheck.errors import InputError, ModelError, UnknownNameError
from affectcheck.models.card import ModelCard
from affectcheck.models.options import SOURCE, Option, describe
from affectcheck.models.preparing import Prepares
from affectcheck.models.registry import MODELS, load_model, number, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from affectcheck.media.clip import Item
    from affectcheck.models.card import Output, Predictor

Rule = Literal["mean", "median", "majority"]
RULES: Final[tuple[str, ...]] = get_args(Rule)
#: Members may cut different faces out of a picture, of which a test can change only one.
_ANEW: Final = "what a member does once to media as recorded, it does here to every changed version"


def fuse(
    predictions: Sequence[np.ndarray], *, rule: Rule = "mean", weights: Sequence[float] | None = None
) -> np.ndarray:
    """Fuse the predictions of several models for the same items.

    Args:
        predictions: one (n, parts) array a model, all of one shape and one kind of number.
        rule: ``mean`` or ``median`` of the numbers, or ``majority``: the share of the models that decide for a class.
            Equal shares go to the first class, as in every decision.
        weights: one a model, not negative and not all zero; None weighs all alike. A median takes none.

    Returns:
        (n, parts). A median of probabilities need not sum to 1.

    Raises:
        InputError: no prediction, shapes or weights that do not fit.
        UnknownNameError: no such rule.

    Example:
        >>> import numpy as np
        >>> fuse([np.array([[0.5, 0.5]]), np.array([[0.0, 1.0]])], weights=[3, 1])
        array([[0.375, 0.625]])
    """
    if rule not in RULES:
        raise UnknownNameError.of("rule of fusion", rule, RULES)
    shapes = {prediction.shape for prediction in predictions}
    if len(shapes) != 1 or len(next(iter(shapes))) != 2:
        raise InputError(
            f"predictions of shapes {', '.join(map(str, sorted(shapes))) or 'none'}",
            expected="one or more arrays (items, parts) of one shape",
        )
    share = _shares(len(predictions), weights)
    stack = np.stack([np.asarray(prediction, dtype=np.float64) for prediction in predictions])
    if rule == "median":
        if weights is not None:
            raise InputError("a median with weights", expected="no weights, or the rule mean or majority")
        return np.asarray(np.median(stack, axis=0))
    if rule == "majority":
        stack = (stack.argmax(axis=2)[:, :, None] == np.arange(stack.shape[2])).astype(np.float64)
    return np.asarray(np.einsum("m,mnp->np", share, stack))


@dataclass(frozen=True)
class Fusion:
    """Several models whose predictions are fused.

    Attributes:
        members: models of one kind, output and set of parts, which may stand in another order.
        rule: see ``fuse``.
        weights: see ``fuse``.
    """

    members: tuple[Predictor, ...]
    rule: Rule = "mean"
    weights: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        """The members may be fused, which is known before anything is predicted."""
        if not self.members:
            raise InputError("a fusion of no models", expected="at least one")
        if self.rule not in RULES:
            raise UnknownNameError.of("rule of fusion", self.rule, RULES)
        _shares(len(self.members), self.weights)
        first, *others = (member.card for member in self.members)
        for other in others:
            _require_alike(first, other, self.rule)
        if self.rule == "majority" and first.kind != "categories":
            raise InputError(f"a majority of {first.kind}", expected="categories, or the rule mean or median")

    @cached_property
    def card(self) -> ModelCard:
        """The members' card, with their names and digests."""
        cards = [member.card for member in self.members]
        first = cards[0]
        output: Output = first.output if self.rule == "mean" and first.output != "label" else "score"
        counts = [card.parameters for card in cards]
        digests = [card.digest for card in cards]
        return ModelCard(
            name=f"fusion({', '.join(card.name for card in cards)})",
            kind=first.kind,
            parts=first.parts,
            output="value" if first.kind == "dimensions" else output,
            media=tuple(dict.fromkeys(medium for card in cards for medium in card.media)),
            rate_hz=next((card.rate_hz for card in cards if card.rate_hz), None),
            low=first.low,
            high=first.high,
            parameters=None if None in counts else sum(count or 0 for count in counts),
            training_data="; ".join(dict.fromkeys(card.training_data for card in cards if card.training_data)),
            digest=digest_bytes("fusion", self.rule, repr(self.weights), *first.parts, *digests)
            if all(digests)
            else "",
            notes=(
                f"{self.rule} of {len(cards)} models" + (f", weights {self.weights}" if self.weights else ""),
                *([_ANEW] if any(isinstance(member, Prepares) for member in self.members) else []),
            ),
        )

    def predict(self, items: Sequence[Item]) -> np.ndarray:
        """Predict with every member and fuse, in the order of the first member's parts."""
        predictions = []
        for member in self.members:
            values = np.asarray(member.predict(items), dtype=np.float64)
            if values.shape != (len(items), len(member.card.parts)):
                raise ModelError(
                    f"the model returned an array of shape {values.shape}",
                    where=f"model {member.card.name!r}",
                    expected=f"{(len(items), len(member.card.parts))}",
                )
            predictions.append(values[:, [member.card.parts.index(part) for part in self.members[0].card.parts]])
        return fuse(predictions, rule=self.rule, weights=self.weights)


def _require_alike(first: ModelCard, other: ModelCard, rule: Rule) -> None:
    pairs = {
        "kind": (first.kind, other.kind),
        "parts": (sorted(first.parts), sorted(other.parts)),
        "range": ((first.low, first.high), (other.low, other.high)) if first.kind == "dimensions" else ("", ""),
        "output": (first.output, other.output) if rule != "majority" else ("", ""),
        "rate": (first.rate_hz or other.rate_hz, other.rate_hz or first.rate_hz),
    }
    for what, (one, two) in pairs.items():
        if one != two:
            raise InputError(
                f"models of another {what}: {first.name!r} has {one}, {other.name!r} has {two}",
                expected=f"models of one {what}",
                cause="numbers of different meaning have no mean" if what == "output" else "",
            )


def _shares(count: int, weights: Sequence[float] | None) -> np.ndarray:
    if weights is None:
        return np.full(count, 1.0 / count)
    found = np.asarray(weights, dtype=np.float64)
    if found.shape != (count,) or not np.isfinite(found).all() or (found < 0).any() or found.sum() <= 0:
        raise InputError(
            f"the weights {tuple(weights)} for {count} models", expected="one a model, not negative, not all zero"
        )
    return np.asarray(found / found.sum())


describe(
    "fusion",
    Option(SOURCE, "models joined by +, each without options, such as a.npz+b.npz", needed="yes"),
    Option("rule", "mean or median of the numbers, or majority of the decisions", "mean"),
    Option("weights", "a number a model, separated by commas, in their order; not for a median", "equal ones"),
)


@MODELS.register("fusion")
def load_fusion(source: str, *, rule: str = "mean", weights: str | Iterable[float] = ()) -> Fusion:
    """Fuse models whose specifications are joined by ``+``, such as ``fusion:a.npz+b.npz``."""
    stated = tuple(number("weights", word) for word in words(weights))
    members = tuple(load_model(spec) for spec in source.split("+") if spec)
    return Fusion(members, rule, stated or None)  # type: ignore[arg-type]  # the rule is checked there
