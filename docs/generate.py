"""Write the reference pages from the parts' own docstrings and cards, so that no page can disagree with the code."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import subprocess
import sys
from dataclasses import asdict
from inspect import getdoc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import affectcheck
from affectcheck.augmentations import AUGMENTATIONS, PICTURE_AUGMENTATIONS
from affectcheck.behaviour import explain, load_suite, suite_names
from affectcheck.cli.app import VERBS, run
from affectcheck.cli.metrics import plain
from affectcheck.cli.models import known_models
from affectcheck.datasets import DATASETS
from affectcheck.metrics import METRICS
from affectcheck.models import MODELS, options_of
from affectcheck.schemes import parts, scheme, scheme_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from affectcheck.registry import Registry

ROOT = Path(__file__).parent / "reference"
SECTIONS = ("Args:", "Attributes:", "Returns:", "Raises:", "Yields:", "Example:")
#: A line that begins an argument, attribute or error: one level in, a name, a colon.
ARGUMENT = re.compile(r"^ {4}\*{0,2}[A-Za-z_]\w*(, \w+)*: ")


def write(name: str, *blocks: str) -> None:
    """Write one page."""
    path = ROOT / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join(block.strip("\n") for block in blocks) + "\n", encoding="utf-8")


def table(head: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    """A Markdown table; bars in cells are escaped."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    cells = [[str(cell).replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in cells])


def help_of(*words: str) -> str:
    """What ``--help`` prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        run([*words, "--help"])
    return out.getvalue().rstrip()


def commands() -> None:
    """A page with the help of every verb."""
    blocks = ["# Command line", f"```text\n{help_of()}\n```"]
    for verb in VERBS:
        blocks += [f"## {verb}", f"```text\n{help_of(verb)}\n```"]
        for word in subverbs(verb):
            blocks += [f"### {verb} {word}", f"```text\n{help_of(verb, word)}\n```"]
    write("commands.md", *blocks)


def subverbs(verb: str) -> list[str]:
    """Names below a noun, from its help."""
    lines = help_of(verb).splitlines()
    if "Commands:" not in lines:
        return []
    rest = lines[lines.index("Commands:") + 1 :]
    return [line.split()[0] for line in rest if line.startswith("  ") and not line.startswith("   ")]


def metrics() -> None:
    """An index, and a page a metric."""
    rows = []
    for name, metric in METRICS.items():
        rows.append(
            (f"[{name}](metrics/{name}.md)", metric.title, metric.kind, metric.level, plain(metric)["direction"])
        )
        write(
            f"metrics/{name}.md",
            f"# {metric.title}",
            f"`{name}` · {metric.kind} · level {metric.level} · conventions: {', '.join(metric.conventions)}",
            indent_free(getdoc(metric.compute) or ""),
            f"**Source.** {metric.source}",
        )
    write("metrics.md", "# Metrics", table(("metric", "title", "kind", "level", "better"), rows))


def indent_free(text: str) -> str:
    """Docstring sections as Markdown: section heads bold, arguments a list, examples code."""
    lines: list[str] = []
    code = False
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith((">>>", "...")) and not code:
            lines.append("```python")
            code = True
        elif code and not stripped:
            lines.append("```")
            code = False
        if not code and stripped in SECTIONS:
            lines += [f"**{stripped}**", ""]
        elif not code and ARGUMENT.match(line):
            name, _, rest = stripped.partition(": ")
            lines.append(f"- `{name}`: {rest}")
        else:
            lines.append(stripped)
    return "\n".join([*lines, "```"] if code else lines)


def datasets() -> None:
    """An index, and a page a data set."""
    rows = []
    for name, found in DATASETS.items():
        card = found.card
        rows.append((f"[{name}](datasets/{name}.md)", card.title, card.items or "", card.speakers or "", card.licence))
        facts = [(k.replace("_", " "), v) for k, v in asdict(card).items() if isinstance(v, str | int) and v]
        labels = [(t.name, t.scheme.kind, ", ".join(parts(t.scheme))) for t in card.targets]
        options = [(o.name, o.description, o.default) for o in card.options]
        write(
            f"datasets/{name}.md",
            f"# {card.title}",
            table(("field", "value"), facts),
            "## Labels" if labels else "",
            table(("target", "kind", "labels"), labels) if labels else "",
            "## Options" if options else "",
            table(("option", "what it changes", "default"), options) if options else "",
            "## Notes" if card.notes else "",
            "\n".join(f"- {note}" for note in card.notes),
        )
    write("datasets.md", "# Data sets", table(("data set", "title", "items", "subjects", "licence"), rows))


def suites() -> None:
    """An index, and a page a behaviour test."""
    rows = []
    for suite in suite_names():
        for test in load_suite(suite):
            rows.append((suite, f"[{test.name}](suites/{test.name}.md)", test.title, test.source))
            write(f"suites/{test.name}.md", f"# {test.title}", f"```text\n{explain(test)}\n```")
    write("suites.md", "# Behaviour tests", table(("suite", "test", "title", "source"), rows))


def models() -> None:
    """One page of recipes and adapters."""
    rows = [(m["name"], m["use"], m["summary"]) for m in known_models()]
    parts = ["# Models", table(("model", "use", "what it is"), rows)]
    for name in MODELS.names():
        told = [(f"`{one.name}`", one.needed, one.default, one.meaning) for one in options_of(name)]
        parts += [f"## Options of {name}", table(("option", "needed", "default", "meaning"), told)]
    write("models.md", *parts)


def augmentations() -> None:
    """One page of perturbations, each with a link to its page with sounds or pictures."""
    blocks = ["# Augmentations", "Of [sound](#sound) and of [pictures](#pictures).", "## Sound"]
    blocks += augmented(AUGMENTATIONS, "Hear it, and see its spectrogram")
    blocks += ["## Pictures", *augmented(PICTURE_AUGMENTATIONS, "See it at every level")]
    write("augmentations.md", *blocks)


def augmented(registry: Registry[Callable[..., Any]], told: str) -> Iterator[str]:
    """Every perturbation of a registry."""
    for name, found in registry.items():
        yield from (f"### {name}", indent_free(getdoc(found) or ""), f"[{told}](perturbations/{name}.md)")


def perturbations() -> None:
    """A page a perturbation of sound; in a process of its own, because eSpeak NG sets the locale of its process."""
    pages_of("perturbations.py")


def picture_perturbations() -> None:
    """A page a perturbation of pictures."""
    pages_of("picture_perturbations.py")


def pages_of(script: str) -> None:
    """The pages of perturbations that a script beside this one writes."""
    path = Path(__file__).with_name(script)
    subprocess.run([sys.executable, str(path), str(ROOT / "perturbations")], check=True)


def schemes() -> None:
    """One page of label schemes."""
    found = [scheme(name) for name in scheme_names()]
    rows = [(s.name, s.kind, ", ".join(parts(s)), s.source) for s in found]
    write("schemes.md", "# Label schemes", table(("scheme", "kind", "labels", "source"), rows))


def python() -> None:
    """One page of the public names."""
    blocks = ["# Python", "```python\nimport affectcheck as ac\n```"]
    for name in sorted(affectcheck.__all__):
        thing = getattr(affectcheck, name)
        blocks += [f"## ac.{name}", indent_free(getdoc(thing) or "") if not isinstance(thing, str) else ""]
    write("python.md", *blocks)


if __name__ == "__main__":
    shutil.rmtree(ROOT, ignore_errors=True)
    for make in (commands, metrics, datasets, suites, models, augmentations, schemes, python):
        make()
    perturbations()
    picture_perturbations()
