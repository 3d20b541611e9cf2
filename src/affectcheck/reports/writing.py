"""Write a run's report to disk, in one format or several."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from affectcheck.atomic import write_text
from affectcheck.errors import UnknownNameError
from affectcheck.records import encode_run, strict_json
from affectcheck.reports.beside import pages_of
from affectcheck.reports.junit import render_junit
from affectcheck.reports.latex import render_latex
from affectcheck.reports.markdown import render_markdown
from affectcheck.reports.page import render_html

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from affectcheck.records import RunRecord

FORMATS: Final = ("html", "md", "json")
NAME: Final = "report"


def render_json(record: RunRecord) -> str:
    """The record itself as strict, indented JSON: the source of every other format."""
    return strict_json(encode_run(record), indent=1) + "\n"


_WRITERS: Final[dict[str, Callable[[RunRecord], str]]] = {
    "html": render_html,
    "md": render_markdown,
    "json": render_json,
    "xml": render_junit,
    "tex": render_latex,
}


def write_report(
    record: RunRecord, path: Path, *, formats: Sequence[str] | None = None, run: Path | None = None
) -> tuple[Path, ...]:
    """Write the report of a run.

    Args:
        record: the run; nothing else is read and no score is computed.
        path: a file whose suffix is a format (``report.html``), or a folder that takes ``report.html`` and so on.
        formats: of ``html``, ``md``, ``json``, ``xml`` (JUnit) and ``tex`` (a table for a paper). By default the path's suffix decides; a folder
            takes HTML, Markdown and JSON.
        run: the run's folder, whose pages on single tests an HTML report links to.

    Returns:
        The files written. Each is whole or not there; none is written unless all could be rendered.

    Raises:
        UnknownNameError: a format that there is not.
        ExtraMissingError: HTML without the extra ``report``.
    """
    path = Path(path)
    suffix = path.suffix.removeprefix(".")
    is_file = suffix in _WRITERS
    wanted = tuple(formats) if formats is not None else ((suffix,) if is_file else FORMATS)
    for name in wanted:
        if name not in _WRITERS:
            raise UnknownNameError.of("report format", name, _WRITERS)
    stem = path.with_suffix("") if is_file else path / NAME
    writers = _WRITERS | {"html": partial(render_html, beside=pages_of(record, run, stem.parent))}
    rendered = {stem.with_name(f"{stem.name}.{name}"): writers[name](record) for name in wanted}
    for file, text in rendered.items():
        write_text(file, text)
    return tuple(rendered)


def write_table_of_runs(records: Sequence[RunRecord], path: Path) -> Path:
    """Write one LaTeX table of several runs, one row a model.

    Args:
        records: runs of one kind of prediction.
        path: the file.

    Returns:
        The file written.

    Raises:
        InputError: the kinds of prediction differ, or two runs of one data set differ in more than the model.
    """
    text = render_latex(*records)
    write_text(Path(path), text)
    return Path(path)
