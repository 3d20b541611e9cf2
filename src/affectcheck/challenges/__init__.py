"""Challenges: tracks, submissions and how they are checked, scored and ranked."""

from affectcheck.challenges.board_file import read_entries
from affectcheck.challenges.board_score import BoardOptions, score_for_board
from affectcheck.challenges.by_video import video_scores
from affectcheck.challenges.campaign import RankChange, RankChanges, ScoreChange, rank_changes
from affectcheck.challenges.catalogue import load_track, parse_track, track_names
from affectcheck.challenges.checking import Checked
from affectcheck.challenges.checking import check as check_submission
from affectcheck.challenges.declaration import (
    LONGEST_TEXTS,
    Declaration,
    DeclarationError,
    parse_declaration,
    read_declaration,
)
from affectcheck.challenges.fault_codes import CODES, fault_plain
from affectcheck.challenges.flags import Flag, constant_flags, duplicate_flags, flags_of, likeness, sketch
from affectcheck.challenges.intake import (
    ALWAYS,
    UPLOADS_A_DAY,
    Admission,
    Admitted,
    AlreadyThere,
    Change,
    Refused,
    Upload,
    admitted,
    next_change,
    open_phase,
)
from affectcheck.challenges.kept_labels import KeptLabels, keep_labels, load_kept, wanted_of_kept
from affectcheck.challenges.labels import read_labels
from affectcheck.challenges.limits import Limits
from affectcheck.challenges.public_names import confusable_key, is_reserved, parse_method, parse_name
from affectcheck.challenges.published_boards import PublishedBoard, board_names, higher_is_better, load_board
from affectcheck.challenges.ranking import Entry, Ranked, digits_apart, ranking
from affectcheck.challenges.result import SCORER, BoardScore, BoardValue, VideoScore
from affectcheck.challenges.scored_board import ScoredBoard, ScoredOptions, ScoredRow, scored_board
from affectcheck.challenges.scoring import ScoringOptions
from affectcheck.challenges.scoring import score as score_submission
from affectcheck.challenges.shares import PairDifference, RankInterval, differences, rank_intervals
from affectcheck.challenges.states import (
    ACTORS,
    EVENTS,
    HOLDS_SLOT,
    MOST_ATTEMPTS,
    RUNNING,
    STATES,
    TRANSITIONS,
    Actor,
    Event,
    MoveError,
    State,
    after_loss,
    events_of,
    free_slot,
    moved,
    slot_after,
)
from affectcheck.challenges.times import ANYWHERE, Told, moment_of, remaining, told, zone_of
from affectcheck.challenges.track import Track, plain
from affectcheck.challenges.wanted import Wanted, read_wanted, wanted_of, write_wanted

__all__ = [
    "ACTORS",
    "ALWAYS",
    "ANYWHERE",
    "CODES",
    "EVENTS",
    "HOLDS_SLOT",
    "LONGEST_TEXTS",
    "MOST_ATTEMPTS",
    "RUNNING",
    "SCORER",
    "STATES",
    "TRANSITIONS",
    "UPLOADS_A_DAY",
    "Actor",
    "Admission",
    "Admitted",
    "AlreadyThere",
    "BoardOptions",
    "BoardScore",
    "BoardValue",
    "Change",
    "Checked",
    "Declaration",
    "DeclarationError",
    "Entry",
    "Event",
    "Flag",
    "KeptLabels",
    "Limits",
    "MoveError",
    "PairDifference",
    "PublishedBoard",
    "RankChange",
    "RankChanges",
    "RankInterval",
    "Ranked",
    "Refused",
    "ScoreChange",
    "ScoredBoard",
    "ScoredOptions",
    "ScoredRow",
    "ScoringOptions",
    "State",
    "Told",
    "Track",
    "Upload",
    "VideoScore",
    "Wanted",
    "admitted",
    "after_loss",
    "board_names",
    "check_submission",
    "confusable_key",
    "constant_flags",
    "differences",
    "digits_apart",
    "duplicate_flags",
    "events_of",
    "fault_plain",
    "flags_of",
    "free_slot",
    "higher_is_better",
    "is_reserved",
    "keep_labels",
    "likeness",
    "load_board",
    "load_kept",
    "load_track",
    "moment_of",
    "moved",
    "next_change",
    "open_phase",
    "parse_declaration",
    "parse_method",
    "parse_name",
    "parse_track",
    "plain",
    "rank_changes",
    "rank_intervals",
    "ranking",
    "read_declaration",
    "read_entries",
    "read_labels",
    "read_wanted",
    "remaining",
    "score_for_board",
    "score_submission",
    "scored_board",
    "sketch",
    "slot_after",
    "told",
    "track_names",
    "video_scores",
    "wanted_of",
    "wanted_of_kept",
    "write_wanted",
    "zone_of",
]
