"""Case A28: what is undefined is null with its reason in JSON, a word in text, never NaN and never 0; names stay as they are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from affectcheck.cli.app import run

if TYPE_CHECKING:
    from pathlib import Path

    Printed = pytest.CaptureFixture[str]

NAMES = ("BaNaNa-Infinity-v2", "score NaN means none", "-Infinity")


def strict(text: str) -> Any:
    """JSON, read by a parser that takes no constant that JSON does not have."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    return json.loads(text, parse_constant=refuse)


def ranked(rows: list[dict[str, object]], tmp_path: Path, capsys: Printed) -> Any:
    (tmp_path / "rows.json").write_text(json.dumps(rows), encoding="utf-8")
    assert run(["challenge", "rank", str(tmp_path / "rows.json"), "--json"]) == 0
    return strict(capsys.readouterr().out)


def test_scores_that_are_none_are_null_with_a_reason(tmp_path: Path, capsys: Printed) -> None:
    values = (float("nan"), float("inf"), float("-inf"))
    rows = [{"team": team, "score": value} for team, value in zip(NAMES, values, strict=True)]
    found = ranked([*rows, {"team": "Nan", "score": 0.5}], tmp_path, capsys)
    assert [(row["team"], row["place"], row["score"]) for row in found] == [
        ("Nan", 1, 0.5),
        *((team, None, None) for team in sorted(NAMES)),
    ]
    assert all("ranks nowhere" in row["reason"] for row in found[1:])
    assert run(["challenge", "rank", str(tmp_path / "rows.json")]) == 0
    told = capsys.readouterr().out
    assert all(name in told for name in NAMES)
    assert "0.000" not in told


@pytest.mark.shared
def test_the_collected_case(cases: Path, tmp_path: Path, capsys: Printed) -> None:
    told = json.loads((cases / "A28_results.json").read_text(encoding="utf-8"))
    expected = json.loads((cases / "A28.json").read_text(encoding="utf-8"))["expected"]
    rows = [{"team": f"{told['model']} {key}", "score": told[key]} for key in ("ccc", "ratio", "low", "f1")]
    found = {
        row["team"]: row["score"] for row in ranked([*rows, {"team": told["note"], "score": 0.1}], tmp_path, capsys)
    }
    assert found == {
        **{f"{expected['model']} {key}": expected[key] for key in ("ccc", "ratio", "low", "f1")},
        "score NaN means none": 0.1,
    }


def test_a_score_that_is_undefined(tmp_path: Path, capsys: Printed) -> None:
    """A constant prediction has no correlation with anything."""
    head = "Filename,Admiration,Amusement,Determination,Empathic Pain,Excitement,Joy\n"
    (tmp_path / "labels.csv").write_text(
        head + "".join(f"{n},{','.join([f'0.{n}'] * 6)}\n" for n in range(1, 9)), encoding="utf-8"
    )
    (tmp_path / "NaN-model.csv").write_text(
        head + "".join(f"{n},{','.join(['0.5'] * 6)}\n" for n in range(1, 9)), encoding="utf-8"
    )
    words = [
        "challenge",
        "score",
        str(tmp_path / "NaN-model.csv"),
        "-t",
        "abaw6-emi",
        "-l",
        str(tmp_path / "labels.csv"),
    ]
    assert run([*words, "--resamples", "0", "--json"]) == 0
    found = strict(capsys.readouterr().out)
    assert found["score"].get("value") is None
    assert "constant" in found["score"]["reason"]
    assert run([*words, "--resamples", "0"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("p_emi = undefined: ")
    assert "= 0.0" not in told


def test_names_of_ones_own_on_a_board(capsys: Printed) -> None:
    assert run(["board", "raf-db", "--own", f"{NAMES[0]}=0.5", "--own", f"{NAMES[1]}=0.6", "--json"]) == 0
    found = strict(capsys.readouterr().out)
    assert {row["model"] for row in found["rows"] if row["own"]} == set(NAMES[:2])


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
def test_a_value_of_ones_own_is_a_number(value: str, capsys: Printed) -> None:
    assert run(["board", "raf-db", "--own", f"mine={value}"]) == 2
    assert "NAME=VALUE, a fraction" in capsys.readouterr().err
