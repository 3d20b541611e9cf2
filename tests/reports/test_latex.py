"""Tables for papers: the layout of paper 1, Tables IV to VII, the marks, and what may not stand in one column."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from affectcheck.errors import InputError, SignatureMismatchError
from affectcheck.records import Decision, Header, Place, RunRecord, Score, Scored, Signature, Undefined, save_run
from affectcheck.reports import render_latex, write_report, write_table_of_runs

if TYPE_CHECKING:
    from pathlib import Path


def sign(metric: str, model: str = "resnet", **changes: str) -> Signature:
    return Signature(metric, model=model, **({"data": "faces@1", "n": "100", "version": "1"} | changes))


def score(metric: str, value: float, attribute: str = "", part: str = "", **changes: str) -> Score:
    outcome = changes.pop("outcome", "")
    decision = Decision(outcome, 0.1, "because") if outcome else None  # type: ignore[arg-type]
    return Score(metric, value, 100, sign(metric, **changes), Place(attribute, "", part), decision=decision)


def record(scores: list[Scored], model: str = "resnet", kind: str = "categories", data: str = "faces") -> RunRecord:
    return RunRecord(Header(model={"name": model, "kind": kind}, data=[{"name": data}]), tuple(scores))


def expressions(model: str = "resnet", shift: float = 0.0) -> RunRecord:
    scores: list[Scored] = [score("f1_macro", 0.641 + shift, convention="paper", model=model)]
    for attribute in ("race", "age"):
        scores += [
            score("sp", 0.01, attribute, convention="paper", model=model),
            score("sp", 0.064 + shift, attribute, convention="tables", model=model, outcome="within"),
            score("local_f1", 0.63, attribute, convention="tables", model=model),
            score("eop", 0.13, attribute, convention="tables", model=model, outcome="inconclusive"),
        ]
    return record(scores, model)


def body(text: str) -> list[list[str]]:
    rows = text.split(r"\midrule")[1].split(r"\bottomrule", maxsplit=1)[0].strip().splitlines()
    return [[cell.strip() for cell in row.removesuffix(r"\\").split(" & ")] for row in rows]


def test_expressions_stand_as_in_tables_iv_and_v() -> None:
    text = render_latex(expressions(), expressions("vit_b", 0.05))
    assert body(text) == [
        ["resnet", "64.1", "6.4", "63.0", "13.0$^{?}$", "6.4", "63.0", "13.0$^{?}$"],
        [r"vit\_b", "69.1", "11.4", "63.0", "13.0$^{?}$", "11.4", "63.0", "13.0$^{?}$"],
    ]
    assert r"\multicolumn{1}{c}{Whole} & \multicolumn{3}{c}{Race} & \multicolumn{3}{c}{Age} \\" in text
    assert "GF$_1$ & SP & LF$_1$ & EOP & SP & LF$_1$ & EOP" in text
    assert "EOP tables" in text
    assert "inconclusive at this support" in text


def test_units_stand_as_in_table_vi() -> None:
    scores: list[Scored] = [score("unit_f1", 0.673)]
    scores += [
        score(name, value, "race", convention="tables", outcome=outcome)
        for name, value, outcome in (("unit_local_f1", 0.662, ""), ("eod", 0.203, "exceeds"), ("dpd", 0.148, "within"))
    ]
    text = render_latex(record(scores, kind="units"))
    assert body(text) == [["resnet", "67.3", "66.2", "20.3$^{*}$", "14.8"]]
    assert "above the limit and above what groups dealt out at random reach" in text


def test_dimensions_stand_as_in_table_vii_and_an_undefined_value_is_a_dash() -> None:
    scores: list[Scored] = [
        score("ccc", 0.698),
        score("ccc", 0.812, part="valence"),
        score("ccc", 0.584, part="Arousal"),
        score("local_ccc", 0.692, "race"),
        score("local_ccc", -0.0001, "race", "valence"),
        Undefined("local_ccc", "no group has a CCC", 3, sign("local_ccc"), Place("race", "", "arousal")),
    ]
    text = render_latex(record(scores, kind="dimensions"))
    assert body(text) == [["resnet", "69.8", "81.2", "58.4", "69.2", "0.0", "--"]]
    assert "-- undefined" in text


def test_every_data_set_has_columns_of_its_own_and_a_model_that_lacks_one_has_dashes() -> None:
    other = record([score("f1_macro", 0.5, data="more@2", convention="paper")], "only here", data="more")
    rows = body(render_latex(expressions(), other))
    assert rows[0][-1] == "--"
    assert rows[1] == ["only here", *["--"] * 7, "50.0"]


def test_columns_rules_and_rows_agree_in_width() -> None:
    text = render_latex(expressions(), record([score("f1_macro", 0.5, data="more@2")], "b", data="more"))
    columns = re.search(r"\\begin\{tabular\}\{l(r+)\}", text)
    assert columns is not None
    width = len(columns[1]) + 1
    assert all(len(row) == width for row in body(text))
    spans = [int(n) for n in re.findall(r"\\multicolumn\{(\d+)\}\{c\}\{(?:faces|more)\}", text)]
    assert sum(spans) == width - 1
    assert rf"\cmidrule(lr){{2-{spans[0] + 1}}} \cmidrule(lr){{{spans[0] + 2}-{width}}}" in text


def test_two_models_of_one_name_stay_two_rows() -> None:
    assert [row[0] for row in body(render_latex(expressions(), expressions(), expressions()))] == [
        "resnet",
        "resnet (2)",
        "resnet (3)",
    ]


def test_what_may_not_be_compared_does_not_stand_in_one_column() -> None:
    other = record([score("f1_macro", 0.5, convention="paper", n="99", model="b")], "b")
    with pytest.raises(SignatureMismatchError, match="n: '100' and '99'"):
        render_latex(expressions(), other)
    with pytest.raises(InputError, match="categories, units"):
        render_latex(expressions(), record([], kind="units"))
    with pytest.raises(InputError, match="no kind"):
        render_latex()


def test_hostile_names_are_text_and_no_signature_leaves_its_comment() -> None:
    odd = record([score("f1_macro", 0.5, data="a\nb", convention="paper")], r"\input{x}%&", data="50% & $x_1^2$ {~}")
    text = render_latex(odd)
    assert r"\input" not in text
    assert r"\textbackslash{}input\{x\}\%\&" in text
    assert r"50\% \& \$x\_1\textasciicircum{}2\$ \{\textasciitilde{}\}" in text
    assert all(line.startswith("%") for line in text.split("% signatures:")[1].strip().splitlines())


def test_files_of_one_run_and_of_several(tmp_path: Path) -> None:
    (path,) = write_report(expressions(), tmp_path / "one.tex")
    assert path.read_text() == render_latex(expressions())
    several = write_table_of_runs([expressions(), expressions("b")], tmp_path / "two.tex")
    assert len(body(several.read_text())) == 2


def test_the_command_writes_a_table_of_several_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from affectcheck.cli.app import run

    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        save_run(expressions(name), tmp_path / name)
    runs = [str(tmp_path / name) for name in ("a", "b")]
    assert run(["report", *runs, "-o", str(tmp_path / "t.tex")]) == 0
    assert [row[0] for row in body((tmp_path / "t.tex").read_text())] == ["a", "b"]
    assert run(["report", *runs]) == 2
    assert "--output TABLE.tex" in capsys.readouterr().err


def test_one_truth_in_a_file_a_model_is_one_data_set() -> None:
    """Files of predictions bring their truth and their name along; the digest of the scored items decides."""
    records = []
    for name in ("a", "b"):
        found = expressions(name)
        scores = [replace(one, signature=one.signature.with_(data=f"{name}@1")) for one in found.scores]
        records.append(record(scores, name, data=name))
    rows = body(render_latex(*records))
    assert [len(row) for row in rows] == [8, 8]
    assert not any("--" in row for row in rows)


def test_thresholds_that_one_rule_found_for_each_model_stand_in_one_column() -> None:
    found = [
        record([score("unit_f1", 0.6, model=model, thresholds=f"per-unit@v1 gives {at}")], model, kind="units")
        for model, at in (("a", "AU1=0.3"), ("b", "AU1=0.4"))
    ]
    assert [row[1] for row in body(render_latex(*found))] == ["60.0", "60.0"]
    stated = record([score("unit_f1", 0.6, model="c", thresholds="0.7")], "c", kind="units")
    with pytest.raises(SignatureMismatchError, match="thresholds"):
        render_latex(*found, stated)


def test_a_run_without_scores_is_refused() -> None:
    with pytest.raises(InputError, match="without scores"):
        render_latex(expressions(), record([], "a, b"))
