"""The claims by name."""

from __future__ import annotations

from validity import repeated_frames, verdicts
from validity.claim import Claim

CLAIMS: dict[str, Claim] = {claim.name: claim for part in (repeated_frames, verdicts) for claim in part.CLAIMS}
