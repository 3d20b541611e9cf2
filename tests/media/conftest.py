"""The WAV writer under its own name, whatever the import mode."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

if "waves" not in sys.modules:
    spec = importlib.util.spec_from_file_location("waves", Path(__file__).with_name("waves.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules["waves"] = module
    spec.loader.exec_module(module)
