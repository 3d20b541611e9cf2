"""Votes of several raters: people in the model's place and the shares of votes as truth, against plain loops."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affectcheck.annotations import RatingColumns, make_table, read_ratings
from affectcheck.errors import InputError
from affectcheck.evaluation import Entrant, EvaluationOptions, evaluate, evaluate_frames, gold_standard
from affectcheck.evaluation.ceiling import CEILINGS, LEFT_OUT, MEAN, OTHERS, RANDOM
from affectcheck.evaluation.grouping import attribute, clusters
from affectcheck.evaluation.stepping import align_after_steps
from affectcheck.evaluation.voted import Votes
from affectcheck.evaluation.weighting import Rows, WeightedBook
from affectcheck.metrics import METRICS
from affectcheck.predictions import PredictionColumns
from affectcheck.predictions.formats import predictions_from_frame
from affectcheck.records import RunRecord, decode_run, encode_run
from affectcheck.records.run import Header
from affectcheck.schemes import CategoryScheme, DimensionScheme, Target, UnitScheme
from affectcheck.tallies import Confusion

THREE = CategoryScheme("three", ("calm", "joy", "sad"))
AFFECT = DimensionScheme("affect", ("v", "a"), -2.0, 2.0)
QUICK = EvaluationOptions(resamples=40)


def drawn_votes(seed: int = 0, items: int = 40, most: int = 5) -> pl.DataFrame:
    """Long answers; some items have one rater, and some ties."""
    random = np.random.default_rng(seed)
    rows = []
    for i in range(items):
        truth = random.integers(3)
        for k in range(random.integers(1, most + 1)):
            label = truth if random.random() < 0.6 else random.integers(3)
            rows.append((f"i{i:02d}", f"r{k}", THREE.labels[label]))
    return pl.DataFrame(rows, schema=["item", "rater", "label"], orient="row")


class Case:
    """Votes, the truth made of them, and predictions with probabilities."""

    def __init__(self, seed: int = 0, items: int = 40) -> None:
        random = np.random.default_rng(seed + 100)
        self.ratings = read_ratings(drawn_votes(seed, items), RatingColumns(labels=THREE, name="crowd"))
        gold = gold_standard(self.ratings, "majority").frame
        keys = gold.get_column("item")
        self.frame = gold.select("item", pl.col("expression").cast(pl.String)).with_columns(
            pl.Series("subject", [f"s{i % 8}" for i in range(len(keys))]),
            pl.Series("sex", ["f" if i % 2 else "m" for i in range(len(keys))]),
        )
        self.table = make_table(self.frame, targets=[Target("expression", THREE)], groups=("sex",), name="crowd")
        chances = random.dirichlet(np.ones(3), len(keys))
        scores = {f"p_{label}": chances[:, c] for c, label in enumerate(THREE.labels)}
        self.prediction = predictions_from_frame(
            pl.DataFrame({"item": keys, **scores}), columns=PredictionColumns(scheme=THREE, name="cnn")
        )
        self.chances = chances

    def evaluate(self, *, soft: bool = False, **options: object):
        asked = replace(QUICK, **options)
        return evaluate(self.table, self.prediction, options=asked, votes=Votes(self.ratings, soft=soft))

    @property
    def by_item(self) -> list[np.ndarray]:
        return [self.ratings.values[self.ratings.item == i] for i in range(self.ratings.height)]

    @property
    def truth(self) -> np.ndarray:
        """Codes, -1 where there is no majority."""
        return (
            self.frame.get_column("expression")
            .replace_strict({label: c for c, label in enumerate(THREE.labels)}, default=-1, return_dtype=pl.Int64)
            .to_numpy()
        )


def of(found, human: str, metric: str, part: str = "", *, attribute: str = "", group: str = ""):
    place = (attribute, group, part)
    return next(
        score
        for score in found.ceiling
        if score.signature.model.startswith(f"{human} of ")
        and score.metric == metric
        and (score.place.attribute, score.place.group, score.place.part) == place
    )


def majority(votes: np.ndarray) -> int:
    counts = np.bincount(votes, minlength=3)
    return int(counts.argmax()) if counts.size and (counts == counts.max()).sum() == 1 and counts.max() else -1


def shares_counted(case: Case, answers) -> np.ndarray:
    """Confusion shares, item by item: ``answers(item)`` gives pairs of truth and prediction that share the item."""
    counts = np.zeros((3, 3))
    for i, true in enumerate(case.truth):
        pairs = answers(i) if true >= 0 else []
        for truth, prediction in pairs:
            counts[truth, prediction] += 1 / len(pairs)
    return counts


class TestPeople:
    @pytest.mark.parametrize("seed", range(3))
    @pytest.mark.parametrize("name", [RANDOM, LEFT_OUT, OTHERS])
    def test_each_is_scored_as_the_definition_says(self, seed, name):
        case = Case(seed)

        def answers(i: int) -> list[tuple[int, int]]:
            votes = case.by_item[i]
            if name == RANDOM:
                return [(case.truth[i], v) for v in votes]
            others = [majority(np.delete(votes, j)) for j in range(votes.size)]
            pairs = [(o, v) for o, v in zip(others, votes, strict=True) if o >= 0]
            return pairs if name == LEFT_OUT else [(v, o) for o, v in pairs]

        counts = shares_counted(case, answers)
        tally = Confusion(counts, np.zeros(3))
        found = case.evaluate()
        for metric in ("accuracy", "uar", "uap", "f1_macro"):
            score = of(found, name, metric)
            assert score.value == pytest.approx(float(METRICS.get(metric).compute(tally)), abs=1e-12)
            assert score.support == round(counts.sum())
            assert score.interval.unit == "subject"
        recalls = METRICS.get("recall").compute(tally)
        for c, label in enumerate(THREE.labels):
            assert of(found, name, "recall", label).value == pytest.approx(recalls[c], abs=1e-12)

    def test_a_random_rater_is_the_mean_over_draws(self):
        case, random = Case(1), np.random.default_rng(9)
        known = [i for i, true in enumerate(case.truth) if true >= 0]
        truth, votes = case.truth, case.by_item
        drawn = [np.mean([random.choice(votes[i]) == truth[i] for i in known]) for _ in range(2000)]
        assert of(case.evaluate(), RANDOM, "accuracy").value == pytest.approx(np.mean(drawn), abs=0.01)

    def test_the_mean_rater_is_the_mean_over_raters(self):
        case = Case(2, items=120)
        own = []
        for k in range(5):
            rows = case.ratings.rater == k
            true, answer = case.truth[case.ratings.item[rows]], case.ratings.values[rows]
            kept = true >= 0
            own.append(Confusion.count(true[kept], answer[kept], labels=3))
        found = case.evaluate()
        for metric in ("accuracy", "uar"):
            expected = np.mean([float(METRICS.get(metric).compute(tally)) for tally in own])
            score = of(found, MEAN, metric)
            assert score.value == pytest.approx(expected, abs=1e-12)
            assert "raters=5,minimum=10" in score.signature.options
        recalls = [float(METRICS.get("recall").compute(tally)[1]) for tally in own]
        assert of(found, MEAN, "recall", "joy").value == pytest.approx(np.mean(recalls), abs=1e-12)

    def test_raters_with_few_items_are_no_mean(self):
        case = Case(items=8)
        assert not any(score.signature.model.startswith(MEAN) for score in case.evaluate().ceiling)

    def test_the_mean_of_raters_of_whom_none_has_a_value_is_undefined(self):
        case = Case(2, items=120)
        label = pl.Series("label", ["joy"] * case.ratings.item.size)
        frame = drawn_votes(2, 120).with_columns(label)
        case.ratings = read_ratings(frame, RatingColumns(labels=THREE, name="crowd"))
        case.table = make_table(
            case.frame.with_columns(expression=pl.lit("joy")), targets=[Target("expression", THREE)], groups=("sex",)
        )
        assert of(case.evaluate(metrics=("cohen_kappa",)), MEAN, "cohen_kappa").reason == "undefined for every rater"

    def test_one_who_helped_to_make_the_truth_is_flattered(self):
        found = Case(3, items=200).evaluate()
        assert of(found, RANDOM, "accuracy").value > of(found, LEFT_OUT, "accuracy").value

    def test_groups_and_disparities_are_scored_too(self):
        found = Case(0).evaluate(by=("sex",))
        score = of(found, LEFT_OUT, "uar", attribute="sex", group="f")
        assert score.support < of(found, LEFT_OUT, "uar").support
        eop = of(found, LEFT_OUT, "eop", attribute="sex")
        assert eop.floor is not None
        places = {(s.metric, s.place, s.signature.convention) for s in found}
        people = {(s.metric, s.place, s.signature.convention) for s in found.ceiling if s.signature.model[0] == "l"}
        assert places == people

    def test_signatures_say_who_answers_and_what_is_true(self):
        found = Case().evaluate()
        digest = Case().ratings.digest[:12]
        assert found["uar"].signature.truth == ""
        assert of(found, RANDOM, "uar").signature.truth == ""
        assert of(found, LEFT_OUT, "uar").signature.truth == f"majority of the other raters of crowd@{digest}"
        assert of(found, OTHERS, "uar").signature.truth == f"a rater of crowd@{digest}"
        assert found["uar"].signature.require_comparable(of(found, RANDOM, "uar").signature) is None
        assert {score.signature.model.partition(" of ")[0] for score in found.ceiling} == set(CEILINGS) - (
            set() if any(score.signature.model.startswith(MEAN) for score in found.ceiling) else {MEAN}
        )

    def test_items_are_clusters_where_there_are_no_subjects(self):
        case = Case()
        case.table = make_table(case.frame.drop("subject"), targets=[Target("expression", THREE)], groups=("sex",))
        found = case.evaluate(by=("sex",))
        assert of(found, LEFT_OUT, "uar").interval.unit == "item"
        assert of(found, LEFT_OUT, "uar", attribute="sex", group="m").interval is not None
        assert of(found, LEFT_OUT, "eop", attribute="sex").floor is not None

    def test_shifts_of_groups(self):
        found = Case().evaluate(by=("sex",), shifts="all")
        assert any("_to_" in score.metric for score in found.ceiling)
        balanced = Case().evaluate(by=("sex",), shifts="balanced")
        assert any("_to_" in score.metric for score in balanced)
        assert not any("_to_" in score.metric for score in balanced.ceiling)
        with pytest.raises(InputError, match="balanced sets against shares"):
            Case().evaluate(by=("sex",), shifts="balanced", soft=True)

    def test_people_give_no_probabilities(self):
        found = Case().evaluate(metrics=("uar", "calibration"))
        assert found["calibration"].defined
        assert of(found, RANDOM, "calibration").reason == "raters give labels only, no scores"

    def test_notes_and_record(self):
        case = Case()
        found = case.evaluate()
        assert any(note.startswith("the truth is the majority of the votes for 100.0 %") for note in found.notes)
        record = RunRecord(Header(), scores=found.scores, ceiling_scores=found.ceiling)
        assert decode_run(encode_run(record)).ceiling_scores == found.ceiling

    def test_a_mapping_holds_for_votes(self):
        case = Case()
        found = case.evaluate(mapping="calm=joy")
        assert of(found, RANDOM, "recall", "joy").defined
        dropped = case.evaluate(mapping="calm=")
        calm = int((case.ratings.values[np.isin(case.ratings.item, np.flatnonzero(case.truth > 0))] == 0).sum())
        assert any("votes for classes that are not scored: left out" in note for note in dropped.notes)
        assert calm > 0

    def test_steps_before_and_after(self):
        case = Case()
        assert not case.evaluate().before


class TestShares:
    @pytest.mark.parametrize("seed", range(3))
    def test_scores_are_those_of_fractional_counts(self, seed):
        case = Case(seed)
        decided = case.chances.argmax(axis=1)
        counts = np.zeros((3, 3))
        for i, votes in enumerate(case.by_item):
            for vote in votes:
                counts[vote, decided[i]] += 1 / votes.size
        found, tally = case.evaluate(soft=True), Confusion(counts, np.zeros(3))
        for metric in ("accuracy", "uar", "uap", "f1_macro"):
            assert found[metric].value == pytest.approx(float(METRICS.get(metric).compute(tally)), abs=1e-12)
            assert found[metric].support == case.ratings.height
            assert found[metric].signature.truth == f"shares of crowd@{case.ratings.digest[:12]}"
        expected = np.mean([np.mean(votes == decided[i]) for i, votes in enumerate(case.by_item)])
        assert found["accuracy"].value == pytest.approx(expected, abs=1e-12)

    def test_items_without_a_majority_are_scored_and_stay_unknown(self):
        case = Case()
        ties = int((case.truth < 0).sum())
        found = case.evaluate(soft=True)
        assert ties > 0
        assert found.counts["scored"] == 40
        assert found.items.get_column("truth").null_count() == ties
        assert case.evaluate().counts["scored"] == 40 - ties

    def test_probabilities_against_shares(self):
        case = Case()
        found = case.evaluate(soft=True)
        shares = np.array([np.bincount(votes, minlength=3) / votes.size for votes in case.by_item])
        cross = -(shares * np.log2(case.chances)).sum(axis=1)
        assert found["cross_entropy"].value == pytest.approx(cross.mean(), rel=1e-12)
        assert found["cross_entropy"].interval.clusters == 8
        assert found["soft_jsd"].defined
        assert "cross_entropy" not in case.evaluate()
        grouped = case.evaluate(soft=True, by=("sex",), metrics=("cross_entropy",))
        even = np.arange(40) % 2 == 0
        assert grouped.groups("sex")["cross_entropy"]["m"].value == pytest.approx(cross[even].mean(), rel=1e-12)

    def test_one_label_an_item_is_a_share_of_one(self):
        case = Case()
        case.ratings = read_ratings(
            case.frame.drop_nulls().select("item", pl.col("expression").alias("label")), RatingColumns(labels=THREE)
        )
        soft, hard = case.evaluate(soft=True), evaluate(case.table, case.prediction, options=QUICK)
        for score in hard:
            place, name = score.place, score.metric
            same = next(s for s in soft if (s.metric, s.place) == (name, place))
            assert (same.defined and same.value) == pytest.approx(score.defined and score.value, abs=1e-12)
            assert same.support == score.support
        assert "1 scored item without votes" not in soft.notes

    def test_people_against_votes(self):
        case = Case(1)
        votes = [v for v in case.by_item if v.size > 1]
        pairs = [np.mean([v[j] == v[k] for j in range(v.size) for k in range(v.size) if j != k]) for v in votes]
        every = [np.mean([v[j] == v[k] for j in range(v.size) for k in range(v.size)]) for v in case.by_item]
        others = [
            np.mean([o == x for o, x in known])
            for v in case.by_item
            if (known := [(o, x) for j, x in enumerate(v) if (o := majority(np.delete(v, j))) >= 0])
        ]
        found = case.evaluate(soft=True)
        assert of(found, LEFT_OUT, "accuracy").value == pytest.approx(np.mean(pairs), abs=1e-12)
        assert of(found, RANDOM, "accuracy").value == pytest.approx(np.mean(every), abs=1e-12)
        assert of(found, OTHERS, "accuracy").value == pytest.approx(np.mean(others), abs=1e-12)
        assert not any(score.signature.model.startswith(MEAN) for score in found.ceiling)

    def test_the_confusion_table_has_whole_numbers_near_the_shares(self):
        rows = Case().evaluate(soft=True).tables["confusion"]["rows"]
        assert all(isinstance(row[2], int) for row in rows)
        assert sum(row[2] for row in rows) == pytest.approx(40, abs=4)

    def test_what_was_scored_against_shares_is_not_compared_by_labels(self):
        with pytest.raises(InputError, match="does not hold"):
            Entrant.of(Case().evaluate(soft=True))

    def test_items_without_votes_are_left_out_of_shares_alone(self):
        case = Case()
        case.ratings = case.ratings.of_items(case.ratings.items[:30])
        soft, hard = case.evaluate(soft=True), case.evaluate()
        assert soft.counts["scored"] == 30
        assert any(note.endswith("without votes: left out") for note in soft.notes)
        assert hard.counts["scored"] == int((case.truth >= 0).sum())
        assert any("without votes" in note for note in hard.notes)


class TestDimensions:
    def case(self, *, holes: bool):
        random = np.random.default_rng(4)
        base = random.normal(0, 0.5, (50, 2))
        rows = []
        for i in range(50):
            for k in range(random.integers(1, 5)):
                value = np.clip(base[i] + random.normal(0, 0.3, 2), -2, 2)
                first = None if holes and random.random() < 0.2 else float(value[0])
                rows.append((f"i{i:02d}", f"r{k}", first, float(value[1])))
        frame = pl.DataFrame(rows, schema=["item", "rater", "v", "a"], orient="row")
        ratings = read_ratings(frame, RatingColumns(labels=AFFECT, name="crowd"))
        gold = gold_standard(ratings, "mean").frame.drop("ratings")
        table = make_table(gold, targets=[Target("affect", AFFECT)], name="crowd")
        guess = gold.with_columns(pl.col("v", "a").fill_null(0.0) * 0.5)
        return frame, table, predictions_from_frame(guess, columns=PredictionColumns(scheme=AFFECT, name="net"))

    @pytest.mark.parametrize("holes", [False, True])
    def test_each_is_scored_as_the_definition_says(self, holes):
        frame, table, prediction = self.case(holes=holes)
        found = evaluate(table, prediction, options=QUICK, votes=Votes(frame, RatingColumns(name="crowd")))
        for d, name in enumerate(AFFECT.dimensions):
            given = frame.drop_nulls(name).group_by("item", maintain_order=True).agg(name)
            truth = dict(zip(table.items, table.frame[name], strict=True))
            random, left_out = [], []
            for item, values in given.iter_rows():
                own = np.array(values)
                random += [(truth[item], v, 1 / own.size) for v in own]
                if own.size > 1:
                    left_out += [((own.sum() - v) / (own.size - 1), v, 1 / own.size) for v in own]
            for human, rows in ((RANDOM, random), (LEFT_OUT, left_out)):
                t, p, w = np.array(rows).T
                for metric, value in (("mae", np.average(abs(p - t), weights=w)), ("ccc", weighted_ccc(t, p, w))):
                    assert of(found, human, metric, name).value == pytest.approx(value, abs=1e-9), (d, human)
        assert of(found, LEFT_OUT, "ccc").signature.truth.startswith("mean of the other raters of crowd@")
        assert of(found, MEAN, "ccc").defined
        assert of(found, OTHERS, "mae").value == pytest.approx(of(found, LEFT_OUT, "mae").value, abs=1e-12)

    def test_ranks_of_shares_are_not_defined(self):
        frame, table, prediction = self.case(holes=False)
        options = EvaluationOptions(resamples=0, metrics=("spearman", "jsd", "sign_agreement"))
        found = evaluate(table, prediction, options=options, votes=Votes(frame))
        assert of(found, RANDOM, "spearman").reason == "ranks of shares of items are not defined"
        assert of(found, RANDOM, "jsd").defined
        assert of(found, RANDOM, "sign_agreement").defined

    def test_no_shares_of_values(self):
        frame, table, prediction = self.case(holes=False)
        with pytest.raises(InputError, match="shares of votes for 'affect'"):
            evaluate(table, prediction, votes=Votes(frame, soft=True))

    def test_all_dimensions_of_the_truth_are_rated(self):
        frame, table, prediction = self.case(holes=False)
        with pytest.raises(InputError, match="no ratings of a"):
            evaluate(table, prediction, votes=Votes(frame.drop("a"), RatingColumns(dimensions=("v",))))


def weighted_ccc(t: np.ndarray, p: np.ndarray, w: np.ndarray) -> float:
    t0, p0 = np.average(t, weights=w), np.average(p, weights=w)
    products = np.average((t - t0) * (p - p0), weights=w)
    squares = np.average((t - t0) ** 2, weights=w) + np.average((p - p0) ** 2, weights=w)
    return float(2 * products / (squares + (t0 - p0) ** 2))


class TestReading:
    def test_columns_that_are_called_as_labels_are_counts(self):
        case = Case()
        counts = pl.DataFrame(case.ratings.votes, schema=list(THREE.labels), orient="row").with_columns(
            case.ratings.items
        )
        long, short = (
            case.evaluate(),
            evaluate(case.table, case.prediction, options=QUICK, votes=Votes(counts, RatingColumns(name="crowd"))),
        )
        for name in (RANDOM, LEFT_OUT, OTHERS):
            assert of(short, name, "uar").value == pytest.approx(of(long, name, "uar").value, abs=1e-12)

    def test_frames(self):
        case = Case()
        frame = case.frame.with_columns(pl.Series("prediction", [THREE.labels[c] for c in case.chances.argmax(axis=1)]))
        from affectcheck.evaluation import ScoredColumns

        columns = ScoredColumns(truth="expression", labels=THREE)
        found = evaluate_frames(frame, columns=columns, options=QUICK, votes=Votes(drawn_votes()))
        assert of(found, RANDOM, "uar").value == pytest.approx(of(case.evaluate(), RANDOM, "uar").value, abs=1e-12)

    @pytest.mark.parametrize(
        ("votes", "message"),
        [
            ({"item": ["x"], "label": ["joy"]}, "no scored item has votes"),
            ({"item": ["i00"], "label": ["fear"]}, "no label of the scheme"),
        ],
    )
    def test_votes_that_do_not_belong(self, votes, message):
        case = Case()
        with pytest.raises(InputError, match=message):
            evaluate(case.table, case.prediction, votes=Votes(votes, where="votes.csv"))

    def test_votes_of_another_kind(self):
        case = Case()
        values = read_ratings({"item": ["i00"], "v": [1.0]}, RatingColumns(dimensions=("v",)))
        for soft in (False, True):
            with pytest.raises(InputError, match="votes of dimensions for a target of categories"):
                evaluate(case.table, case.prediction, votes=Votes(values, soft=soft))

    def test_no_votes_for_units(self):
        scheme = UnitScheme("au", ("AU1",))
        table = make_table({"item": ["a"], "AU1": [1]}, targets=[Target("au", scheme)])
        prediction = predictions_from_frame({"item": ["a"], "AU1": [1]}, columns=PredictionColumns(scheme=scheme))
        with pytest.raises(InputError, match="action units"):
            evaluate(table, prediction, votes=Votes({"item": ["a"], "label": ["x"]}))


def test_no_rows_are_an_empty_tally():
    case = Case()
    rows = Rows.of(*(np.zeros(0, np.int64) for _ in range(3)))
    scoring_rows = WeightedBook.of(_aligned(case), clusters(case.table.frame, "subject"), rows)
    assert scoring_rows.pooled(Confusion).support == 0
    assert scoring_rows.by_cluster(Confusion).shape == (8,)


def test_single_items_by_group():
    case = Case()
    aligned = _aligned(case)
    sex = attribute(case.table, aligned.frame, "sex", 0)
    rows = Rows.of(np.array([0, 0, 3]), np.array([0, 1, 2]), np.array([0, 0, 2]))
    book = WeightedBook.of(aligned, clusters(aligned.frame, "subject"), rows)
    found = book.items(Confusion, replace(sex, codes=sex.codes[rows.place]))
    assert found.parts.support.tolist() == [1.0, 1.0]
    assert book.height == 2


def _aligned(case: Case):
    return align_after_steps(case.table, case.prediction, QUICK)


@settings(max_examples=30)
@given(st.lists(st.integers(0, 4), max_size=15))
def test_rows_share_their_items(place):
    rows = Rows.of(np.array(place, np.int64), np.zeros(len(place), np.int64), np.zeros(len(place), np.int64))
    totals = np.bincount(rows.place, rows.weight, 5)
    assert set(totals.round(12)) <= {0.0, 1.0}
    assert rows.items == len(set(place))
    assert (np.diff(rows.place) >= 0).all()
