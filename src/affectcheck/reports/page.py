"""One self-contained HTML page: no script, no request, readable from disk."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from affectcheck.errors import ExtraMissingError
from affectcheck.reports import curves
from affectcheck.reports.drawing import draw
from affectcheck.reports.outline import outline

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from affectcheck.records import RunRecord
    from affectcheck.reports.beside import Beside
    from affectcheck.reports.charts import Chart
    from affectcheck.reports.document import Document

TEMPLATE: Final = "report.html.j2"
STYLE: Final = "report.css"
#: Shape and word of each state: colour is never alone.
BADGES: Final = {
    "passed": ("\N{CHECK MARK}", "pass"),
    "failed": ("\N{MULTIPLICATION X}", "fail"),
    "inconclusive": ("?", "inconclusive"),
    "not applicable": ("\N{EN DASH}", "not applicable"),
}


def render_html(record: RunRecord, beside: Sequence[Beside] = ()) -> str:
    """The report of a run as one HTML page; the same record beside the same pages gives the same bytes.

    Args:
        record: the run.
        beside: pages that it links to.

    Raises:
        ExtraMissingError: the packages of the extra ``report`` are not installed.
    """
    return render_page(outline(record, beside))


def render_page(doc: Document) -> str:
    """A document as one HTML page.

    Raises:
        ExtraMissingError: the packages of the extra ``report`` are not installed.
    """
    return str(_environment().get_template(TEMPLATE).render(doc=doc, label=_Labels()))


def environment(*packages: str) -> Any:
    """Templates of packages, in which every text is escaped and a name that is not there is an error.

    Args:
        packages: those with a folder ``templates``; of two files of one name the first counts.

    Raises:
        ExtraMissingError: the packages of the extra ``report`` are not installed.
    """
    jinja = _load()
    return jinja.Environment(
        loader=jinja.ChoiceLoader([jinja.PackageLoader(package, "templates") for package in packages]),
        autoescape=True,  # names of teams, models, classes and files come from strangers
        undefined=jinja.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _environment() -> Any:
    found = environment("affectcheck.reports")
    style = files("affectcheck.reports").joinpath("templates", STYLE).read_text(encoding="utf-8")
    found.globals.update(draw=_drawn, style=_markup(style), badges=BADGES)
    found.filters["block"] = lambda block: type(block).__name__
    return found


def _load() -> ModuleType:
    try:
        import jinja2  # noqa: PLC0415  # an optional package
    except ImportError as error:
        raise ExtraMissingError.of("the HTML report", "report", "jinja2") from error
    return jinja2


def _markup(text: str) -> Any:
    from markupsafe import Markup  # noqa: PLC0415  # comes with jinja2

    return Markup(text)  # noqa: S704  # our own style sheet and drawings, whose texts are escaped


#: Drawings are registered by being imported.
_DRAWINGS: Final = (curves,)


def _drawn(chart: Chart) -> list[Any]:
    return [_markup(svg) for svg in draw(chart)]


class _Labels:
    """Labels of regions, each used once: a second of the same name is numbered."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def __call__(self, text: str) -> str:
        count = self._seen[text] = self._seen.get(text, 0) + 1
        return text if count == 1 else f"{text} ({count})"
