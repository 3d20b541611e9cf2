"""Models: the protocol, loading by name, random models, baselines of speech and faces, tables, Python code, fusion."""

from affectcheck.models.baseline import Baseline
from affectcheck.models.card import ModelCard, Output, Predictor
from affectcheck.models.chance import random_model
from affectcheck.models.face_features import face_crop, face_feature_digest, face_feature_names, face_features
from affectcheck.models.feature_cache import FeatureCache
from affectcheck.models.feature_sets import FEATURE_SETS, FeatureSet, FeatureSetName, feature_set
from affectcheck.models.fitting import FitOptions, fit
from affectcheck.models.fusion import RULES, Fusion, fuse
from affectcheck.models.handing import png_bytes
from affectcheck.models.options import Option, options_of
from affectcheck.models.preparing import Prepares, prepared
from affectcheck.models.python_model import CheckedModel, ModelRaisedError, PythonModel, python_model
from affectcheck.models.random_categorical import RandomCategorical
from affectcheck.models.random_gaussian import RandomGaussian
from affectcheck.models.random_units import RandomUnits
from affectcheck.models.registry import MODELS, ModelSpec, load_model
from affectcheck.models.speech_features import LEVELS, Level, feature_digest, feature_names, features, level_features
from affectcheck.models.table_model import TableColumns, TableModel, table_model
from affectcheck.models.trying import Trial, known_picture, try_picture

__all__ = [
    "FEATURE_SETS",
    "LEVELS",
    "MODELS",
    "RULES",
    "Baseline",
    "CheckedModel",
    "FeatureCache",
    "FeatureSet",
    "FeatureSetName",
    "FitOptions",
    "Fusion",
    "Level",
    "ModelCard",
    "ModelRaisedError",
    "ModelSpec",
    "Option",
    "Output",
    "Predictor",
    "Prepares",
    "PythonModel",
    "RandomCategorical",
    "RandomGaussian",
    "RandomUnits",
    "TableColumns",
    "TableModel",
    "Trial",
    "face_crop",
    "face_feature_digest",
    "face_feature_names",
    "face_features",
    "feature_digest",
    "feature_names",
    "feature_set",
    "features",
    "fit",
    "fuse",
    "known_picture",
    "level_features",
    "load_model",
    "options_of",
    "png_bytes",
    "prepared",
    "python_model",
    "random_model",
    "table_model",
    "try_picture",
]
