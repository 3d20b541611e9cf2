"""The portal of challenges: uploads, boards and hidden labels, served to browsers and programs."""

from affectcheck.server.portal import Portal
from affectcheck.server.settings import Settings, with_environment

__all__ = ["Portal", "Settings", "with_environment"]
