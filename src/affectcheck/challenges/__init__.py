"""Challenges: tracks, submissions and how they are checked, scored and ranked."""

from affectcheck.challenges.board_file import read_entries
from affectcheck.challenges.by_video import video_scores
from affectcheck.challenges.catalogue import load_track, parse_track, track_names
from affectcheck.challenges.checking import Checked
from affectcheck.challenges.checking import check as check_submission
from affectcheck.challenges.labels import read_labels
from affectcheck.challenges.limits import Limits
from affectcheck.challenges.published_boards import PublishedBoard, board_names, higher_is_better, load_board
from affectcheck.challenges.ranking import Entry, Ranked, digits_apart, ranking
from affectcheck.challenges.scoring import ScoringOptions
from affectcheck.challenges.scoring import score as score_submission
from affectcheck.challenges.track import Track, plain
from affectcheck.challenges.wanted import Wanted, read_wanted, wanted_of

__all__ = [
    "Checked",
    "Entry",
    "Limits",
    "PublishedBoard",
    "Ranked",
    "ScoringOptions",
    "Track",
    "Wanted",
    "board_names",
    "check_submission",
    "digits_apart",
    "higher_is_better",
    "load_board",
    "load_track",
    "parse_track",
    "plain",
    "ranking",
    "read_entries",
    "read_labels",
    "read_wanted",
    "score_submission",
    "track_names",
    "video_scores",
    "wanted_of",
]
