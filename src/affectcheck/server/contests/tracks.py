"""Tracks of events: everything that is done with one, by the names that others use."""

from affectcheck.server.contests.baselines import KeptBaseline, add_baseline, baselines_of, remove_baseline
from affectcheck.server.contests.contest import Contest, contest_by_id, contest_of, contests_of, raise_version
from affectcheck.server.contests.files import receive_items, receive_pack
from affectcheck.server.contests.making import archive_contest, create_contest, edit_settings, publish_contest
from affectcheck.server.contests.phases import close_phase, edit_phases, open_phase

__all__ = [
    "Contest",
    "KeptBaseline",
    "add_baseline",
    "archive_contest",
    "baselines_of",
    "close_phase",
    "contest_by_id",
    "contest_of",
    "contests_of",
    "create_contest",
    "edit_phases",
    "edit_settings",
    "open_phase",
    "publish_contest",
    "raise_version",
    "receive_items",
    "receive_pack",
    "remove_baseline",
]
