"""What the pages of all perturbations say in words, of sound or of pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affectcheck.behaviour import load_suite, suite_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def described(text: str) -> str:
    """A docstring, its attributes as a list."""
    lines = []
    for line in text.splitlines():
        stripped = line.strip()
        name, colon, rest = stripped.partition(": ")
        is_attribute = line.startswith("    ") and not line.startswith("     ") and colon and " " not in name
        lines += ["**Parameters**", ""] if stripped == "Attributes:" else []
        lines += [f"- `{name}`: {rest}"] if is_attribute else [stripped] if stripped != "Attributes:" else []
    return "\n".join(lines)


def used_by(name: str) -> list[str]:
    """The tests that take the perturbation, as links to their pages."""
    tests = [
        one
        for suite in suite_names()
        for one in load_suite(suite)
        if one.perturbation and one.perturbation.augmentation == name
    ]
    links = (f"[{one.name}](../suites/{one.name}.md)" for one in tests)
    return [f"**Used by** {', '.join(links)}."] if tests else []


def drawn_words(drawn: Mapping[str, float | str]) -> Iterable[tuple[str, str]]:
    """What was drawn for an example, name and value."""
    for key, value in drawn.items():
        yield key.replace("_", " "), value if isinstance(value, str) else f"{value:.4g}"
