"""Evaluation: join tables, tally, score; by group, by part, with signatures and intervals."""

from affectcheck.evaluation.cells import tally_frame
from affectcheck.evaluation.choosing import chosen_metrics
from affectcheck.evaluation.choosing_steps import ChosenSteps, choose_steps
from affectcheck.evaluation.comparing import Compared, CompareOptions, compare
from affectcheck.evaluation.entrants import Entrant
from affectcheck.evaluation.frames import evaluate_frames, file_thresholds, frame_thresholds, score_file
from affectcheck.evaluation.gold import gold_standard, rater_weights
from affectcheck.evaluation.items import ITEMS_FILE, Layout, ScoredItems
from affectcheck.evaluation.options import EvaluationOptions
from affectcheck.evaluation.pilot import Pilot, PilotColumns, agreement_of, read_pilot
from affectcheck.evaluation.raters_agreement import Agreement, AgreementOptions, agreement
from affectcheck.evaluation.result import Evaluation, ScoreView, scores_frame
from affectcheck.evaluation.run import evaluate
from affectcheck.evaluation.scored_columns import ScoredColumns
from affectcheck.evaluation.streaming import score_folder
from affectcheck.evaluation.tallied import Tallied
from affectcheck.evaluation.thresholds import Thresholds, choose_thresholds
from affectcheck.evaluation.voted import Votes, read_votes

__all__ = [
    "ITEMS_FILE",
    "Agreement",
    "AgreementOptions",
    "ChosenSteps",
    "CompareOptions",
    "Compared",
    "Entrant",
    "Evaluation",
    "EvaluationOptions",
    "Layout",
    "Pilot",
    "PilotColumns",
    "ScoreView",
    "ScoredColumns",
    "ScoredItems",
    "Tallied",
    "Thresholds",
    "Votes",
    "agreement",
    "agreement_of",
    "choose_steps",
    "choose_thresholds",
    "chosen_metrics",
    "compare",
    "evaluate",
    "evaluate_frames",
    "file_thresholds",
    "frame_thresholds",
    "gold_standard",
    "rater_weights",
    "read_pilot",
    "read_votes",
    "score_file",
    "score_folder",
    "scores_frame",
    "tally_frame",
]
