"""Steps as one line of text, such as ``smooth:mean,11|lag:5|offset:neutral=-0.2``, which parses both ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from affectcheck.errors import InputError
from affectcheck.predictions.steps.registry import STEPS
from affectcheck.predictions.steps.step import Step, Told

if TYPE_CHECKING:
    from collections.abc import Iterable

EXPECTED: Final = "NAME:WORD,KEY=VALUE|NAME:…, such as smooth:mean,11|lag:5|offset:neutral=-0.2"


def parse_steps(text: str) -> tuple[Step, ...]:
    """Read a line of steps, in the order in which they are done; an empty line is no steps.

    Raises:
        UnknownNameError: no such step.
        InputError: a word that the step does not take, or a parameter twice.

    Example:
        >>> [str(step) for step in parse_steps("smooth:mean,11 | lag:5")]
        ['smooth:mean,11', 'lag:5']
    """
    if not text.strip():
        return ()
    return tuple(_step(piece.strip(), text) for piece in text.split("|"))


def steps_text(steps: Iterable[Step]) -> str:
    """The canonical line of some steps; ``parse_steps`` reads it back."""
    return "|".join(str(step) for step in steps)


def rule_of(text: str) -> str:
    """What two models' steps may be compared by: of steps that were chosen on validation data, on which they were.

    What was found there is the model's own, as its weights are.

    Example:
        >>> rule_of("smooth:mean,11|lag:5,fitted=3f2a") == rule_of("smooth:mean,11|lag:8,fitted=3f2a")
        True
    """
    steps = parse_steps(text)
    return "|".join(f"{step.NAME}:fitted={step.fitted}" if step.fitted else str(step) for step in steps)


def _step(piece: str, text: str) -> Step:
    name, _, words = piece.partition(":")
    if not name:
        raise InputError(f"an empty step in {text!r}", expected=EXPECTED, cause="a bar too many")
    kind = STEPS.get(name.strip())
    plain: list[str] = []
    pairs: dict[str, str] = {}
    for word in (word.strip() for word in words.split(",") if words.strip()):
        key, equals, value = (part.strip() for part in word.partition("="))
        if not word or (equals and not (key and value)):
            raise InputError(f"the step {piece!r} has the word {word!r}", expected=EXPECTED)
        if key in pairs:
            raise InputError(f"the step {piece!r} gives {key!r} twice", expected="each parameter once")
        if equals:
            pairs[key] = value
        else:
            plain.append(word)
    return kind.read(Told(name.strip(), tuple(plain), pairs))
