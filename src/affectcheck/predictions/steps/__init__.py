"""Steps between a model's predictions and their scores: smoothing, delay, offsets, scale; declared, in order, signed."""

from affectcheck.predictions.steps.applying import Stepped, apply_steps
from affectcheck.predictions.steps.clip import Clip
from affectcheck.predictions.steps.lag import Lag
from affectcheck.predictions.steps.offset import Offset
from affectcheck.predictions.steps.registry import STEPS
from affectcheck.predictions.steps.scale import Line, Scale, fit_scale
from affectcheck.predictions.steps.sigmoid import Sigmoid
from affectcheck.predictions.steps.smooth import Smooth
from affectcheck.predictions.steps.softmax import Softmax
from affectcheck.predictions.steps.step import Step
from affectcheck.predictions.steps.text import parse_steps, rule_of, steps_text

__all__ = [
    "STEPS",
    "Clip",
    "Lag",
    "Line",
    "Offset",
    "Scale",
    "Sigmoid",
    "Smooth",
    "Softmax",
    "Step",
    "Stepped",
    "apply_steps",
    "fit_scale",
    "parse_steps",
    "rule_of",
    "steps_text",
]
