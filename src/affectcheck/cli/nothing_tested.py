"""A run in which no test applied must not pass for one in which all passed: it exits with 0 all the same."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.records import Verdict


def nothing_tested(verdicts: Sequence[Verdict]) -> str:
    """What is to be said where tests were asked for and none applied, with the most frequent reason; else empty."""
    if not verdicts or any(one.status != "not applicable" for one in verdicts):
        return ""
    ((reason, _),) = Counter(one.reason for one in verdicts).most_common(1)
    tests = len({one.test for one in verdicts})
    told = "the test does not apply" if tests == 1 else f"none of the {tests} tests applies"
    return f"warning: nothing was tested, {told}: {reason}"
