"""The behaviour tests of an audit: which, with which sounds, and what a record says of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affectcheck import behaviour
from affectcheck.audits.scoring import predict_options
from affectcheck.augmentations import read_sounds

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.audits.options import AuditOptions
    from affectcheck.augmentations import Sounds


def definitions_of(options: AuditOptions) -> tuple[behaviour.Definition, ...]:
    """The tests that an audit runs.

    Raises:
        UnknownNameError: a suite, test, pattern or metric is not known.
    """
    if not options.suites:
        return ()
    return behaviour.select(behaviour.load_suites(options.suites), options.tests, options.only)


def suite_options(
    options: AuditOptions, sounds: Sounds | None, update: Callable[[int, int], None] | None = None
) -> behaviour.SuiteOptions:
    """The audit's options, as behaviour tests take them."""
    return behaviour.SuiteOptions(
        mode=options.mode,
        target=options.target,
        seed=options.seed,
        resamples=options.resamples,
        reruns=options.reruns,
        sounds=sounds,
        predict=predict_options(options, update),
    )


def sounds_of(options: AuditOptions) -> Sounds | None:
    """The noises, voices and rooms that were named.

    Raises:
        InputError: a folder or file of them cannot be read.
    """
    found = None
    for spec in options.sounds:
        read = read_sounds(spec)
        found = read if found is None else found + read
    return found


def suite_values(plan: behaviour.Plan | None, options: AuditOptions, sounds: Sounds | None) -> dict[str, Any]:
    """What a header says of the tests."""
    if plan is None:
        return {}
    tests = [{"name": t.definition.name, "applies": t.applies, "reason": t.reason} for t in plan.tests]
    values: dict[str, Any] = {"suites": list(options.suites), "mode": options.mode, "tests": tests}
    if sounds is not None:
        values["sounds"] = {
            role: {"name": one.name, "files": len(one.sounds), "digest": one.digest}
            for role, one in sounds.by_role.items()
        }
    return values
