"""The claims by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from validity import compare_verb, comparing, pictures, repeated_frames, verdicts

if TYPE_CHECKING:
    from validity.claim import Claim

PARTS = (compare_verb, comparing, pictures, repeated_frames, verdicts)
CLAIMS: dict[str, Claim] = {claim.name: claim for part in PARTS for claim in part.CLAIMS}
