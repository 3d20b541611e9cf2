"""Files on disk, formats, and what works without the extra."""

from __future__ import annotations

import builtins
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from affectcheck.errors import ExtraMissingError, UnknownNameError
from affectcheck.records import decode_run, run_digest
from affectcheck.reports import render_html, render_json, render_markdown, write_report

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType


def test_a_folder_takes_all_three(records: ModuleType, tmp_path: Path) -> None:
    paths = write_report(records.interrupted(), tmp_path / "run")
    assert [path.name for path in paths] == ["report.html", "report.md", "report.json"]
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == sorted(path.name for path in paths)


def test_a_suffix_decides(records: ModuleType, tmp_path: Path) -> None:
    assert write_report(records.interrupted(), tmp_path / "a.b.md") == (tmp_path / "a.b.md",)
    assert write_report(records.categories(), tmp_path / "junit.xml") == (tmp_path / "junit.xml",)


def test_formats_beside_a_file(records: ModuleType, tmp_path: Path) -> None:
    paths = write_report(records.interrupted(), tmp_path / "out.html", formats=("md", "json"))
    assert [path.name for path in paths] == ["out.md", "out.json"]


def test_unknown_format(records: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="unknown report format 'pdf'"):
        write_report(records.interrupted(), tmp_path, formats=("pdf",))


def test_json_is_the_record(records: ModuleType) -> None:
    record = records.categories()
    text = render_json(record)
    assert run_digest(decode_run(json.loads(text))) == run_digest(record)


@pytest.mark.parametrize("package", ["jinja2", "altair", "vl_convert"])
def test_html_names_the_missing_extra(
    records: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    from affectcheck.reports import page

    imported = builtins.__import__

    def refuse(name: str, *args: Any, **options: Any) -> Any:
        if name == package:
            raise ImportError(name)
        return imported(name, *args, **options)

    page._environment.cache_clear()
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ExtraMissingError, match="is not installed") as caught:
        render_html(records.categories())
    assert caught.value.expected == "pip install 'affectcheck[report]'"
    with pytest.raises(ExtraMissingError):
        write_report(records.categories(), tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert [path.name for path in write_report(records.categories(), tmp_path, formats=("md", "json"))]


def test_markdown_and_import_load_no_extra() -> None:
    script = (
        "import sys; from affectcheck.records import RunRecord, Header; from affectcheck.reports import render_markdown;"
        "render_markdown(RunRecord(Header())); print([m for m in ('jinja2', 'altair', 'vl_convert') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_nothing_is_written_by_markdown_alone(records: ModuleType) -> None:
    assert render_markdown(records.categories()) == render_markdown(records.categories())
