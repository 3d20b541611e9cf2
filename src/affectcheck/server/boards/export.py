"""A board as a file, and everything of a track."""

from affectcheck.server.boards.whole import export_all
from affectcheck.server.boards.written import board_csv, board_json, board_latex, guarded

__all__ = ["board_csv", "board_json", "board_latex", "export_all", "guarded"]
