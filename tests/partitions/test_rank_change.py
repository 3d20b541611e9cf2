"""Two rankings of the same models: from items of two test sets, from two partitions, from published scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from affectcheck.annotations import make_table
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.evaluation import EvaluationOptions, Layout, ScoredItems
from affectcheck.metrics import METRICS
from affectcheck.partitions import (
    Listed,
    Partition,
    PartitionOptions,
    RankOptions,
    partition,
    rank_change,
    rank_change_of_partitions,
    rank_change_of_scores,
    read_scores,
)
from affectcheck.predictions import PredictionColumns
from affectcheck.predictions.formats import predictions_from_frame
from affectcheck.records import Signature
from affectcheck.schemes import CategoryScheme, Target
from affectcheck.uncertainty import Redealt

LABELS = ("calm", "joy", "sad")
QUICK = RankOptions(resamples=200, draws=40)
SKILL = {"good": 2.0, "fair": 1.0, "poor": 0.0, "bad": -1.0}


def truth_of(subjects: range, items: int = 15, *, seed: int = 0) -> pl.DataFrame:
    random = np.random.default_rng(seed)
    rows = [(f"s{s:02d}/{i}", f"s{s:02d}", LABELS[random.integers(3)]) for s in subjects for i in range(items)]
    return pl.DataFrame(rows, schema=["item", "cluster", "truth"], orient="row")


def answers(truth: pl.DataFrame, skill: float, seed: int) -> list[str]:
    random = np.random.default_rng(seed)
    right = random.random(truth.height) < 1 / (1 + np.exp(-skill))
    codes = truth["truth"].to_list()
    return [c if r else LABELS[(LABELS.index(c) + 1) % 3] for c, r in zip(codes, right, strict=True)]


def scored(truth: pl.DataFrame, predicted: list[str], **layout: object) -> ScoredItems:
    frame = truth.with_columns(prediction=pl.Series(predicted, dtype=pl.Enum(LABELS)))
    frame = frame.with_columns(pl.col("truth").cast(pl.Enum(LABELS)))
    told = {"unit": "subject", "data": "d@1", "no_scores": "the model gives labels only"} | layout
    return ScoredItems(frame, Layout("expression", "categories", LABELS, **told))


def board(subjects: range, *, skills: dict[str, float] = SKILL, seed: int = 0, **layout: object):
    truth = truth_of(subjects, seed=seed)
    return {m: scored(truth, answers(truth, s, seed + k), **layout) for k, (m, s) in enumerate(skills.items())}


class TestItems:
    def test_the_same_order_on_both(self):
        found = rank_change(board(range(20)), board(range(20, 40), seed=50), options=QUICK)
        assert found.tau.value == 1.0
        assert found.tau.interval.low > 0.3
        assert found.tau.interval.high == 1.0
        assert found.metric == "uar"
        assert found.models["model"].to_list() == list(SKILL)
        assert set(found.models["change"]) == {0}
        assert found.movers.is_empty()
        assert not found.pairs["swapped"].any()
        assert (
            found.pairs.filter((pl.col("first") == "good") & (pl.col("second") == "bad"))["verdict"][0] == "same order"
        )
        assert isinstance(found.redealt, Redealt)
        assert found.redealt.p_value > 0.05
        assert set(found.stability["set"]) == {"a", "b"}
        assert found.resampled[0] <= found.resampled[1]

    def test_scores_are_those_of_the_metric(self):
        first = board(range(20))
        found = rank_change(first, board(range(20, 30)), options=replace(QUICK, metric="f1_macro"))
        one = first["fair"].frame
        codes = [one[name].to_physical().to_numpy() for name in ("truth", "prediction")]
        value = METRICS.get("f1_macro").compute(METRICS.get("f1_macro").tally.count(*codes, labels=3))
        assert found.models.filter(pl.col("model") == "fair")["score_a"].item() == pytest.approx(float(value))

    def test_another_order_on_each(self):
        turned = dict(zip(SKILL, reversed(SKILL.values()), strict=True))
        found = rank_change(board(range(30)), board(range(30, 60), skills=turned, seed=9), options=QUICK)
        assert found.tau.value == -1.0
        assert found.tau.interval.high < 0.0
        assert found.redealt.p_value < 0.02
        assert set(found.pairs["verdict"].head(1)) <= {"swapped", "not decided"}
        assert found.pairs["swap_probability"][0] > 0.9
        assert found.movers["change"].abs().to_list() == [3, 3, 1, 1]

    def test_the_signature_says_how(self):
        found = rank_change(board(range(20)), board(range(20, 40)), options=QUICK)
        signature = Signature.parse(str(found.signature))
        assert signature.metric == "kendall_tau_b"
        assert signature.options == "of=uar,models=4"
        assert signature.n == "300,300"
        assert signature.clusters == "subject 20,20"
        assert (signature.resamples, signature.seed, signature.part) == ("200", "0", "a,b")
        assert signature.data.count("d@") == 2
        again = rank_change(board(range(20)), board(range(20, 40)), options=QUICK)
        assert again.plain() == found.plain()

    def test_sets_that_share_subjects_are_drawn_at_once(self):
        whole = board(range(30))
        first, second = ({m: replace(s, frame=s.frame[rows]) for m, s in whole.items()} for rows in
                         (slice(0, 300), slice(150, 450)))  # fmt: skip
        found = rank_change(first, second, options=QUICK)
        assert found.notes == ("in both test sets: 150 items, 10 subjects; they are drawn for both at once",)
        assert isinstance(found.redealt, Redealt)
        same = rank_change(whole, whole, options=QUICK)
        assert same.redealt == "0 subjects in one test set alone: to deal them anew takes 5"
        assert same.pairs["swap_probability"].max() == 0.0
        assert same.resampled == (1.0, 1.0)

    def test_clusters_of_another_data_set_are_others(self):
        other = board(range(100, 120), data="e@2")
        renamed = {
            m: replace(s, frame=s.frame.with_columns(cluster=pl.col("cluster").str.replace("s1", "s")))
            for m, s in other.items()
        }
        found = rank_change(board(range(20)), renamed, options=QUICK)
        assert found.notes == ()

    def test_few_subjects_have_no_interval(self):
        found = rank_change(board(range(3)), board(range(3, 30)), options=QUICK)
        assert found.tau.interval is None
        assert "3 subject clusters" in found.tau.notes[0]
        assert isinstance(found.redealt, str)
        assert set(found.stability["set"]) == {"b"}

    def test_nothing_is_drawn_where_nothing_is_asked_for(self):
        found = rank_change(board(range(20)), board(range(20, 40)), options=RankOptions(resamples=0, draws=0))
        assert found.tau.interval is None
        assert found.tau.signature.resamples == ""
        assert "swap_probability" not in found.pairs.columns
        assert found.stability.is_empty()
        assert found.resampled is None
        assert found.plain()["redealt"] == {"reason": "no resamples were asked for"}

    def test_ties_alone_have_no_tau(self):
        one = board(range(20))["good"]
        found = rank_change({"x": one, "y": one}, {"x": one, "y": one}, options=QUICK)
        assert found.tau.reason == "all models are tied in both sets"
        assert found.resampled is None
        single = rank_change({"x": one}, {"x": one}, options=QUICK)
        assert "1 model has both scores" in single.tau.reason
        assert single.pairs.is_empty()

    def test_an_undefined_score_is_told(self):
        truth = truth_of(range(12)).with_columns(truth=pl.lit("joy"))
        two = {m: scored(truth, ["joy"] * truth.height) for m in ("x", "y")}
        found = rank_change(two, two, options=replace(QUICK, metric="mcc")) if "mcc" in METRICS else None
        wanted = found or rank_change(two, two, options=replace(QUICK, metric="cohen_kappa"))
        assert not wanted.tau.defined
        assert wanted.models["rank_a"].null_count() == 2

    def test_rarely_defined_resamples_give_no_interval(self):
        truth = truth_of(range(8), 1).with_columns(truth=pl.Series(["sad", *["joy"] * 7]))
        two = {m: scored(truth, ["sad" if k == m else "joy" for k in range(8)]) for m in range(2)}
        named = {f"m{m}": items for m, items in two.items()}
        found = rank_change(named, named, options=replace(QUICK, metric="cohen_kappa"))
        assert found.tau.interval is None or found.tau.interval.undefined_resamples > 0

    def test_single_items_are_dealt_into_lots(self, monkeypatch):
        monkeypatch.setattr("affectcheck.partitions.rank_boards.MOST_LOTS", 30)
        sides = []
        for subjects, seed in ((range(20), 0), (range(20, 40), 5)):
            truth = truth_of(subjects).with_columns(cluster=pl.lit(None, pl.String))
            sides.append(
                {m: scored(truth, answers(truth, s, seed + k), unit="item") for k, (m, s) in enumerate(SKILL.items())}
            )
        found = rank_change(*sides, options=QUICK)
        assert found.notes == ("items were dealt into 60 lots, each drawn as one",)
        assert found.tau.signature.clusters == "item 300,300"
        assert found.tau.interval.clusters == 300

    def test_errors_are_ranked_the_other_way(self):
        random = np.random.default_rng(0)
        frame = pl.DataFrame(
            {
                "item": [f"i{k}" for k in range(80)],
                "cluster": [f"s{k % 10}" for k in range(80)],
                "truth_v": random.random(80),
            }
        )
        layout = Layout("affect", "dimensions", ("v",), 0.0, 1.0, unit="subject", data="d@1")
        sides = {
            f"noise {noise}": ScoredItems(frame.with_columns(prediction_v=pl.col("truth_v") * (1 - noise)), layout)
            for noise in (0.4, 0.1)
        }
        found = rank_change(sides, sides, options=replace(QUICK, metric="mae"))
        assert found.models["model"].to_list() == ["noise 0.1", "noise 0.4"]
        assert found.models["score_a"].is_sorted()
        assert found.pairs["difference_a"][0] > 0.0
        few = rank_change(sides, sides, options=RankOptions("spearman", resamples=20, draws=5))
        assert few.metric == "spearman"
        with pytest.raises(InputError, match="fewer resamples"):
            rank_change(sides, sides, options=RankOptions("spearman", resamples=10_000_000, draws=0))

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (
                lambda a, b: ({"good": a["good"]}, {"bad": b["bad"]}),
                "no model is on both sets: 'good' on a, 'bad' on b",
            ),
            (lambda a, b: (a, {m: replace(s, frame=s.frame.head(0)) for m, s in b.items()}), "no scored items on b"),
            (lambda a, b: (a | {"good": replace(a["good"], frame=a["good"].frame.head(20))}, b), "items"),
            (
                lambda a, b: (a, {m: replace(s, layout=replace(s.layout, unit="media")) for m, s in b.items()}),
                "media clusters",
            ),
        ],
    )
    def test_what_does_not_go_together(self, change, message):
        with pytest.raises(InputError, match=message):
            rank_change(*change(board(range(8)), board(range(8, 16))), options=QUICK)

    @pytest.mark.parametrize(
        ("metric", "message"),
        [
            ("recall", "level 'part'"),
            ("eop", "level 'disparity'"),
            ("ccc", "for dimensions"),
            ("cross_entropy", "of models on a: the model gives labels only"),
            ("p_expr", "is defined for 8"),
            ("f1_macroo", "did you mean"),
        ],
    )
    def test_what_ranks_no_models(self, metric, message):
        with pytest.raises(InputError, match=message):
            rank_change(board(range(8)), board(range(8, 16)), options=replace(QUICK, metric=metric))

    def test_models_of_one_set_alone_are_named(self):
        first = board(range(20))
        second = {m: s for m, s in board(range(20, 40)).items() if m != "bad"}
        found = rank_change(first, second, options=QUICK)
        assert found.models.height == 3
        assert found.notes == ("left out, since they are on a alone: 'bad'",)

    @pytest.mark.parametrize(
        "options", [{"names": ("a", "a")}, {"names": ("a", "")}, {"resamples": -1}, {"level": 1.0}]
    )
    def test_options(self, options):
        with pytest.raises(InputError):
            RankOptions(**options)


TABLE = make_table(
    truth_of(range(40))
    .rename({"cluster": "subject", "truth": "expression"})
    .with_columns(old=pl.when(pl.col("subject") < "s05").then(pl.lit("test")).otherwise(pl.lit("train"))),
    targets=(Target("expression", CategoryScheme("three", LABELS)),),
    name="faces",
)
PREDICTIONS = {
    name: predictions_from_frame(
        pl.DataFrame({"item": TABLE.items, "prediction": answers(truth_of(range(40)), skill, 20 + k)}),
        columns=PredictionColumns(scheme=CategoryScheme("three", LABELS), name=name),
    )
    for k, (name, skill) in enumerate(SKILL.items())
}
#: Ranks on AffectNet-8 before its new partition as paper 1 (section III-A) states them, and the scores of Table V after.
AFFECTNET_8 = {
    "model": ["POSTER++", "MT-EffNet", "DAN", "MA-Net", "EmoGCN", "EAC", "DACL"],
    "rank_a": [1, 2, 3, 4, 5, 6, 7],
    "score_b": [55.7, 53.4, 52.4, 49.4, 53.7, 53.2, 53.6],
}


class TestPartitions:
    def test_a_column_and_a_partition(self):
        new = partition(TABLE, options=PartitionOptions(seed=3))
        assert isinstance(new, Partition)
        options = replace(QUICK, names=("old", "new"))
        found = rank_change_of_partitions(TABLE, PREDICTIONS, ("old", new), options=options)
        tested = len(new.items("test"))
        assert found.signature.n == f"75,{tested}"
        assert "test of old@" in found.signature.data
        assert any("outside the set 'test' of new: a model that was trained on new may" in note for note in found.notes)
        frame = rank_change_of_partitions(
            TABLE, PREDICTIONS, ("old", new.frame), options=replace(options, metric="uar")
        )
        assert frame.tau.value == found.tau.value

    def test_one_partition_twice_has_nothing_seen(self):
        found = rank_change_of_partitions(TABLE, PREDICTIONS, ("old", "old"))
        assert not any("trained" in note for note in found.notes)

    def test_what_is_no_partition(self):
        with pytest.raises(UnknownNameError, match="unknown column of a partition 'oldd'"):
            rank_change_of_partitions(TABLE, PREDICTIONS, ("oldd", "old"))
        with pytest.raises(UnknownNameError, match="unknown set of the partition a 'valid'"):
            rank_change_of_partitions(TABLE, PREDICTIONS, ("old", "old"), evaluation=EvaluationOptions(part="valid"))


class TestPublished:
    def test_the_ranking_changes_as_the_paper_says(self):
        found = rank_change_of_scores(read_scores(AFFECTNET_8, "rank_a"), read_scores(AFFECTNET_8, "score_b"))
        # 6 of 21 pairs more are ordered alike than the other way: (12 - 9) / 21.
        assert found.tau.value == pytest.approx(3 / 21)
        assert found.p_value == pytest.approx(0.7726, abs=1e-4)
        assert found.models["model"].to_list() == ["POSTER++", "EmoGCN", "DACL", "MT-EffNet", "EAC", "DAN", "MA-Net"]
        assert found.models["rank_b"].to_list() == [1, 2, 3, 4, 5, 6, 7]
        assert found.pairs["swapped"].sum() == 9
        assert found.tau.notes == ("no interval: the items behind the scores are not known",)
        assert found.signature.seed == ""

    def test_errors_and_ranks_are_better_where_they_are_lower(self):
        assert read_scores({"model": ["x"], "score": [0.1]}, metric="mae").lower_is_better
        assert not read_scores({"model": ["x"], "score": [0.1]}, metric="ccc").lower_is_better
        assert not read_scores({"model": ["x"], "score": ["0.1"]}, metric="my own").lower_is_better
        assert read_scores({"model": ["x"], "rank": [1]}).lower_is_better

    def test_tied_scores_are_permuted_by_the_seed(self):
        scores = {f"m{k}": float(k // 2) for k in range(12)}
        found = rank_change_of_scores(scores, Listed(scores), options=RankOptions(seed=4, metric="uar"))
        assert found.method == "10000 random orders"
        assert found.signature.seed == "4"
        assert found.signature.options == "of=uar,models=12"

    def test_what_stands_in_one_list_alone(self):
        found = rank_change_of_scores({"x": 1.0, "y": 2.0, "z": 3.0}, {"x": 1.0, "y": float("nan"), "w": 1.0})
        assert found.tau.reason.startswith("1 model has both scores")
        assert found.p_value is None
        assert found.notes == (
            "in a alone: 'z'",
            "in b alone: 'w'",
            "without a score in b, and so without a rank: 'y'",
        )

    def test_a_model_without_a_score_moves_nobody(self):
        found = rank_change_of_scores({"x": 3.0, "y": 2.0, "z": 1.0}, {"x": float("nan"), "y": 2.0, "z": 1.0})
        rows = {row["model"]: (row["rank_a"], row["rank_b"], row["change"]) for row in found.models.to_dicts()}
        assert rows == {"y": (1, 1, 0), "z": (2, 2, 0), "x": (None, None, None)}
        assert found.tau.value == 1.0
        assert ",models=2|" in str(found.tau.signature)

    def test_a_name_that_is_no_metric_is_told(self):
        told = rank_change_of_scores({"x": 1.0}, {"x": 1.0}, options=replace(QUICK, metric="mea")).notes
        assert told[0].startswith("'mea' is no metric that is known here: did you mean")
        assert told[0].endswith("higher is taken as better")
        ranked = Listed({"x": 1.0}, lower_is_better=True)
        assert not rank_change_of_scores(ranked, ranked, options=replace(QUICK, metric="mea")).notes
        with pytest.raises(InputError, match="no model is in both lists"):
            rank_change_of_scores({"x": 1.0}, {"y": 1.0})

    @pytest.mark.parametrize(
        ("table", "message"),
        [
            ({"name": ["x"], "score": [1]}, "unknown column of scores 'model'"),
            ({"model": ["x"], "value": [1]}, "unknown column of scores 'score'"),
            ({"model": ["x", "x"], "score": [1, 2]}, r"two rows: 'x' \(rows 1, 2\)"),
            ({"model": [None], "score": [1]}, "without a name"),
            ({"model": ["x"], "score": ["high"]}, "no numbers"),
        ],
    )
    def test_what_is_no_list(self, table, message):
        with pytest.raises(InputError, match=message):
            read_scores(table)
