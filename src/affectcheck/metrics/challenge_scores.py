"""The scores that the challenges of paper 3 rank by: means of other metrics over a fixed number of parts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from affectcheck.errors import InputError
from affectcheck.metrics.concordance import ccc, pcc
from affectcheck.metrics.f_scores import f1_macro
from affectcheck.metrics.registry import METRICS, register
from affectcheck.metrics.rules import CONVENTIONS, OVER_UNITS, Rules
from affectcheck.metrics.unit_scores import unit_f1
from affectcheck.schemes import parts, scheme

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from affectcheck.metrics.metric import Compute
    from affectcheck.schemes import Scheme
    from affectcheck.tallies import Confusion, Moments, Units

    Floats = NDArray[np.float64]

#: A sum over declared classes or units divides by their number, whatever the data hold.
OVER_DECLARED: Final = OVER_UNITS
#: Half a score is no score.
BOTH: Final = Rules(dict.fromkeys(CONVENTIONS, "propagate"), ("propagate",), distinct=False)
#: A correlation that is undefined may be told to count as 0; leaving it out would reward a constant prediction.
ALL_SIX: Final = Rules(dict.fromkeys(CONVENTIONS, "propagate"), ("propagate", "zero"), distinct=False)


def p_va(tally: Moments, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Score of the valence-arousal challenge: mean of the CCC of valence and of arousal, over all frames pooled.

    $$P_{VA} = \frac{\mathrm{CCC}_a + \mathrm{CCC}_v}{2}$$

    Range: -1 to 1; higher is better.

    Undefined when: either CCC is. Frames of unknown truth are left out of their dimension alone, and counted.

    Tally: Moments (..., 2).

    Signature: the rule for undefined dimensions, ddof.

    Args:
        tally: (..., 2) moments of all frames of all videos together; a mean of values by video is another number.
        convention: one of the three; the challenge has one definition.
        undefined: ``propagate``, or empty for it.

    Returns:
        (...) values.

    Raises:
        InputError: the tally has another number of dimensions than 2, or the convention or the rule is unknown.

    Source: paper 3, Eq. 1 and 2.

    Example:
        Valence is met exactly, CCC 1; arousal of the same items has CCC 8/13.

        >>> from affectcheck.tallies import Moments
        >>> tally = Moments.of([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]], [[0.0, 0.0], [1.0, 2.0], [2.0, 4.0]])
        >>> round(float(p_va(tally)), 4) == round((1 + 8 / 13) / 2, 4)
        True
    """
    _require(tally.dimensions, "p_va")
    return ccc(tally, undefined=BOTH.resolve(convention, undefined))


def p_expr(tally: Confusion, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Score of the expression challenge: sum of the F1 of its 8 classes, divided by 8.

    $$P_{EXPR} = \frac{1}{8} \sum_{c=1}^{8} F_1^c$$

    Range: 0 to 1; higher is better.

    Undefined when: there are no items. A class that occurs neither in truth nor in predictions counts as 0 (rule
    ``zero``), and the number of such classes stands beside the score.

    Tally: Confusion (..., 8, 8).

    Signature: the rule for undefined classes.

    Args:
        tally: (..., 8, 8) counts.
        convention: one of the three; the challenge has one definition.
        undefined: ``zero``, ``skip`` or ``propagate``; empty for ``zero``. Only ``zero`` is the challenge's score.

    Returns:
        (...) values.

    Raises:
        InputError: the tally has another number of classes than 8, or the convention or the rule is unknown.

    Source: paper 3, Eq. 3 and 4.

    Example:
        Only two of eight classes occur, and both are always right.

        >>> from affectcheck.tallies import Confusion
        >>> float(p_expr(Confusion.count([0, 1], [0, 1], labels=8)))
        0.25
    """
    _require(tally.labels, "p_expr")
    return f1_macro(tally, undefined=OVER_DECLARED.resolve(convention, undefined))


def p_au(tally: Units, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Score of the action unit challenge: sum of the F1 of its 12 units, divided by 12.

    $$P_{AU} = \frac{1}{12} \sum_{m=1}^{12} F_1^m$$

    Range: 0 to 1; higher is better.

    Undefined when: no unit of any frame is known. A unit that is neither present nor predicted counts as 0 (rule
    ``zero``), and the number of such units stands beside the score.

    Tally: Units (..., 12, 2, 2).

    Signature: the rule for undefined units.

    Args:
        tally: (..., 12, 2, 2) counts.
        convention: one of the three; the challenge has one definition.
        undefined: ``zero``, ``skip`` or ``propagate``; empty for ``zero``. Only ``zero`` is the challenge's score.

    Returns:
        (...) values.

    Raises:
        InputError: the tally has another number of units than 12, or the convention or the rule is unknown.

    Source: paper 3, Eq. 5.

    Example:
        Half of the units are present and found, the others neither present nor predicted.

        >>> from affectcheck.tallies import Units
        >>> float(p_au(Units.count([[1, 0] * 6], [[1, 0] * 6])))
        0.5
    """
    _require(tally.units, "p_au")
    return unit_f1(tally, undefined=OVER_DECLARED.resolve(convention, undefined))


def p_ce(tally: Confusion, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Score of the compound expression challenge: sum of the F1 of its 7 classes, divided by 7.

    $$P_{CE} = \frac{1}{7} \sum_{c=1}^{7} F_1^c$$

    Range: 0 to 1; higher is better.

    Undefined when: there are no items. A class that occurs neither in truth nor in predictions counts as 0 (rule
    ``zero``), and the number of such classes stands beside the score.

    Tally: Confusion (..., 7, 7).

    Signature: the rule for undefined classes.

    Args:
        tally: (..., 7, 7) counts.
        convention: one of the three; the challenge has one definition.
        undefined: ``zero``, ``skip`` or ``propagate``; empty for ``zero``. Only ``zero`` is the challenge's score.

    Returns:
        (...) values.

    Raises:
        InputError: the tally has another number of classes than 7, or the convention or the rule is unknown.

    Source: paper 3, Eq. 6.

    Example:
        >>> from affectcheck.tallies import Confusion
        >>> float(p_ce(Confusion.count(list(range(7)), list(range(7)), labels=7)))
        1.0
    """
    _require(tally.labels, "p_ce")
    return f1_macro(tally, undefined=OVER_DECLARED.resolve(convention, undefined))


def p_emi(tally: Moments, *, convention: str = "paper", undefined: str = "") -> Floats:
    r"""Score of the emotional mimicry challenge: mean of the PCC of its 6 dimensions.

    $$P_{EMI} = \frac{1}{6} \sum_{i=1}^{6} \rho^i$$

    Range: -1 to 1; higher is better.

    Undefined when: any of the correlations is, because a side is constant or there are fewer than 2 items.

    Tally: Moments (..., 6).

    Signature: the rule for undefined dimensions, ddof.

    Args:
        tally: (..., 6) moments.
        convention: one of the three; the challenge has one definition.
        undefined: ``propagate``, or ``zero`` where a challenge counts a constant prediction as 0; empty for
            ``propagate``. It is never left out of the mean, which would reward it.

    Returns:
        (...) values.

    Raises:
        InputError: the tally has another number of dimensions than 6, or the convention or the rule is unknown.

    Source: paper 3, Eq. 7.

    Example:
        Five dimensions are met exactly, the sixth is predicted as constant.

        >>> from affectcheck.tallies import Moments
        >>> truth, prediction = [[float(i)] * 6 for i in range(3)], [[float(i)] * 5 + [0.3] for i in range(3)]
        >>> tally = Moments.of(truth, prediction)
        >>> float(p_emi(tally)), round(float(p_emi(tally, undefined="zero")), 4)
        (nan, 0.8333)
    """
    _require(tally.dimensions, "p_emi")
    return pcc(tally, undefined=ALL_SIX.resolve(convention, undefined))


def _require(found: int, name: str) -> None:
    needed = METRICS.get(name).number_of_parts
    if found != needed:
        kind = {"categories": "classes"}.get(METRICS.get(name).kind, METRICS.get(name).kind)
        raise InputError(
            f"{name} of {found} {kind}",
            expected=f"{needed}, those of the challenge",
            cause="a scheme other than the challenge's; score its own mean instead",
        )


def _register(compute: Compute, of: str, rules: Rules, declared: Scheme, source: str) -> None:
    """File a challenge's score under the name of its function, with what it has in common with the metric it means."""
    mean, name = METRICS.get(of), getattr(compute, "__name__", "")
    title = f"P_{name.removeprefix('p_').upper()}"
    register(
        replace(
            mean,
            name=name,
            title=title,
            compute=compute,
            parts=None,
            number_of_parts=len(parts(declared)),
            scheme=declared.name,
            rules=rules,
            source=source,
        )
    )


_register(p_va, "ccc", BOTH, scheme("valence-arousal"), "paper 3, Eq. 1")
_register(p_expr, "f1_macro", OVER_DECLARED, scheme("expressions-8-other"), "paper 3, Eq. 3")
_register(p_au, "unit_f1", OVER_DECLARED, scheme("au-12-affwild2"), "paper 3, Eq. 5")
_register(p_ce, "f1_macro", OVER_DECLARED, scheme("compound-7"), "paper 3, Eq. 6")
_register(p_emi, "pcc", ALL_SIX, scheme("mimicry-6"), "paper 3, Eq. 7")
