"""Tables for papers: the scores of one or several runs as LaTeX, in the layout of paper 1, Tables IV to VII."""

from affectcheck.reports.latex.rendering import render_latex

__all__ = ["render_latex"]
