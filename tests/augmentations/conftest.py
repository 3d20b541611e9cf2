"""Recorded sounds for every role."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from recorded_sounds import write_sounds

if TYPE_CHECKING:
    from affectcheck.augmentations import Sounds


@pytest.fixture(scope="session")
def sounds(tmp_path_factory: pytest.TempPathFactory) -> Sounds:
    """Three recordings for every role; never written to by a test."""
    return write_sounds(tmp_path_factory.mktemp("sounds"))
