"""Scores that cannot be had because the predictions lack what they are made of: undefined everywhere, for one reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from affectcheck.records import Place, Undefined

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.evaluation.grouping import Attribute
    from affectcheck.evaluation.signing import Signer
    from affectcheck.evaluation.sources import Tallies
    from affectcheck.metrics import Metric
    from affectcheck.records import Signature


@dataclass(frozen=True)
class Lacking:
    """The places of a metric, none of which has a value.

    Attributes:
        book: what lacks.
        signer: the signatures.
        metric: the metric.
        convention: the convention it is asked in.
    """

    book: Tallies
    signer: Signer
    metric: Metric
    convention: str

    @property
    def reason(self) -> str:
        """What is lacking; empty where nothing is."""
        return self.book.lacks(self.metric.tally)

    def overall(self) -> Iterator[Undefined]:
        """The whole set."""
        yield self._undefined(self.metric.name, Place(), self.book.height, self._sign(self.metric.name))

    def groups(self, attribute: Attribute) -> Iterator[Undefined]:
        """Every group of an attribute."""
        for g, group in enumerate(attribute.groups):
            signature = self._sign(self.metric.name, attribute, (g,))
            yield self._undefined(self.metric.name, Place(attribute.name, group), int(attribute.counts[g]), signature)

    def differences(self, attribute: Attribute) -> Iterator[Undefined]:
        """First group minus second, where there are two."""
        if len(attribute.groups) == 2:
            name, place = f"{self.metric.name}_difference", Place(attribute.name, "-".join(attribute.groups))
            yield self._undefined(name, place, int(attribute.counts.sum()), self._sign(name, attribute, (0, 1)))

    def disparity(self, attribute: Attribute) -> Undefined:
        """Over the groups of an attribute."""
        signature = self._sign(self.metric.name, attribute, tuple(range(len(attribute.groups))))
        return self._undefined(self.metric.name, Place(attribute.name), int(attribute.counts.sum()), signature)

    def _sign(self, name: str, attribute: Attribute | None = None, groups: tuple[int, ...] = ()) -> Signature:
        support = self.book.height if attribute is None else int(attribute.counts[list(groups)].sum())
        signed = self.signer.sign(name, self.metric, support, convention=self.convention, attribute=attribute)
        return signed if attribute is None else signed.with_(clusters=self.book.clusters.among(attribute, groups))

    def _undefined(self, name: str, place: Place, support: int, signature: Signature) -> Undefined:
        return Undefined(name, self.reason, support, signature, place)
