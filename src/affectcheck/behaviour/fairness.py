"""Fairness tests: is a model the same for every group?

| kind | what is compared | labels |
|---|---|---|
| ``group difference`` | metrics of each group with those of all groups together, on sets of equal truth | yes |
| ``group prediction`` | shares of classes or bins and mean values of each group with those of all groups together | no |
| ``group perturbation`` | how far a perturbation changes predictions and scores of each group, with how far those of all | as far as there are any |
| ``group shift`` | how far a second column, such as the sentiment of the words, moves predictions in each group, with the mean over groups | no |

A failure says that a difference was found. A pass says that none was detected at this support; beside every value
stands how small a difference would have been detected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.behaviour.fairness_labelled import measure_differences
from affectcheck.behaviour.fairness_predictions import measure_predictions
from affectcheck.behaviour.fairness_shifts import measure_shifts

if TYPE_CHECKING:
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Measured, Setting


def measure_fairness(material: Material, attribute: str, setting: Setting) -> list[Measured]:
    """Compare groups, as the kind of the test says.

    Args:
        material: the items; without labels every truth is unknown.
        attribute: the column that holds the groups.
        setting: test, task, rules and options.
    """
    if setting.definition.kind == "group prediction":
        return measure_predictions(material, attribute, setting)
    if setting.definition.kind == "group shift":
        return measure_shifts(material, attribute, setting)
    return measure_differences(material, attribute, setting)
