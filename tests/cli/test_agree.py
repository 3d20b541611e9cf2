"""``affectcheck agree``, and votes in ``affectcheck score``: what is printed, written and refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations import read_csv
from affectcheck.cli.app import run
from affectcheck.records import load_run

if TYPE_CHECKING:
    from pathlib import Path

LABELS = ("calm", "joy", "sad")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ratings in all forms, and a truth with predictions, in the working folder."""
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(0)
    truth, rows = random.integers(0, 3, 60), []
    for i in range(60):
        for k in range(4):
            if i % 7 == 0 and k:
                continue
            label = LABELS[truth[i] if random.random() < 0.8 - 0.2 * k else random.integers(3)]
            rows.append((f"c{i:02d}", f"r{k}", label, truth[i] / 2 + 0.2 * k * random.normal(), f"s{i % 6}"))
    long = pl.DataFrame(rows, schema=["item", "rater", "label", "valence", "subject"], orient="row")
    long.write_csv("long.csv")
    long.pivot(on="rater", index="item", values="label").write_csv("wide.csv")
    long.pivot(on="label", index="item", values="rater", aggregate_function="len").fill_null(0).write_csv("counts.csv")
    scored = pl.DataFrame(
        {
            "item": [f"c{i:02d}" for i in range(60)],
            "truth": [LABELS[t] for t in truth],
            "prediction": [LABELS[t if i % 3 else (t + 1) % 3] for i, t in enumerate(truth)],
            **{f"p_{name}": random.dirichlet(np.ones(3), 60)[:, c] for c, name in enumerate(LABELS)},
            "subject": [f"s{i % 6}" for i in range(60)],
            "sex": ["f" if i % 2 else "m" for i in range(60)],
        }
    )
    scored = scored.with_columns(pl.col("p_calm", "p_joy", "p_sad") / pl.sum_horizontal("p_calm", "p_joy", "p_sad"))
    scored.write_csv("scored.csv")
    return tmp_path


def out_of(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    capsys.readouterr()
    assert run(list(words)) == code
    return capsys.readouterr().out


QUICK = ("--resamples", "20")


def test_the_agreement_of_named_raters(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = out_of(capsys, "agree", "long.csv", *QUICK)
    assert text.startswith("long.csv: 60 items, 213 ratings by 4 raters\nratings an item: 1 (9 items), 4 (51 items)")
    assert "items with fewer than two ratings, which say nothing of agreement: 9" in text
    assert "Krippendorff's alpha  " in text
    assert "Cohen's kappa between pairs" in text
    assert "mean of 6 pairs of raters" in text
    assert "Raters, from the one who agrees least with the others:\nrater" in text
    assert text.index("r3  ") < text.index("r0  ")
    assert "alpha_nominal|labels:calm,joy,sad|" in text


@pytest.mark.parametrize(
    "words",
    [("wide.csv", "--raters", "r0,r1,r2,r3"), ("counts.csv", "--counts", "calm,joy,sad"), ("long.csv",)],
)
def test_every_form_gives_the_same_alpha(
    folder: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    found = json.loads(out_of(capsys, "agree", *words, "--json", *QUICK))
    first = json.loads(out_of(capsys, "agree", "long.csv", "--json", *QUICK))
    assert found["scores"][0]["metric"] == "alpha_nominal"
    assert found["scores"][0]["value"] == pytest.approx(first["scores"][0]["value"], abs=1e-12)
    assert found["counts"]["items_by_ratings"] == {"1": 9, "4": 51}
    assert len(found["pairs"]) == (0 if "counts.csv" in words else 6)


def test_dimensions_and_levels(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = out_of(capsys, "agree", "long.csv", "--dimensions", "v=valence", "--level", "interval,ordinal", *QUICK)
    assert "Krippendorff's alpha, interval" in text
    assert "Krippendorff's alpha, ordinal" in text
    assert "Spearman rank correlation between pairs" in text
    assert "weight_v" in text


@pytest.mark.parametrize(("how", "label"), [("majority", "expression"), ("mean", "valence"), ("ewe", "valence")])
def test_a_gold_standard_is_written(folder: Path, capsys: pytest.CaptureFixture[str], how: str, label: str) -> None:
    form = () if how == "majority" else ("--dimensions", "valence")
    text = out_of(capsys, "agree", "long.csv", *form, "--gold", how, "--output", "gold.csv", *QUICK)
    assert "Written: gold.csv (" in text
    gold = read_csv(folder / "gold.csv")
    assert gold.height == 60
    assert gold.columns[:2] == ["item", label]
    found = json.loads(
        out_of(capsys, "agree", "long.csv", *form, "--gold", how, "-o", "gold.parquet", "--json", *QUICK)
    )
    assert found["gold"]["items"] == pl.read_parquet(folder / "gold.parquet").height


def test_ties_are_said_and_undefined_agreement_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "same.csv").write_text("item,label\na,sad\na,sad\nb,sad\n")
    assert run(["agree", "same.csv"]) == 0
    captured = capsys.readouterr()
    assert "undefined" in captured.out
    assert "all ratings are sad" in captured.out
    assert "who made which rating is not known" in captured.err
    assert out_of(capsys, "agree", "same.csv").startswith("same.csv: 2 items, 3 ratings\nratings an item: 1 (1 item)")


def test_many_numbers_of_ratings_are_summed_up(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"i{m},{label}" for m in range(1, 7) for label in ["sad", "joy"] * m]
    (folder / "many.csv").write_text("item,label\n" + "\n".join(rows))
    text = out_of(capsys, "agree", "many.csv", *QUICK)
    assert "ratings an item: 2 to 12, most often 2 (1 item)" in text
    (folder / "equal.csv").write_text("item,label\na,sad\na,joy\n")
    assert "ratings an item: 2 each" in out_of(capsys, "agree", "equal.csv", *QUICK)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["agree", "no.csv"], "file of ratings not found"),
        (["agree", "long.csv", "--gold", "majority"], "without --output"),
        (["agree", "long.csv", "--output", "gold.csv"], "without --gold"),
        (["agree", "long.csv", "--gold", "median", "--output", "gold.csv"], "unknown gold standard 'median'"),
        (["agree", "long.csv", "--gold", "majority", "--output", "gold.txt"], "'.txt'"),
        (["agree", "long.csv", "--gold", "majority", "--output", "long.csv"], "it would be lost"),
        (["agree", "long.csv", "--gold", "mean", "--output", "gold.csv"], "a mean of classes"),
        (["agree", "long.csv", "--level", "cardinal"], "unknown level of measurement"),
        (["agree", "counts.csv", "--counts", "calm=x"], "unknown column 'x'"),
        (["score", "scored.csv", "--soft"], "--votes FILE"),
        (["score", "scored.csv", "--votes", "no.csv"], "file of votes not found"),
        (["score", "scored.csv", "--votes", "long.csv", "--votes-label", "lable"], "no column 'lable'"),
    ],
)
def test_bad_input_exits_with_2_and_says_what(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert run(words) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error
    assert sorted(path.name for path in folder.iterdir()) == ["counts.csv", "long.csv", "scored.csv", "wide.csv"]


class TestVotes:
    @pytest.mark.parametrize(
        "votes",
        [
            ("long.csv",),
            ("counts.csv",),
            ("wide.csv", "--votes-raters", "r0,r1,r2,r3"),
            ("counts.csv", "--votes-counts", "calm=calm,joy=joy,sad=sad", "--votes-item", "item"),
            ("long.csv", "--votes-rater", "rater", "--votes-label", "label"),
        ],
    )
    def test_people_stand_beside_the_model(
        self, folder: Path, capsys: pytest.CaptureFixture[str], votes: tuple[str, ...]
    ) -> None:
        text = out_of(capsys, "score", "scored.csv", "--votes", *votes, "--metrics", "uar,recall", *QUICK)
        head, _, first, *_ = text.splitlines()
        assert head.split("  ")[0] == "metric"
        assert "left-out rater  other raters" in head
        assert first.startswith("uar (paper)")
        assert "people in the model's place" in text
        assert "majority of the other raters of" in text
        assert ("mean rater" in text) == ("counts.csv" not in votes)

    def test_a_run_keeps_the_scores_of_people(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        words = ("score", "scored.csv", "--votes", "long.csv", "--by", "sex", "-o", "run", *QUICK)
        assert out_of(capsys, *words).splitlines()[-1].startswith("run/report.")
        record = load_run(folder / "run")
        assert {score.signature.model.partition(" of ")[0] for score in record.ceiling_scores} == {
            "random rater",
            "mean rater",
            "left-out rater",
            "other raters",
        }
        assert record.header.data[-1]["name"] == "long"
        assert record.header.arguments["effective"]["soft"] is False

    def test_soft_scores(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        words = ("score", "scored.csv", "--votes", "long.csv", "--soft", "--scores", "p_", "-o", "soft", *QUICK)
        text = out_of(capsys, *words, "--prediction", "prediction")
        assert "truth:shares of long@" in text
        assert "cross_entropy" in text
        record = load_run(folder / "soft")
        assert record.header.arguments["effective"]["soft"] is True
        assert record.header.arguments["effective"]["votes"]["label"] == "label"
        assert all(score.signature.truth.startswith("shares of long@") for score in record.scores)
        assert run(["compare", "soft", "soft"]) == 2

    def test_ratings_of_dimensions(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        frame = read_csv(folder / "long.csv").with_columns(pl.col("valence").cast(pl.Float64))
        gold = frame.group_by("item", maintain_order=True).agg(pl.col("valence").mean().alias("t"))
        gold.with_columns(p=pl.col("t") * 0.5).write_csv(folder / "va.csv")
        told = ("--labels", "valence,other", "--range=-3,3", "--truth", "valence=t", "--prediction", "valence=p")
        votes = ("--votes", "long.csv", "--votes-label", "valence=valence")
        text = out_of(capsys, "score", "va.csv", *told, *votes, *QUICK)
        assert "mean of the other raters of long@" in text
        assert "left-out rater" in text


def test_delimiter_range_and_encoding(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "va.csv").write_bytes("item;rater;valence\na;René;0.5\na;Zoé;1\nb;René;-1\nb;Zoé;-1\n".encode("cp1252"))
    told = ("--delimiter", ";", "--encoding", "cp1252", "--labels", "valence,arousal", "--range=-1,1")
    text = out_of(capsys, "agree", "va.csv", *told, "--dimensions", "valence", "--minimum", "2", "--resamples", "0")
    assert "Zoé" in text
    assert run(["agree", "va.csv", *told[:-1], "--range=-0.5,1", "--dimensions", "valence"]) == 2
    assert "outside [-0.5, 1]" in capsys.readouterr().err


def test_a_range_is_that_of_the_dimensions_that_are_rated(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "va.csv").write_text("item,rater,v\na,r1,0.5\na,r2,1\nb,r1,-1\nb,r2,-1\n")
    words = ("agree", "va.csv", "--minimum", "2", "--resamples", "0", "--dimensions")
    assert "2 items, 4 ratings by 2 raters" in out_of(capsys, *words, "valence=v", "--range=-1,1")
    for told in ("v", "valence=v"):
        assert run([*words, told, "--range=-0.5,1"]) == 2
        assert "2 ratings outside [-0.5, 1]" in capsys.readouterr().err
    assert run(["agree", "va.csv", "--label", "v", "--range=-1,1"]) == 2
    assert "no dimensions are named" in capsys.readouterr().err
    (folder / "one.csv").write_text("item,rater,label\na,r1,joy\n")
    assert "1 item, 1 rating by 1 rater\n" in out_of(capsys, "agree", "one.csv", "--resamples", "0")


def test_a_range_makes_one_name_a_dimension(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "v.csv").write_text("item,t,p\n" + "".join(f"i{n},{n / 10},{n / 9}\n" for n in range(8)))
    words = ("--labels", "valence", "--range=0,1", "--truth", "valence=t", "--prediction", "valence=p")
    assert "ccc" in out_of(capsys, "score", "v.csv", *words, "--resamples", "0")


def test_columns_of_votes_without_votes_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", "long.csv", "--votes-item", "clip"]) == 2
    assert "nothing says where the votes are" in capsys.readouterr().err


class TestTwoAnnotators:
    """Gender, race, age group and expression by two annotators: agreed judgments are the ground truth (paper 1, II-A)."""

    AGES = ("00-02", "03-09", "10-19", "20-29")
    WORDS = ("agree", "faces.csv", "--attributes", "gender,race,age,expression", "--labels", "age=age-9")

    @pytest.fixture
    def faces(self, folder: Path) -> Path:
        random = np.random.default_rng(5)
        rows = []
        for i in range(120):
            said = (random.integers(2), random.integers(4), random.integers(4), random.integers(3))
            for rater, slip in (("anna", 0.0), ("bert", 0.1)):
                gender, race, age, mood = (int(s + (random.random() < slip)) for s in said)
                names = ("female", "male", "unsure")[gender], f"race {race % 4}", self.AGES[age % 4], LABELS[mood % 3]
                rows.append((f"f{i:03d}.jpg", rater, *names))
        columns = ["item", "rater", "gender", "race", "age", "expression"]
        pl.DataFrame(rows, schema=columns, orient="row").write_csv("faces.csv")
        return folder

    def test_agreement_by_attribute_and_label(self, faces: Path, capsys: pytest.CaptureFixture[str]) -> None:
        text = out_of(capsys, *self.WORDS, *QUICK)
        assert "race in faces.csv: 120 items, 240 ratings by 2 raters" in text
        assert "weighted kappa between pairs" in text  # age is ordered
        found = json.loads(out_of(capsys, *self.WORDS, "--json", *QUICK))["attributes"]
        assert list(found) == ["gender", "race", "age", "expression"]
        by_label = [
            s for s in found["gender"]["scores"] if s["metric"] == "cohen_kappa_of_pairs" and s["place"]["part"]
        ]
        assert [s["place"]["part"] for s in by_label] == ["female", "male", "unsure"]
        assert all(s["interval"] for s in by_label[:2])

    def test_from_disagreements_to_gold(self, faces: Path, capsys: pytest.CaptureFixture[str]) -> None:
        words = (*self.WORDS, "--resamples", "0", "--gold", "unanimous", "--abstain", "unsure")
        assert run([*words]) == 2  # neither a gold standard nor a list is asked for
        words = (*self.WORDS, "--resamples", "0", "--gold", "unanimous")
        text = out_of(capsys, *words, "--disagreements", "todo.csv")
        todo = read_csv(faces / "todo.csv")
        assert f"Written: todo.csv ({todo.height} to decide" in text
        assert set(todo["reason"]) == {"tie"}
        assert todo["raters"][0].startswith("anna ")
        filled = todo.with_columns(decision=pl.col("raters").str.extract(r"^anna ([^,]+),"))
        filled.write_csv("todo.csv")
        again = run([*words, "--disagreements", "todo.csv"])
        assert again == 2  # what was filled in is not lost
        capsys.readouterr()
        text = out_of(capsys, *words, "--adjudicated", "todo.csv", "-o", "gold.csv")
        gold = read_csv(faces / "gold.csv")
        assert gold.height == 120
        assert gold.columns[1:5] == ["gender", "gender_votes", "gender_agreement", "gender_how"]
        assert set(gold["race_how"]) == {"unanimous", "adjudicated"}
        assert gold["race"].null_count() == 0
        assert out_of(capsys, *words, "--adjudicated", "todo.csv", "-o", "gold.csv") == text
        assert run([*words, "-o", "gold.csv"]) == 2
        assert "--overwrite" in capsys.readouterr().err
        plain = json.loads(out_of(capsys, *words, "-o", "gold.csv", "--overwrite", "--json"))
        assert plain["gold"]["how"]["race"]["unanimous"] == (gold["race_how"] == "unanimous").sum()
        pl.DataFrame({"item": ["new.jpg"], "gender": ["male"]}).write_csv("model.csv")
        one = ("agree", "faces.csv", "--attributes", "gender", "--gold", "unanimous", "--resamples", "0")
        assert "model 1" in out_of(capsys, *one, "--model-labels", "model.csv", "-o", "one.csv")

    def test_a_column_a_rater(self, faces: Path, capsys: pytest.CaptureFixture[str]) -> None:
        long = read_csv(faces / "faces.csv")
        long.pivot(on="rater", index="item", values=["gender", "race"]).write_csv("wide.csv")
        told = ("--attributes", "gender=gender_anna+gender_bert,race=race_anna+race_bert")
        wide = json.loads(out_of(capsys, "agree", "wide.csv", *told, "--json", "--resamples", "0"))["attributes"]
        rows = json.loads(out_of(capsys, *self.WORDS, "--json", "--resamples", "0"))["attributes"]
        assert wide["race"]["pairs"] == rows["race"]["pairs"]
        assert {row["rater"] for row in wide["race"]["raters"]} == {"anna", "bert"}

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["--attributes", "gender,race", "--labels", "a,b"], "NAME=SCHEME"),
            (["--attributes", "gender", "--map", "a=b"], "beside"),
            (["--attributes", "gender,age", "--gold", "mean", "-o", "g.csv"], "--dimensions alone"),
            (["--label", "gender", "--gold", "mean", "--disagreements", "g.csv"], "decisions about a mean"),
            (["--label", "gender", "--adjudicated", "faces.csv"], "without --gold"),
            (["--label", "gender", "--disagreements", "faces.csv"], "it would be lost"),
            (["--label", "gender", "--disagreements", "todo.txt"], "cannot write disagreements"),
            (["--label", "gender", "--faulty-rows", "drop"], "rule for faulty rows"),
        ],
    )
    def test_options_that_do_not_go_together(
        self, faces: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
    ) -> None:
        assert run(["agree", "faces.csv", *words, "--resamples", "0"]) == 2
        assert message in capsys.readouterr().err


def test_decisions_about_what_was_not_rated_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["agree", "long.csv", "--gold", "majority", "-o", "gold.csv", "--adjudicated", "done.csv", *QUICK]
    (folder / "done.csv").write_text("item,attribute,decision\na,expresion,sad\nb,,\n")
    assert run(words) == 2
    error = capsys.readouterr().err
    assert "done.csv: 1 decision about what was not rated:\n  'expresion' (row 1): did you mean 'expression'?" in error
    assert not (folder / "gold.csv").exists()
    (folder / "done.csv").write_text("item,decision\n")
    assert run(words) == 0


def test_disagreements_need_no_gold(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out_of(capsys, "agree", "long.csv", "--disagreements", "todo.csv", "--resamples", "0")
    assert set(read_csv(folder / "todo.csv")["reason"]) == {"tie"}
