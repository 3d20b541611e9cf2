"""Every verb, metric, data set and behaviour test has its page, made from its own docstring or card."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from affectcheck.augmentations import AUGMENTATIONS, PICTURE_AUGMENTATIONS
from affectcheck.behaviour import definition_names
from affectcheck.cli.app import VERBS
from affectcheck.datasets import DATASETS
from affectcheck.metrics import METRICS
from affectcheck.models import MODELS
from affectcheck.schemes import scheme_names
from affectcheck.training import recipe_names

if TYPE_CHECKING:
    from types import ModuleType

DOCS = Path(__file__).resolve().parents[1] / "docs"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    generate = load(DOCS / "generate.py")
    generate.ROOT = tmp_path_factory.mktemp("reference")
    for make in ("commands", "metrics", "datasets", "suites", "models", "augmentations", "schemes", "python"):
        getattr(generate, make)()
    return generate.ROOT


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_verb_stands_in_the_command_page(pages: Path) -> None:
    text = (pages / "commands.md").read_text()
    assert all(f"\n## {verb}\n" in text for verb in VERBS)
    assert "### partition audit" in text
    assert "### metrics show" in text


def test_every_metric_has_a_page_with_formula_range_and_source(pages: Path) -> None:
    for name in METRICS.names():
        text = (pages / "metrics" / f"{name}.md").read_text()
        assert all(word in text for word in ("Range", "Undefined when", "Source")), name
        assert f"metrics/{name}.md" in (pages / "metrics.md").read_text()


def test_every_data_set_says_what_it_can_and_cannot_show(pages: Path) -> None:
    for name in DATASETS.names():
        text = (pages / "datasets" / f"{name}.md").read_text()
        assert "can show" in text, name
        assert "cannot show" in text, name


def test_every_behaviour_test_is_explained(pages: Path) -> None:
    for name in definition_names():
        assert len((pages / "suites" / f"{name}.md").read_text()) > 300, name


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("models.md", lambda: (*MODELS.names(), *recipe_names())),
        ("augmentations.md", AUGMENTATIONS.names),
        ("augmentations.md", PICTURE_AUGMENTATIONS.names),
        ("schemes.md", scheme_names),
    ],
)
def test_every_other_part_stands_on_its_page(pages: Path, page: str, names: object) -> None:
    text = (pages / page).read_text()
    assert all(name in text for name in names())  # type: ignore[operator]


def test_the_hand_written_pages_name_no_page_that_is_not_there(pages: Path) -> None:
    for page in DOCS.glob("*.md"):
        for link in [part.split(")")[0] for part in page.read_text().split("](")[1:]]:
            if link.endswith(".md") and not link.startswith(("http", "reference/")):
                assert (DOCS / link).is_file(), f"{page.name}: {link}"


@pytest.mark.slow
def test_every_perturbation_has_a_page_with_sounds_and_spectrograms(tmp_path: Path) -> None:
    for package in ("soundfile", "soxr", "PIL", "espeakng_loader"):
        pytest.importorskip(package)
    generate = load(DOCS / "generate.py")
    generate.ROOT = tmp_path
    generate.perturbations()
    folder = tmp_path / "perturbations"
    for name in AUGMENTATIONS.names():
        text = (folder / f"{name}.md").read_text()
        assert "../before.ogg" in text, name
        for file in (f"{name}-1.ogg", f"{name}-1.png"):
            assert file in text
            assert (folder / file).stat().st_size > 1_000
    assert "../suites/robustness-gain.md" in (folder / "gain.md").read_text()


@pytest.mark.slow
def test_every_perturbation_of_pictures_has_a_page_with_pictures_before_and_after_at_every_level(
    tmp_path: Path,
) -> None:
    for package in ("cv2", "av", "PIL"):
        pytest.importorskip(package)
    generate = load(DOCS / "generate.py")
    generate.ROOT = tmp_path
    generate.picture_perturbations()
    folder = tmp_path / "perturbations"
    seen = {(folder / "faces.png").read_bytes()}
    for name, kind in PICTURE_AUGMENTATIONS.items():
        text = (folder / f"{name}.md").read_text()
        assert "](faces.png)" in text, name
        stated = getattr(kind, kind.LEVELS) if hasattr(kind, "LEVELS") else None  # type: ignore[attr-defined]
        levels = stated if isinstance(stated, tuple) else (stated,)
        for number, level in enumerate(levels, 1):
            assert f"]({name}-{number}.png)" in text
            picture = (folder / f"{name}-{number}.png").read_bytes()
            assert picture not in seen, f"{name} at {level} looks like another one"
            seen.add(picture)
            assert level is None or f"## After: `{kind.LEVELS}` {level:g}" in text  # type: ignore[attr-defined]


def test_tables_scroll_by_themselves_on_narrow_screens() -> None:
    assert "extra_css:\n  - narrow.css\n" in (DOCS.parent / "mkdocs.yml").read_text()
    table = (DOCS / "narrow.css").read_text().partition("table {")[2].partition("}")[0]
    assert "overflow-x: auto" in table
