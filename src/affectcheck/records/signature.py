"""The signature of a score: everything that the number depends on, in one line that parses both ways."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from affectcheck.errors import InputError, SignatureMismatchError

#: Fields that may differ between two scores that are compared: they say which model, not how it was scored.
FREE_IN_COMPARISON = ("model",)
_ESCAPES = {"%": "%25", "|": "%7C", ":": "%3A", "\n": "%0A"}


@dataclass(frozen=True)
class Signature:
    """How a score was made. Fields are written in this order; an empty one is left out.

    Attributes:
        metric: registered name.
        convention: ``paper``, ``tables`` or ``upstream``.
        labels: the declared label set, joined by commas (or its count and digest where it is long).
        target: the target that was scored.
        undefined: the rule for undefined parts.
        options: what else the metric was told, as ``key=value`` joined by commas.
        mapping: label mapping between truth and prediction.
        missing: what was done with items without a prediction.
        thresholds: score from which a unit counts as present, by unit, and how it was chosen.
        steps: post-processing of the predictions before they were scored, in order.
        truth: what stands for the truth, where it is not one label an item: such as the votes of raters.
        groups: attribute by which the score is split, with its groups and a digest of who is in which.
        excluded: group values left out of it.
        data: name and digest of the data: items, labels and clusters.
        part: partition, or the scheme of cross-validation.
        n: items scored.
        clusters: the unit that is resampled, and how many of them the scored items belong to.
        resamples: number of resamples; the kind of interval and its level, where they are not the default.
        seed: seed of the resampling.
        model: name of the model.
        version: version of affectcheck.
    """

    metric: str
    convention: str = ""
    labels: str = ""
    target: str = ""
    undefined: str = ""
    options: str = ""
    mapping: str = ""
    missing: str = ""
    thresholds: str = ""
    steps: str = ""
    truth: str = ""
    groups: str = ""
    excluded: str = ""
    data: str = ""
    part: str = ""
    n: str = ""
    clusters: str = ""
    resamples: str = ""
    seed: str = ""
    model: str = ""
    version: str = ""

    def __str__(self) -> str:
        """One line: the metric, then ``field:value`` for every field that is set, separated by bars."""
        pairs = [(f.name, getattr(self, f.name)) for f in fields(self)[1:]]
        return "|".join([_escape(self.metric), *(f"{name}:{_escape(value)}" for name, value in pairs if value)])

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Read what ``str`` wrote.

        Raises:
            InputError: a field is unknown, repeated or has no colon.
        """
        metric, *rest = text.split("|")
        known = {f.name for f in fields(cls)[1:]}
        values: dict[str, str] = {}
        for piece in rest:
            name, colon, value = piece.partition(":")
            if not colon or name not in known or name in values:
                raise InputError(
                    f"not a signature: {piece!r} in {text!r}",
                    expected=f"metric|field:value|… with fields {', '.join(f.name for f in fields(cls)[1:])}",
                )
            values[name] = _unescape(value)
        return cls(_unescape(metric), **values)

    def differences(self, other: Signature) -> tuple[str, ...]:
        """Names of the fields that differ, bar those that may (the model)."""
        names = [f.name for f in fields(self) if f.name not in FREE_IN_COMPARISON]
        return tuple(name for name in names if getattr(self, name) != getattr(other, name))

    def require_comparable(self, other: Signature) -> None:
        """Raise unless the two scores differ in nothing but the model.

        Raises:
            SignatureMismatchError: names every field that differs, with both values.
        """
        names = self.differences(other)
        if names:
            shown = "; ".join(f"{n}: {getattr(self, n)!r} and {getattr(other, n)!r}" for n in names)
            raise SignatureMismatchError(
                f"the scores of {self.metric!r} may not be compared: {shown}",
                expected="signatures that differ in the model alone",
                cause="the runs used other data, labels, groups, seeds or versions",
            )

    def with_(self, **changes: str) -> Signature:
        """A copy with some fields changed."""
        return replace(self, **changes)


def _escape(value: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in value)


def _unescape(value: str) -> str:
    for plain, escaped in reversed(_ESCAPES.items()):
        value = value.replace(escaped, plain)
    return value
