"""Which groups are compared, what is told of those that are not, and how many items a bin takes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

from affectcheck.behaviour.groups import Grouped, lacking, listed, too_few
from affectcheck.behaviour.measured import Measured
from affectcheck.evaluation.balance import Pool
from affectcheck.records import Place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.behaviour.definition import Rules
    from affectcheck.behaviour.measured import Setting

#: Share of values in the lowest quarter of the range under paper 2's random model (Eq. 4).
LOWEST_BIN: Final = NormalDist(0.5, 1 / 6).cdf(0.25)


@dataclass(frozen=True, eq=False)
class Admitted:
    """Groups that are compared.

    Attributes:
        grouped: the items of these groups; of all groups where nothing can be compared.
        refused: groups that are left out, and why.
        sizes: items of every group.
        reason: why nothing can be compared; empty if it can.
    """

    grouped: Grouped
    refused: Mapping[str, str]
    sizes: Mapping[str, int]
    reason: str = ""

    def untold(self, setting: Setting, part: str = "") -> list[Measured]:
        """An entry for each group that is left out and each comparison; for one dimension, or for all classes."""
        attribute, minimum = self.grouped.attribute, setting.rules.minimum_per_group
        return [
            Measured(one, Place(attribute, group, part), None, why, self.sizes[group], minimum)
            for group, why in self.refused.items()
            for one in setting.task.comparison
        ]


def admit(grouped: Grouped, setting: Setting) -> Admitted:
    """Leave out the groups that are too small; nothing is compared where fewer than two are left.

    The published results of labelled tests compare all groups or none.
    """
    definition, rules = setting.definition, setting.rules
    wanted = definition.groups.minimum_subjects if definition.groups else {}
    refused = lacking(grouped, rules, wanted)
    sizes = dict(zip(grouped.names, grouped.sizes.tolist(), strict=True))
    kept = tuple(name for name in grouped.names if name not in refused)
    all_or_none = rules.thresholds == "stated" and definition.kind == "group difference"
    if len(grouped.names) < 2 or (refused and (all_or_none or len(kept) < 2)):
        reason = too_few(grouped, rules) or listed((f"{name}: {why}" for name, why in refused.items()), "; ")
        crossed = definition.groups is not None and bool(definition.groups.crossed)
        return Admitted(grouped, refused if crossed else {}, sizes, reason)
    if not refused:
        return Admitted(grouped, {}, sizes)
    named = listed(refused)
    left = grouped.only(kept)
    noted = left.material.noted(f"groups with too little support are left out: {named}")
    return Admitted(replace(left, material=noted), refused, sizes)


def not_applicable(grouped: Grouped, setting: Setting, reason: str, part: str = "") -> list[Measured]:
    """One entry for each comparison; with the size of the smallest group as far as it is known."""
    support = int(grouped.sizes.min()) if len(grouped.names) else 0
    place = Place(grouped.attribute, "", part)
    minimum = setting.rules.minimum_per_group
    return [
        Measured(one, place, None, reason, support, minimum, notes=grouped.material.notes)
        for one in setting.task.comparison
    ]


def minimum_of_bin(rules: Rules, per_group: int) -> int:
    """Items that a bin takes: the number stated, or that expected in the lowest bin of one group."""
    stated = rules.minimum_per_bin
    return stated if isinstance(stated, int) else expected_in_lowest_bin(per_group)


def expected_in_lowest_bin(per_group: int) -> int:
    """Values of so many that a random model has in the lowest bin (paper 2, Eq. 4); half goes to the even number.

    The number is that of the items of one group, as in the published results.
    """
    return round(LOWEST_BIN * per_group)


def pool_of(grouped: Grouped, setting: Setting) -> Pool:
    """What items are drawn from."""
    material, limit = grouped.material, setting.rules.items_per_group
    return Pool(material.items, material.truth, grouped.codes, len(grouped.names), setting.options.seed, limit)
