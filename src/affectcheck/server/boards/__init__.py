"""Boards: made from evaluations alone, shown as far as the organiser lets them be seen, and given out as files."""
