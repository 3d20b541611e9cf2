"""Models: the protocol, loading by name, random and speech baselines, tables, Python code and fusion."""

from affectcheck.models.baseline import Baseline
from affectcheck.models.card import ModelCard, Output, Predictor
from affectcheck.models.chance import random_model
from affectcheck.models.feature_cache import FeatureCache
from affectcheck.models.fitting import FitOptions, fit
from affectcheck.models.fusion import RULES, Fusion, fuse
from affectcheck.models.options import Option, options_of
from affectcheck.models.python_model import CheckedModel, ModelRaisedError, PythonModel, python_model
from affectcheck.models.random_categorical import RandomCategorical
from affectcheck.models.random_gaussian import RandomGaussian
from affectcheck.models.registry import MODELS, ModelSpec, load_model
from affectcheck.models.speech_features import LEVELS, Level, feature_digest, feature_names, features, level_features
from affectcheck.models.table_model import TableColumns, TableModel, table_model

__all__ = [
    "LEVELS",
    "MODELS",
    "RULES",
    "Baseline",
    "CheckedModel",
    "FeatureCache",
    "FitOptions",
    "Fusion",
    "Level",
    "ModelCard",
    "ModelRaisedError",
    "ModelSpec",
    "Option",
    "Output",
    "Predictor",
    "PythonModel",
    "RandomCategorical",
    "RandomGaussian",
    "TableColumns",
    "TableModel",
    "feature_digest",
    "feature_names",
    "features",
    "fit",
    "fuse",
    "level_features",
    "load_model",
    "options_of",
    "python_model",
    "random_model",
    "table_model",
]
