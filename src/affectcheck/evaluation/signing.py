"""Signatures of scores: what is the same for all of an evaluation, and what each score adds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from affectcheck.digest import digest_bytes
from affectcheck.evaluation.data_digest import DIGEST_SHOWN
from affectcheck.evaluation.deciding import BY_KIND
from affectcheck.records import Signature
from affectcheck.uncertainty import Resampling
from affectcheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.evaluation.alignment import Aligned
    from affectcheck.evaluation.data_digest import DataDigest
    from affectcheck.evaluation.grouping import Attribute, Clusters
    from affectcheck.evaluation.options import EvaluationOptions
    from affectcheck.metrics import Metric

#: Longer label sets are told by their number and digest, so that a signature stays one readable line.
LONGEST_LABELS: Final = 160


@dataclass(frozen=True)
class Signer:
    """Signs the scores of one evaluation.

    Attributes:
        shared: the signature without what belongs to a metric or place.
        resampling: fields of scores that have an interval or a noise floor.
        members: attribute to the digest of who is in which of its groups.
    """

    shared: Signature
    resampling: dict[str, str]
    members: Mapping[str, str]

    @classmethod
    def of(
        cls, digest: DataDigest, aligned: Aligned, clusters: Clusters, options: EvaluationOptions, model: str
    ) -> Signer:
        """From what the evaluation was told and found."""
        shared = Signature(
            "",
            labels=labels_told(aligned.parts),
            target=aligned.target.name,
            mapping=aligned.mapping,
            missing=aligned.missing,
            thresholds=_thresholds(aligned),
            steps=aligned.steps,
            data=digest.data,
            part=options.part,
            clusters=str(clusters),
            model=model,
            version=__version__,
        )
        return cls(shared, _resampling(options), digest.members)

    def sign(
        self, name: str, metric: Metric, support: int, *, convention: str, attribute: Attribute | None = None
    ) -> Signature:
        """The signature of one score.

        Args:
            name: of the score; that of a difference is not the metric's.
            metric: how it is computed.
            support: items that entered.
            convention: the convention; it is named only where conventions differ.
            attribute: by which attribute, if any, the items are divided.
        """
        fields = metric.signature(convention) if metric.supports(convention) else {"convention": convention}
        if attribute is not None:
            members = self.members[attribute.name]
            fields["groups"] = f"{attribute.name}={','.join(attribute.groups)}@{members}"
            small = [f"{group}={count}" for group, count in attribute.small.items()]
            fields["excluded"] = ",".join([attribute.told, *small])
        return self.shared.with_(metric=name, n=str(support), **fields, **self.resampling)


def _thresholds(aligned: Aligned) -> str:
    if aligned.target.scheme.kind != "units":
        return ""
    return BY_KIND if aligned.thresholds is None else str(aligned.thresholds)


def _resampling(options: EvaluationOptions) -> dict[str, str]:
    if not options.resamples:
        return {}
    how = Resampling(options.resamples, options.seed, options.level, options.interval)
    return {"resamples": how.signed, "seed": str(options.seed)}


def labels_told(parts: tuple[str, ...]) -> str:
    """A label set as it stands in a signature."""
    told = ",".join(parts)
    return told if len(told) <= LONGEST_LABELS else f"{len(parts)}@{digest_bytes(*parts)[:DIGEST_SHOWN]}"
