"""affectcheck: measure models of human affect honestly.

Annotations → partition → predictions → tallies → scores → verdicts → report. The names below are loaded when they are
first used, so that ``import affectcheck`` stays light.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from affectcheck.version import __version__

if TYPE_CHECKING:
    from affectcheck.annotations import (
        AnnotationTable,
        RatingColumns,
        Settling,
        adjudicate,
        disagreements,
        make_table,
        read_ratings,
        read_table,
        settle,
        write_table,
    )
    from affectcheck.audits import AuditOptions, audit, compare_runs, save_audit
    from affectcheck.behaviour import SuiteOptions, load_suites
    from affectcheck.datasets import load_dataset
    from affectcheck.errors import AffectcheckError, InputError
    from affectcheck.evaluation import (
        Agreement,
        AgreementOptions,
        CompareOptions,
        Evaluation,
        EvaluationOptions,
        Votes,
        agreement,
        compare,
        evaluate,
        evaluate_frames,
        gold_standard,
        read_pilot,
        score_folder,
        tally_frame,
    )
    from affectcheck.media import Clip, Image, Item, decode_audio, decode_image
    from affectcheck.models import ModelCard, Predictor, fuse, load_model
    from affectcheck.partitions import (
        PartitionOptions,
        RankOptions,
        content_of,
        copies_of,
        load_manifest,
        published_statistics,
        rank_change_of_partitions,
        rank_change_of_scores,
        save_manifest,
    )
    from affectcheck.partitions.partition import partition
    from affectcheck.partitions.rank_change import rank_change
    from affectcheck.predictions import (
        PredictionTable,
        PredictOptions,
        predict,
        predict_sets,
        read_predictions,
        write_predictions,
    )
    from affectcheck.records import RunRecord, Score, Signature, Undefined, Verdict, load_run, save_run
    from affectcheck.reports import write_report
    from affectcheck.reports.partitions import write_partition_report
    from affectcheck.schemes import scheme
    from affectcheck.training import TrainOptions, cross_validate, train
    from affectcheck.uncertainty import Aim, DisparityAim, Study, check_plan, plan_disparity, plan_groups, plan_models

#: Room to the public names it gives.
_ROOMS = {
    "annotations": (
        "AnnotationTable",
        "RatingColumns",
        "Settling",
        "adjudicate",
        "disagreements",
        "make_table",
        "read_ratings",
        "read_table",
        "settle",
        "write_table",
    ),
    "audits": (
        "AuditOptions",
        "audit",
        "compare_runs",
        "save_audit",
    ),
    "behaviour": (
        "SuiteOptions",
        "load_suites",
    ),
    "datasets": ("load_dataset",),
    "errors": (
        "AffectcheckError",
        "InputError",
    ),
    "evaluation": (
        "Agreement",
        "AgreementOptions",
        "CompareOptions",
        "Evaluation",
        "EvaluationOptions",
        "Votes",
        "agreement",
        "compare",
        "evaluate",
        "evaluate_frames",
        "gold_standard",
        "read_pilot",
        "score_folder",
        "tally_frame",
    ),
    "media": (
        "Clip",
        "Image",
        "Item",
        "decode_audio",
        "decode_image",
    ),
    "models": (
        "ModelCard",
        "Predictor",
        "fuse",
        "load_model",
    ),
    "partitions": (
        "PartitionOptions",
        "RankOptions",
        "content_of",
        "copies_of",
        "load_manifest",
        "partition",
        "published_statistics",
        "rank_change",
        "rank_change_of_partitions",
        "rank_change_of_scores",
        "save_manifest",
    ),
    "predictions": (
        "PredictOptions",
        "PredictionTable",
        "predict",
        "predict_sets",
        "predict_sets",
        "read_predictions",
        "write_predictions",
    ),
    "records": (
        "RunRecord",
        "Score",
        "Signature",
        "Undefined",
        "Verdict",
        "load_run",
        "save_run",
    ),
    "reports": ("write_report",),
    "reports.partitions": ("write_partition_report",),
    "schemes": ("scheme",),
    "training": (
        "TrainOptions",
        "cross_validate",
        "train",
    ),
    "uncertainty": (
        "Aim",
        "DisparityAim",
        "Study",
        "check_plan",
        "plan_disparity",
        "plan_groups",
        "plan_models",
    ),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = [
    "AffectcheckError",
    "Agreement",
    "AgreementOptions",
    "Aim",
    "AnnotationTable",
    "AuditOptions",
    "Clip",
    "CompareOptions",
    "DisparityAim",
    "Evaluation",
    "EvaluationOptions",
    "Image",
    "InputError",
    "Item",
    "ModelCard",
    "PartitionOptions",
    "PredictOptions",
    "PredictionTable",
    "Predictor",
    "RankOptions",
    "RatingColumns",
    "RunRecord",
    "Score",
    "Settling",
    "Signature",
    "Study",
    "SuiteOptions",
    "TrainOptions",
    "Undefined",
    "Verdict",
    "Votes",
    "__version__",
    "adjudicate",
    "agreement",
    "audit",
    "check_plan",
    "compare",
    "compare_runs",
    "content_of",
    "copies_of",
    "cross_validate",
    "decode_audio",
    "decode_image",
    "disagreements",
    "evaluate",
    "evaluate_frames",
    "fuse",
    "gold_standard",
    "load_dataset",
    "load_manifest",
    "load_model",
    "load_run",
    "load_suites",
    "make_table",
    "partition",
    "plan_disparity",
    "plan_groups",
    "plan_models",
    "predict",
    "predict_sets",
    "published_statistics",
    "rank_change",
    "rank_change_of_partitions",
    "rank_change_of_scores",
    "read_pilot",
    "read_predictions",
    "read_ratings",
    "read_table",
    "save_audit",
    "save_manifest",
    "save_run",
    "scheme",
    "score_folder",
    "settle",
    "tally_frame",
    "train",
    "write_partition_report",
    "write_predictions",
    "write_report",
    "write_table",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its room, once."""
    if name not in _ROOM_OF:
        raise AttributeError(f"module 'affectcheck' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"affectcheck.{_ROOM_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return sorted(__all__)
