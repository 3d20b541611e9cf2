"""Reports: a run record as one HTML page, Markdown, JSON, JUnit XML, LaTeX tables and lines for the terminal. Nothing is scored here."""

from affectcheck.reports.behaviour_pages import SHOWN, ItemsShown, write_behaviour_pages
from affectcheck.reports.beside import FOLDER as BEHAVIOUR_FOLDER
from affectcheck.reports.beside import RUN
from affectcheck.reports.junit import render_junit
from affectcheck.reports.latex import render_latex
from affectcheck.reports.markdown import render_markdown
from affectcheck.reports.page import render_html
from affectcheck.reports.terminal import share_lines, summary_lines
from affectcheck.reports.versions import AS_IS, AS_RECORDED, CHANGED, REFERENCE
from affectcheck.reports.writing import FORMATS, render_json, write_report, write_table_of_runs

__all__ = [
    "AS_IS",
    "AS_RECORDED",
    "BEHAVIOUR_FOLDER",
    "CHANGED",
    "FORMATS",
    "REFERENCE",
    "RUN",
    "SHOWN",
    "ItemsShown",
    "render_html",
    "render_json",
    "render_junit",
    "render_latex",
    "render_markdown",
    "share_lines",
    "summary_lines",
    "write_behaviour_pages",
    "write_report",
    "write_table_of_runs",
]
