"""Stops a run in which too many items have no prediction, and tells why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.errors import InputError
from affectcheck.predictions.outcomes import NO_PREDICTION, NOT_APPLICABLE, RAISED, UNREADABLE

if TYPE_CHECKING:
    from affectcheck.predictions.options import PredictOptions
    from affectcheck.predictions.outcomes import Outcome
    from affectcheck.records import Fault

SHOWN_FAULTS: Final = 5
_CAUSES: Final = {
    UNREADABLE: "media that are missing or damaged, or a root folder that is not theirs",
    NO_PREDICTION: "predictions of another data set or part, or keys with another folder in front",
    RAISED: "a fault of the model's code, or items that it was not made for",
}


class FaultGuard:
    """Stops a run in which too many items of one set fail.

    Args:
        total: items of the set.
        options: ``strict`` and ``max_fault_share``.
        perturbation: key of what changes the sound, for the message; empty for the sound as recorded.
    """

    def __init__(self, total: int, options: PredictOptions, perturbation: str = "") -> None:
        self.total = total
        self.where = f"under {perturbation}" if perturbation else ""
        self.allowed = 0.0 if options.strict else options.max_fault_share * total
        self.rule = (
            "none, since the run is strict"
            if options.strict
            else f"at most {self.allowed:g} of {total}; the run stops at the first beyond"
        )
        self.faults: list[Fault] = []

    def see(self, outcome: Outcome) -> None:
        """Count an item.

        Raises:
            InputError: more items failed than are allowed; the first ones are listed.
        """
        if outcome.values is not None:
            return
        # A perturbation that makes no sense for an item is no fault of the data: it is counted, and stops nothing.
        self.faults += [fault for fault in outcome.faults if fault.kind != NOT_APPLICABLE]
        if len(self.faults) > self.allowed:
            self.stop()

    def stop(self) -> None:
        """Raise with the first faults."""
        alike: dict[str, list[str]] = {}  # what is said of many items is said once
        for fault in self.faults:
            alike.setdefault(f"{fault.kind}: {fault.message}", []).append(fault.item)
        shown = [f"{_names(items)}: {told}" for told, items in list(alike.items())[:SHOWN_FAULTS]]
        more = len(self.faults) - sum(len(items) for items in list(alike.values())[:SHOWN_FAULTS])
        kinds = dict.fromkeys(fault.kind for fault in self.faults)
        raise InputError(
            f"{len(self.faults)} of {self.total} items have no prediction:"
            + "".join(
                "\n  " + text.replace("\n", "\n    ") for text in [*shown, *([f"and {more} more"] if more else [])]
            ),
            where=self.where,
            expected=self.rule,
            cause="; ".join(_CAUSES[kind] for kind in kinds if kind in _CAUSES),
        )


def _names(items: list[str]) -> str:
    more = len(items) - SHOWN_FAULTS
    return ", ".join(items[:SHOWN_FAULTS]) + (f" and {more} more" if more > 0 else "")
