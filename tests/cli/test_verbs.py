from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import polars as pl
import pytest

from affectcheck.cli.app import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def data(tones: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """The tiny corpus as --data takes it; run in an empty folder with a cache of the module."""
    monkeypatch.setenv("AFFECTCHECK_CACHE", str(cache))
    monkeypatch.chdir(tmp_path)
    return f"table:{tones}"


def strict(text: str) -> dict:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    return json.loads(text, parse_constant=refuse)


def test_audit_prints_a_summary_and_alone_on_the_last_line_the_report(
    data: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code = run(["audit", "--data", data, "--by", "sex", "--resamples", "20", "-o", "out", "--workers", "1"])
    lines = capsys.readouterr().out.splitlines()
    verdicts = strict((tmp_path / "out" / "run.json").read_text())["header"]["counts"]["verdicts"]
    assert code == (1 if verdicts["failed"] else 0)
    assert lines[-1] == "out/report.html"
    assert (tmp_path / "out" / "report.html").stat().st_size < 5_000_000
    assert any("uar" in line.casefold() or "average recall" in line for line in lines)
    assert run(["runs", "."]) == 0
    assert "baseline" in capsys.readouterr().out
    assert run(["report", "out", "-o", "again.md"]) == 0
    assert capsys.readouterr().out.strip() == "again.md"
    assert (tmp_path / "again.md").read_text() == (tmp_path / "out" / "report.md").read_text()


def test_a_taken_folder_is_refused_and_overwrite_replaces_it(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["audit", "--data", data, "--suite", "none", "--resamples", "0", "-o", "out", "--workers", "1"]
    assert run(words) == 0
    assert run(words) == 2
    assert "--overwrite" in capsys.readouterr().err
    assert run([*words, "--overwrite"]) == 0


def test_audit_without_an_output_makes_a_folder_of_its_own(
    data: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = [
        "audit",
        "--data",
        data,
        "--suite",
        "none",
        "--resamples",
        "0",
        "--workers",
        "1",
        "--seeds",
        "3,5-6",
        "--json",
    ]
    assert run(words) == 0
    told = strict(capsys.readouterr().out)
    assert told["folder"].startswith("runs/")
    assert (tmp_path / told["report"]).is_file()
    assert [row[0] for row in told["record"]["tables"]["partitions"]["rows"]] == [3, 5, 6]
    assert told["record"]["header"]["arguments"]["passed"]["seeds"] == "3,5-6"
    assert (tmp_path / "runs" / "latest").read_text().strip() == told["folder"].removeprefix("runs/")


def test_demo_exits_with_0_whatever_the_verdicts(
    data: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import affectcheck.cli.demo as verb

    def failed(options: object, output: Path, **rest: object) -> bool:
        assert getattr(options, "data", "") == "synthetic-speech"
        assert rest["overwrite"]
        return True

    monkeypatch.setattr("affectcheck.cli.audit.run_audit", failed)
    assert verb.register is not None
    assert run(["demo"]) == 0


def test_items_without_a_prediction_and_cautions_are_counted_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import numpy as np
    import soundfile

    for name, samples in (("quiet.wav", np.zeros(800)), ("loud.wav", np.full(800, 0.5)), ("heard.wav", [0.1, -0.1])):
        soundfile.write(tmp_path / name, samples, 16_000)
    (tmp_path / "text.wav").write_text("no sound")
    rows = [f"{name}.wav,anger" for name in ("quiet", "loud", "heard", "text")]
    (tmp_path / "labels.csv").write_text("\n".join(["item,emotion", *rows]))
    (tmp_path / "labels.toml").write_text(
        'file = "labels.csv"\nmedia = "item"\n[targets.emotion]\nscheme = "expressions-7"\n'
    )
    (tmp_path / "model.py").write_text(
        "def f(samples, rate_hz):\n    print('hello')\n    return 1.0\nf.dimensions = ('x',)\n"
    )
    words = ["predict", "-d", f"table:{tmp_path / 'labels.toml'}", "-m", f"{tmp_path / 'model.py'}:f"]
    words += ["-o", str(tmp_path / "p.csv"), "--workers", "1", "--max-fault-share", "0.5", "--cache", str(tmp_path)]
    assert run(words) == 0
    assert capsys.readouterr().out.startswith("3 items predicted, 1 fault, 2 cautions\n")


def test_train_predict_and_test_are_steps_of_the_audit(
    data: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(["train", "--data", data, "-o", "model.npz", "--workers", "1", "--json"]) == 0
    trained = strict(capsys.readouterr().out)
    assert trained["training"]["fitted_on"] == ["train", "validation"]
    assert run(["predict", "--data", data, "--model", "model.npz", "-o", "p.csv", "--workers", "1"]) == 0
    assert "120 items predicted, 0 faults" in capsys.readouterr().out
    assert pl.read_csv(tmp_path / "p.csv").height == 120
    words = [
        "test",
        "--data",
        data,
        "--model",
        "model.npz",
        "--partition",
        "none",
        "--suite",
        "correctness",
        "--workers",
        "1",
    ]
    code = run([*words, "--json", "-o", "tested"])
    told = strict(capsys.readouterr().out)
    assert code == (1 if told["header"]["counts"]["verdicts"]["failed"] else 0)
    assert told["scores"] == []
    assert (tmp_path / "tested" / "junit.xml").is_file()
    run(words)
    assert "correctness-classification" in capsys.readouterr().out


def test_partitions_are_made_verified_and_audited(
    data: str, tones: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(["partition", "make", "--data", data, "-o", "parts", "--seed", "3"]) == 0
    text = capsys.readouterr().out
    assert "train, target 55%" in text
    assert text.rstrip().endswith("parts/manifest.json")
    assert run(["partition", "verify", "parts", "--data", data]) == 0
    assert "subject independence" in capsys.readouterr().out
    assert run(["partition", "make", "--data", data, "-o", "parts2", "--seed", "3", "--json"]) == 0
    assert strict(capsys.readouterr().out)["sizes"].keys() == {"train", "validation", "test"}
    assert (tmp_path / "parts" / "partition.csv").read_bytes() == (tmp_path / "parts2" / "partition.csv").read_bytes()
    audited = run(["partition", "audit", "parts", "--data", data, "--json"])
    rules = {finding["rule"]: finding["status"] for finding in strict(capsys.readouterr().out)["findings"]}
    assert rules["subject independence"] == "passed"
    assert rules["no content in two sets"] == "passed"
    assert audited == (1 if "failed" in rules.values() else 0)
    assert run(["partition", "audit", "--data", data]) == 2
    assert "no partition of its own" in capsys.readouterr().err


def test_a_manifest_that_does_not_fit_exits_with_1(
    data: str, tones: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(["partition", "make", "--data", data, "-o", "parts"]) == 0
    shutil.copytree(tones.parent, tmp_path / "other")
    lines = (tmp_path / "other" / "labels.csv").read_text().splitlines()
    (tmp_path / "other" / "labels.csv").write_text("\n".join(lines[:-5]) + "\n")
    assert run(["partition", "verify", "parts", "--data", f"table:{tmp_path / 'other' / 'labels.toml'}"]) == 1
    assert "failed" in capsys.readouterr().out


def write(path: Path, *lines: str) -> str:
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_score_reads_truth_and_prediction_from_one_file_or_two(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    both = write(tmp_path / "both.csv", "file,truth,prediction", "a,x,x", "b,y,x", "c,y,y", "d,x,x")
    truth = write(tmp_path / "truth.csv", "file,label", "a,x", "b,y", "c,y", "d,x")
    told = write(tmp_path / "told.csv", "file,said", "d,ex", "c,y", "b,ex", "a,ex")
    assert run(["score", both, "--metrics", "uar", "--json"]) == 0
    one = strict(capsys.readouterr().out)["scores"]
    words = [
        "--truth",
        "label",
        "--prediction",
        "said",
        "--labels",
        "x,y",
        "--prediction-labels",
        "ex=x",
        "--metrics",
        "uar",
    ]
    assert run(["score", truth, told, *words, "--json", "-o", str(tmp_path / "run")]) == 0
    two = strict(capsys.readouterr().out)["scores"]
    assert one[0]["value"] == two[0]["value"] == 0.75
    assert (tmp_path / "run" / "report.html").is_file()
    assert run(["score", both, "--metrics", "uar"]) == 0
    captured = capsys.readouterr()
    assert "0.750" in captured.out
    assert "uar|" in captured.out
    assert "label set is what occurs" in captured.err


def test_score_after_steps_shows_the_values_before_them(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = str(tmp_path / "frames.csv")
    noisy = [0.2, -0.2] * 10
    frame = pl.DataFrame({"item": [f"f{k}" for k in range(20)], "media": ["v"] * 20, "frame": range(1, 21)})
    frame = frame.with_columns(
        *(pl.Series(name, [k / 20 for k in range(20)]) for name in ("valence", "arousal")),
        *(pl.Series(name, [k / 20 + noisy[k] for k in range(20)]) for name in ("pv", "pa")),
    )
    frame.write_csv(file)
    words = ["score", file, "--truth", "valence=valence,arousal=arousal", "--prediction", "valence=pv,arousal=pa"]
    words += [
        "--labels",
        "valence-arousal",
        "--metrics",
        "mae",
        "--steps",
        "smooth:mean,3",
        "-o",
        str(tmp_path / "run"),
    ]
    assert run(words) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].split() == ["metric", "of", "before", "after", "interval", "n", "reading"]
    assert out[2].split()[:3] == ["mae", "0.200", "0.062"]  # (18 * 0.2 / 3 + 2 * 0.025) / 20
    record = strict((tmp_path / "run" / "run.json").read_text())
    assert record["before_scores"][0]["value"] == pytest.approx(0.2)
    assert record["header"]["arguments"]["effective"]["steps"] == "smooth:mean,3"
    assert run([*words[:-2], "--steps", "smooth:mean,4"]) == 2
    assert "an odd number" in capsys.readouterr().err


def test_score_across_label_sets_and_groups_against_all_together(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    truth, made = str(tmp_path / "truth.csv"), str(tmp_path / "made.csv")
    labels = ["anger", "boredom", "sadness"] * 20
    frame = pl.DataFrame({"item": [f"i{k}" for k in range(60)], "sex": ["f", "m"] * 30, "truth": labels})
    frame.write_csv(truth)
    calm = [label == "boredom" for label in labels]
    scores = {"p_anger": [0.6 if label == "anger" else 0.1 for label in labels], "p_calm": [0.3] * 60}
    scores["p_sadness"] = [0.7 - value for value in scores["p_anger"]]
    pl.DataFrame({"item": frame["item"], **scores}).write_csv(made)
    words = ["score", truth, made, "--labels", "anger,boredom,sadness", "--metrics", "uar", "--resamples", "0"]
    assert run(words) == 2
    assert "in common" in capsys.readouterr().err
    words += ["--labels-rule", "intersection", "--by", "sex", "--shifts", "all", "--json"]
    assert run(words) == 0
    told = capsys.readouterr()
    found = {(s["metric"], s["place"]["group"]): s for s in strict(told.out)["scores"]}
    assert found["uar", ""]["value"] == 1.0
    assert found["uar", ""]["support"] == 60 - sum(calm)
    assert found["uar_to_combined", "f"]["value"] == 0.0
    assert "20 items of classes that the model does not have (boredom 20): left out" in told.err
    assert run([*words, "--shifts", "most"]) == 2
    assert "unknown combined set" in capsys.readouterr().err


def test_score_of_dimensions_names_a_column_for_each(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = write(tmp_path / "va.csv", "file,v,a,pv,pa", "a,.1,.2,.1,.3", "b,.4,.3,.5,.2", "c,-.2,.9,-.1,.7")
    words = ["--labels", "valence-arousal", "--truth", "valence=v,arousal=a", "--prediction", "valence=pv,arousal=pa"]
    assert run(["score", file, *words, "--metrics", "ccc", "--json"]) == 0
    scores = strict(capsys.readouterr().out)["scores"]
    assert {s["place"]["part"] for s in scores} >= {"valence", "arousal"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--truth", "valence=v,arousal", "--prediction", "p"], "NAME=COLUMN"),
        (["--labels", "no-such-scheme"], "unknown scheme"),
        (["--missing", "guess"], "unknown rule"),
        (["--truth", "no-such-column"], "no-such-column"),
        (["--by", "no-such-group"], "no-such-group"),
        (["--metrics", "no-such-metric"], "unknown metric"),
        (["--map", "x"], "label mapping"),
    ],
)
def test_wrong_options_of_score_exit_with_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str], message: str
) -> None:
    file = write(tmp_path / "both.csv", "file,truth,prediction", "a,x,x", "b,y,x")
    assert run(["score", file, *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["audit", "--seeds", "a-b"], "not a list of seeds"),
        (["audit", "--mode", "loose"], "unknown mode"),
        (["audit", "--model", "no-such"], "unknown model"),
        (["train", "-o", "model.pkl"], ".npz"),
        (["train", "-o", "m.npz", "--recipe", "no-such"], "unknown recipe"),
        (["predict", "--model", "random-categorical", "-o", "p.csv", "--part", "test"], "no partition of its own"),
        (["predict", "--model", "random-categorical", "-o", "p.xls"], ".csv or .parquet"),
    ],
)
def test_wrong_options_exit_with_2(
    data: str, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert run([words[0], "--data", data, *words[1:]]) == 2
    assert message in capsys.readouterr().err


def test_progress_is_a_bar_on_a_terminal_and_lines_elsewhere(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    from affectcheck.cli import output

    update = output._lines("work", every_s=0.0)
    update(3, 9)
    assert capsys.readouterr().err == "work: 3 of 9\n"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with output.progress("work") as bar:
        bar(1, 2)
    assert output.columns([]) == "(none)"


def test_fresh_predicts_anew_whatever_the_cache_holds(
    data: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    model = tmp_path / "weights_model.py"
    (tmp_path / "weight.txt").write_text("1")
    model.write_text(
        "from pathlib import Path\n\ndef decide(samples, rate_hz):\n"
        f"    return [float(Path({str(tmp_path / 'weight.txt')!r}).read_text()), 0.5, 0.0]\n\n"
        "decide.labels = ('anger', 'neutral', 'sadness')\n"
    )
    words = ["predict", "--data", data, "--model", f"{model}:decide", "--workers", "1", "-o"]
    assert run([*words, "one.csv"]) == 0
    (tmp_path / "weight.txt").write_text("0")
    assert run([*words, "kept.csv"]) == 0
    assert run([*words, "anew.csv", "--fresh"]) == 0
    decided = {name: set(pl.read_csv(tmp_path / f"{name}.csv")["prediction"]) for name in ("one", "kept", "anew")}
    assert decided == {"one": {"anger"}, "kept": {"anger"}, "anew": {"neutral"}}


def test_a_model_predicts_what_nobody_has_annotated(data: str, tones: Path, tmp_path: Path) -> None:
    rows = (tones.parent / "labels.csv").read_text(encoding="utf-8").splitlines()
    (tmp_path / "bare.csv").write_text("\n".join(row.rpartition(",")[0] for row in rows) + "\n", encoding="utf-8")
    told = tones.read_text(encoding="utf-8").partition("[targets")[0].replace("labels.csv", "bare.csv")
    (tmp_path / "bare.toml").write_text(told, encoding="utf-8")
    assert run(["predict", "--data", f"table:{tmp_path}/bare.toml", "--model", "random-gaussian", "-o", "p.csv"]) == 0
    assert (tmp_path / "p.csv").read_text(encoding="utf-8").startswith("item,arousal,dominance,valence")
