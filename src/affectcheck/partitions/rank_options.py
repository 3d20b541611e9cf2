"""How two rankings of the same models are compared."""

from __future__ import annotations

from dataclasses import dataclass

from affectcheck.errors import InputError


@dataclass(frozen=True)
class RankOptions:
    """How two rankings are compared.

    Attributes:
        metric: by which models are ranked; empty for the headline metric of the kind of prediction.
        names: what the two test sets are called.
        resamples: of the clusters of each test set; 0 gives no interval and no probabilities of a swap.
        draws: subsets of each size, for the stability against the size of the test set; 0 for none.
        seed: of all draws.
        level: nominal coverage of the intervals, a fraction.
    """

    metric: str = ""
    names: tuple[str, str] = ("a", "b")
    resamples: int = 1000
    draws: int = 200
    seed: int = 0
    level: float = 0.95

    def __post_init__(self) -> None:
        """Counts are not negative, the two names differ."""
        if len(set(self.names)) != 2 or not all(self.names):
            raise InputError(f"test sets called {' and '.join(self.names)}", expected="two names that differ")
        if self.resamples < 0 or self.draws < 0 or not 0.0 < self.level < 1.0:
            raise InputError(
                f"resamples {self.resamples}, draws {self.draws}, level {self.level}",
                expected="counts of 0 or more and a level between 0 and 1",
            )
