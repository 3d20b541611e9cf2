"""Challenges: tracks, submissions and how they are checked, scored and ranked."""

from affectcheck.challenges.ranking import Entry, Ranked, ranking

__all__ = ["Entry", "Ranked", "ranking"]
