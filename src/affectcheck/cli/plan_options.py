"""Options of ``plan`` that its question has no use for: they are refused, since a plan that ignored them would mislead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.errors import InputError

if TYPE_CHECKING:
    import typer

_DISPARITY: Final = "of a disparity alone: --metric eop or a gap such as uar_gap"
_TWO_SCORES: Final = "of a difference of two scores, not of a disparity, whose noise floor is simulated at 95 %"


def refuse_unused(context: typer.Context, *, disparity: bool, values: bool) -> None:
    """Raise if the command line states what the plan would not use.

    Args:
        context: of the call.
        disparity: whether it is a disparity that is to be found.
        values: whether the metric is one of real values, which have no classes.

    Raises:
        InputError: an option is of another question.
    """
    given = context.params
    piloted, models = bool(given["pilot"]), given["compare"] == "models" and not disparity
    unused = {
        "by": (not piloted, "with --pilot, whose attribute it is"),
        "part": (not piloted, "with --pilot, whose dimension it is"),
        "agreement": (not models, "with --compare models"),
        "groups": (not disparity, _DISPARITY),
        "limit": (not disparity, _DISPARITY),
        "compare": (disparity, _TWO_SCORES),
        "level": (disparity, _TWO_SCORES),
        "check": (disparity, _TWO_SCORES),
        "repetitions": (not (disparity or given["check"]), "with --check or for a disparity"),
        "classes": (piloted or values, "of categories, without --pilot, which tells it"),
        "shares": (piloted or values, "of categories, without --pilot, which tells it"),
    }
    for name, (idle, expected) in unused.items():
        source = context.get_parameter_source(name)
        if idle and source is not None and source.name == "COMMANDLINE":
            raise InputError(f"--{name} has no meaning for this plan", expected=expected)
    if len(given["pilot"] or ()) == 2 and not models:
        raise InputError("2 pilots", expected="one, or one for each of two models: --compare models")
