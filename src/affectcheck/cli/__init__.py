"""The command line: one file a verb, each a thin door to a room's Python function."""

from affectcheck.cli.app import main

__all__ = ["main"]
