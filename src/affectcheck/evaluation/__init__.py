"""Evaluation: join tables, tally, score; by group, by part, with signatures and intervals."""

from affectcheck.evaluation.comparing import Compared, CompareOptions, compare
from affectcheck.evaluation.entrants import Entrant
from affectcheck.evaluation.frames import ScoredColumns, evaluate_frames, score_file
from affectcheck.evaluation.gold import gold_standard, rater_weights
from affectcheck.evaluation.items import ITEMS_FILE, Layout, ScoredItems
from affectcheck.evaluation.options import EvaluationOptions
from affectcheck.evaluation.raters_agreement import Agreement, AgreementOptions, agreement
from affectcheck.evaluation.result import Evaluation, ScoreView, scores_frame
from affectcheck.evaluation.run import chosen_metrics, evaluate

__all__ = [
    "ITEMS_FILE",
    "Agreement",
    "AgreementOptions",
    "CompareOptions",
    "Compared",
    "Entrant",
    "Evaluation",
    "EvaluationOptions",
    "Layout",
    "ScoreView",
    "ScoredColumns",
    "ScoredItems",
    "agreement",
    "chosen_metrics",
    "compare",
    "evaluate",
    "evaluate_frames",
    "gold_standard",
    "rater_weights",
    "score_file",
    "scores_frame",
]
