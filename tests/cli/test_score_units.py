"""``affectcheck score`` of action units, and its options of files, thresholds and intervals."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from affectcheck.cli.app import run

if TYPE_CHECKING:
    from pathlib import Path

UNITS = ("AU1", "AU12")


def write(path: Path, *, items: int = 60, seed: int = 0, delimiter: str = ",", prefix: str = "p_") -> str:
    """A file of both sides: 12 subjects, two groups, a few cells of 999."""
    random = np.random.default_rng(seed)
    rows = [["item", "subject", "sex", "age", *UNITS, *(f"{prefix}{unit}" for unit in UNITS)]]
    for n in range(items):
        truth = random.integers(0, 2, 2)
        chances = np.clip(0.35 + truth * 0.3 + random.normal(0, 0.15, 2), 0, 1).round(3)
        cells = [999 if random.random() < 0.05 else int(value) for value in truth]
        rows.append([f"f{n}", f"s{n % 12}", "fm"[n % 2], ("20-29", "30-39")[n // 30], *cells, *chances.tolist()])
    path.write_text("\n".join(delimiter.join(map(str, row)) for row in rows) + "\n")
    return str(path)


def scores(capsys: pytest.CaptureFixture[str], *words: str) -> dict[tuple[str, str, str, str], dict[str, Any]]:
    capsys.readouterr()
    assert run(["score", *words, "--json"]) == 0, capsys.readouterr().err
    found = json.loads(capsys.readouterr().out)["scores"]
    return {(s["metric"], *(s["place"][key] for key in ("attribute", "group", "part"))): s for s in found}


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert run(["score", *words]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    return told.err


@pytest.fixture
def both(tmp_path: Path) -> str:
    return write(tmp_path / "both.csv")


WORDS = ("--units", "AU1,AU12", "--scores", "p_", "--resamples", "20")


def test_units_by_prefix(capsys: pytest.CaptureFixture[str], both: str) -> None:
    found = scores(capsys, both, *WORDS, "--by", "sex")
    whole = found["unit_f1", "", "", ""]
    assert "thresholds:natural gives 0.5" in whole["signature"]
    assert {place[3] for place in found if place[0] == "unit_recall"} == {*UNITS}
    assert found["eod", "sex", "", ""]["floor"] is not None
    assert found["unit_f1", "", "", "AU1"]["support"] < 60


def test_a_scheme_takes_the_place_of_the_names(capsys: pytest.CaptureFixture[str], both: str) -> None:
    columns = ",".join(f"{unit}=p_{unit}" for unit in UNITS)
    words = ("--labels", "au-12-affwild2", "--prediction", columns, "--output-kind", "probability")
    assert scores(capsys, both, *words, "--resamples", "0")["unit_f1", "", "", ""]["value"] == pytest.approx(
        scores(capsys, both, *WORDS)["unit_f1", "", "", ""]["value"]
    )
    assert run(["score", both, *words, "--resamples", "0"]) == 0
    assert "no column is named for 'AU2', 'AU4'" in capsys.readouterr().err


def test_thresholds_stated_and_chosen(capsys: pytest.CaptureFixture[str], both: str, tmp_path: Path) -> None:
    validation = write(tmp_path / "validation.csv", seed=1)
    stated = scores(capsys, both, *WORDS, "--threshold", "AU1=0.3,AU12=0.6")
    assert "thresholds:AU1=0.3,AU12=0.6|" in stated["unit_f1", "", "", ""]["signature"]
    assert "thresholds:0.4|" in scores(capsys, both, *WORDS, "--threshold", "0.4")["unit_f1", "", "", ""]["signature"]
    run_folder = tmp_path / "run"
    words = (both, *WORDS, "--validation", validation, "-o", str(run_folder))
    chosen = scores(capsys, *words)["unit_f1", "", "", ""]["signature"]
    assert "thresholds:per unit by F1 on validation@" in chosen
    record = json.loads((run_folder / "run.json").read_text())
    assert record["header"]["data"][1]["notes"] == ["thresholds were chosen on it, per-unit"]
    assert record["tables"]["thresholds"]["rows"][0][0] == "AU1"
    assert run(["score", both, *WORDS, "--by", "sex", "--validation", both]) == 0
    assert "scores in hindsight" in capsys.readouterr().err
    common = scores(capsys, both, *WORDS, "--validation", validation, "--threshold-rule", "common")
    assert "thresholds:common by F1 on validation@" in common["unit_f1", "", "", ""]["signature"]


def test_validation_in_two_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("item,AU1\na,1\nb,0\nc,0\n")
    (tmp_path / "p.csv").write_text("item,p_AU1\nb,0.3\na,0.4\nc,0.2\n")
    files = (str(tmp_path / "t.csv"), str(tmp_path / "p.csv"))
    words = ("--units", "AU1", "--scores", "p_", "--resamples", "0")
    found = scores(capsys, *files, *words, "--validation", files[0], "--validation-predictions", files[1])
    assert "gives 0.35" in found["unit_f1", "", "", ""]["signature"]
    assert found["unit_f1", "", "", ""]["value"] == 1.0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--threshold", "AU1=0.3"), "no threshold for 'AU12'"),
        (("--threshold", "AU1=0.3,AU12=0.3,AU2=0.3"), "unknown action unit in the thresholds 'AU2'"),
        (("--threshold", "1.5"), "AU1=1.5, AU12=1.5"),
        (("--threshold", "nan"), "no finite number"),
        (("--threshold", "x"), "--threshold is 'x'"),
        (("--threshold", "0.3,0.4"), "--threshold is '0.3,0.4'"),
        (("--threshold", "AU1=0.3,AU1=0.4"), "each unit once"),
        (("--threshold-rule", "common"), "--validation FILE"),
        (("--threshold-rule", "best", "--validation", "none.csv"), "unknown rule for thresholds 'best'"),
        (("--validation", "none.csv"), "file to score not found: none.csv"),
        (("--output-kind", "label"), "the numbers are not 0 and 1 only"),
        (("--output-kind", "odds"), "unknown kind of output 'odds'"),
        (("--interval", "basic"), "unknown kind of interval 'basic'"),
        (("--level", "95"), "a level between 0 and 1"),
        (("--clusters", "speaker"), "unknown cluster unit 'speaker'"),
        (("--labels", "expressions-7"), "--units is stated beside --labels"),
        (("--metrics", "p_au"), "p_au is defined for 12 units"),
        (("--map", "AU1=AU12"), "a label mapping for units"),
    ],
)
def test_what_is_refused(words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str], both: str) -> None:
    assert told in refused(capsys, both, *WORDS, *words)


def test_thresholds_cannot_be_stated_and_chosen(capsys: pytest.CaptureFixture[str], both: str) -> None:
    assert "one of the two" in refused(capsys, both, *WORDS, "--threshold", "0.5", "--validation", both)


def test_validation_that_lacks_a_unit(capsys: pytest.CaptureFixture[str], both: str, tmp_path: Path) -> None:
    (tmp_path / "short.csv").write_text("item,AU1,p_AU1\na,1,0.5\n")
    told = refused(capsys, both, *WORDS, "--validation", str(tmp_path / "short.csv"))
    assert "short.csv: unknown column 'AU12'" in told


def test_delimiter_and_encoding(capsys: pytest.CaptureFixture[str], both: str, tmp_path: Path) -> None:
    plain = scores(capsys, both, *WORDS)
    for delimiter, told in ((";", ";"), ("\t", "tab")):
        path = write(tmp_path / "other.csv", delimiter=delimiter)
        assert {k: v["value"] for k, v in scores(capsys, path, *WORDS, "--delimiter", told).items()} == {
            k: v["value"] for k, v in plain.items()
        }
    path = tmp_path / "windows.csv"
    path.write_bytes("item,truth,prediction\na,fröhlich,fröhlich\nb,traurig,fröhlich\n".encode("cp1252"))
    assert "cp1252" in refused(capsys, str(path))
    assert scores(capsys, str(path), "--encoding", "cp1252")["accuracy", "", "", ""]["value"] == 0.5
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    assert "a Parquet file has no delimiter" in refused(capsys, str(tmp_path / "a.parquet"), "--delimiter", ";")


def test_a_range_of_its_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "values.csv"
    path.write_text("item,valence,arousal,pv,pa\na,1,9,2,8\nb,5,5,5,4\nc,9,1,7,3\n")
    words = (str(path), "--prediction", "valence=pv,arousal=pa", "--labels", "valence,arousal", "--resamples", "0")
    found = scores(capsys, *words, "--range", "1,9", "--metrics", "ccc,jsd,bin_recall")
    assert found["ccc", "", "", "valence"]["value"] == pytest.approx(2 * 20 / 3 / (32 / 3 + 38 / 9 + 1 / 9))
    assert ("bin_recall", "", "", "valence (3, 5]") in found
    for span, told in (("9,1", "has the range [9.0, 1.0]"), ("1", "--range=-1,1"), ("a,b", "--range=-1,1")):
        assert told in refused(capsys, *words, "--range", span)
    assert "no dimensions are named" in refused(capsys, str(path), "--range", "1,9")
    told = refused(capsys, str(path), "--labels", "affect-3", "--range=-1,1", "--prediction", "valence=pv")
    assert "outside [-1, 1]" in told


def test_intervals_and_limits(capsys: pytest.CaptureFixture[str], both: str) -> None:
    found = scores(capsys, both, *WORDS, "--interval", "bca", "--level", "0.9", "--by", "sex,sex*age")
    whole = found["unit_f1", "", "", ""]
    assert (whole["interval"]["method"], whole["interval"]["level"]) == ("bca", 0.9)
    assert "resamples:20 bca" in whole["signature"]
    assert found["dpd", "sex", "", ""]["decision"]["limit"] == 0.1
    wide = scores(capsys, both, *WORDS, "--limit", "0.9", "--by", "sex", "--clusters", "item")
    assert wide["dpd", "sex", "", ""]["decision"] == {
        "outcome": "within",
        "limit": 0.9,
        "reason": "within the limit of 0.9: no unfairness detected at this support",
    }
    assert "clusters:item 60" in wide["unit_f1", "", "", ""]["signature"]
    least = scores(capsys, both, *WORDS, "--by", "sex*age", "--minimum-support", "1000")
    assert "fewer than the minimum support of 1000" in least["unit_f1", "sex*age", "f*20-29", ""]["reason"]


def test_every_metric_and_those_of_the_task(capsys: pytest.CaptureFixture[str], both: str) -> None:
    every = {place[0] for place in scores(capsys, both, *WORDS, "--metrics", "all")}
    assert {"unit_auc", "unit_ap", "unit_calibration", "unit_matthews", "unit_f1"} <= every
    assert not any(name.endswith("_gap") or name == "p_au" for name in every)
    more = {place[0] for place in scores(capsys, both, *WORDS, "--metrics", "default,unit_auc")}
    default = {place[0] for place in scores(capsys, both, *WORDS)}
    assert more == default | {"unit_auc"}


@pytest.mark.shared
class TestCases:
    def test_a05(self, capsys: pytest.CaptureFixture[str], cases: Path) -> None:
        words = ("--item", "id", "--units", "AU1,AU4,AU12", "--resamples", "0")
        one, two = (
            scores(capsys, str(cases / name), str(cases / "A05_au_pred.csv"), *words)
            for name in ("A05_au_truth.csv", "A05_au_truth_999.csv")
        )
        assert {k: v["value"] for k, v in one.items()} == {k: v["value"] for k, v in two.items()}
        assert one["unit_f1", "", "", ""]["value"] == pytest.approx(32 / 45, abs=1e-12)
        assert [one["unit_f1", "", "", unit]["support"] for unit in ("AU1", "AU4", "AU12")] == [5, 5, 4]

    def test_a04(self, capsys: pytest.CaptureFixture[str], cases: Path) -> None:
        words = ("--item", "frame", "--prediction", "pred", "--labels", "expressions-8-other", "--resamples", "0")
        found = scores(capsys, str(cases / "A04_expr_no_fear.csv"), *words, "--metrics", "f1_macro,f1,p_expr")
        for name in ("f1_macro", "p_expr"):
            assert found[name, "", "", ""]["value"] == pytest.approx(59 / 120, abs=1e-12)
            assert any("fear" in note for note in found[name, "", "", ""]["notes"])
        assert found["f1", "", "", "fear"]["reason"]

    def test_a06(self, capsys: pytest.CaptureFixture[str], cases: Path) -> None:
        path = str(cases / "A06_au_scores.csv")
        words = ("--item", "id", "--units", "AU1", "--truth", "AU1=truth", "--prediction", "AU1=score")
        found = scores(capsys, path, *words, "--output-kind", "logit", "--resamples", "0")
        assert found["unit_f1", "", "", ""]["value"] == 1.0
        for kind in ((), ("--output-kind", "label")):
            assert "rows 1, 2, 3, 4" in refused(capsys, path, *words, *kind)
        assert "outside 0 to 1" in refused(capsys, path, *words, "--output-kind", "probability")

    def test_a17(self, capsys: pytest.CaptureFixture[str], cases: Path) -> None:
        path = str(cases / "A17_missing_gender.csv")
        words = ("--item", "id", "--units", "x", "--truth", "x=truth", "--prediction", "x=pred", "--by", "gender")
        found = scores(capsys, path, *words, "--metrics", "unit_accuracy,dpd", "--resamples", "20")
        assert found["unit_accuracy", "", "", ""]["value"] == 0.6
        assert [found["unit_accuracy", "gender", g, ""]["value"] for g in "FM"] == [0.5, 1.0]
        assert found["dpd", "gender", "", ""]["value"] == 0.0
        assert "excluded:missing=2" in found["dpd", "gender", "", ""]["signature"]
        assert run(["score", path, *words, "--resamples", "0"]) == 0
        assert "2 items in no group of 'gender': missing 2" in capsys.readouterr().err


def test_a_kind_of_output_that_the_file_does_not_hold(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "made.csv"
    path.write_text("item,truth,prediction,v,pv\na,x,x,0.1,0.2\nb,y,x,0.3,0.4\n")
    told = refused(capsys, str(path), "--labels", "x,y", "--output-kind", "logit")
    assert "declared as logit, but there are no score columns" in told
    assert "score_LABEL" in told
    words = ("--labels", "v,w", "--range", "0,1", "--truth", "v=v", "--prediction", "v=pv", "--resamples", "0")
    assert scores(capsys, str(path), *words)["mae", "", "", ""]["value"] == pytest.approx(0.1)
    assert "are values of dimensions" in refused(capsys, str(path), *words, "--output-kind", "probability")
    assert "thresholds are stated" in refused(capsys, str(path), "--threshold", "0.5")
    assert "no thresholds can be chosen" in refused(capsys, str(path), "--validation", str(path))
