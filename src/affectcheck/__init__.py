"""affectcheck: measure models of human affect honestly."""

from affectcheck.version import __version__

__all__ = ["__version__"]
