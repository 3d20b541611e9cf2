"""Agreement with intervals, gold standards, and who agrees with whom, against plain loops and published values."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy.stats import pearsonr, spearmanr
from sklearn.metrics import cohen_kappa_score

from affectcheck.annotations import RatingColumns, Ratings, read_csv, read_ratings
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.evaluation import AgreementOptions, agreement, gold_standard, rater_weights
from affectcheck.schemes import CategoryScheme

LABELS = ("calm", "joy", "sad")
QUICK = AgreementOptions(resamples=50)


def drawn(seed: int = 0, items: int = 60, raters: int = 4, absent: float = 0.2) -> pl.DataFrame:
    """Long ratings of classes and of two dimensions, the last rater guessing; items of ten subjects."""
    random = np.random.default_rng(seed)
    truth, rows = random.integers(0, 3, items), []
    for i in range(items):
        for k in range(raters):
            if random.random() < absent:
                continue
            guess = k == raters - 1 or random.random() < 0.3
            label = LABELS[random.integers(3) if guess else truth[i]]
            value = random.normal() if k == raters - 1 else truth[i] + random.normal() * 0.3 * (k + 1)
            rows.append((f"i{i:02d}", f"r{k}", label, value, -value + random.normal(), f"s{i % 10}"))
    return pl.DataFrame(rows, schema=["item", "rater", "label", "v", "a", "subject"], orient="row")


def classes(frame: pl.DataFrame, **columns: object) -> Ratings:
    return read_ratings(frame, RatingColumns(labels=LABELS, **columns))  # type: ignore[arg-type]


def values(frame: pl.DataFrame) -> Ratings:
    return read_ratings(frame, RatingColumns(dimensions=("v", "a")))


class TestScores:
    def test_intervals_by_subjects_and_by_items(self):
        found = agreement(drawn(), columns=RatingColumns(labels=LABELS), options=QUICK)
        score = found["alpha_nominal"]
        assert score.interval.unit == "subject"
        assert score.interval.clusters == 10
        assert score.interval.low < score.value < score.interval.high
        assert str(score.signature).startswith(
            "alpha_nominal|labels:calm,joy,sad|target:expression|options:level=nominal"
        )
        by_item = agreement(drawn(), columns=RatingColumns(labels=LABELS), options=AgreementOptions(clusters="item"))
        assert by_item["alpha_nominal"].interval.unit == "item"
        assert by_item["alpha_nominal"].value == score.value

    def test_the_order_of_rows_and_names_of_raters_mean_nothing(self):
        frame = drawn()
        renamed = frame.sample(fraction=1.0, shuffle=True, seed=3).with_columns(
            pl.col("rater").replace({"r0": "z", "r2": "b"})
        )
        one, other = (agreement(classes(table), options=QUICK) for table in (frame, renamed))
        for first, second in zip(one, other, strict=True):
            assert first.value == pytest.approx(second.value, abs=1e-12), first.metric

    def test_cohens_kappa_of_pairs_is_the_mean_of_scikit_learns(self):
        frame = drawn()
        wide = frame.pivot(on="rater", index="item", values="label")
        expected = []
        for i in range(4):
            for j in range(i):
                both = wide.select(f"r{i}", f"r{j}").drop_nulls()
                expected.append(cohen_kappa_score(both[f"r{i}"].to_list(), both[f"r{j}"].to_list(), labels=LABELS))
        found = agreement(classes(frame), options=QUICK)
        assert found["cohen_kappa_of_pairs"].value == pytest.approx(np.mean(expected), abs=1e-12)
        assert sorted(found.pairs["cohen_kappa"]) == pytest.approx(sorted(expected), abs=1e-12)
        assert "mean of 6 pairs of raters" in found["cohen_kappa_of_pairs"].signature.options

    def test_correlations_of_pairs_are_those_of_scipy(self):
        frame = drawn()
        wide = frame.pivot(on="rater", index="item", values="v")
        pairs = [wide.select(f"r{i}", f"r{j}").drop_nulls().to_numpy().T for i in range(4) for j in range(i)]
        found = agreement(values(frame), options=QUICK)
        for name, function in (("pcc", pearsonr), ("spearman", spearmanr)):
            expected = np.mean([function(*pair).statistic for pair in pairs])
            assert found.parts(f"{name}_of_pairs")["v"].value == pytest.approx(expected, abs=1e-12)
        assert found.parts("ccc_of_pairs")["v"].interval.clusters > 4

    def test_an_order_of_classes_brings_weights(self):
        scheme = CategoryScheme("three", LABELS, ordered=True)
        found = agreement(drawn(), columns=RatingColumns(labels=scheme), options=QUICK)
        assert {"alpha_ordinal", "weighted_kappa_of_pairs", "weighted_kappa_to_others"} <= {s.metric for s in found}
        assert not any(s.metric == "alpha_ordinal" for s in agreement(classes(drawn()), options=QUICK))

    def test_every_level_of_values(self):
        frame = drawn().with_columns((pl.col("v") * 2).round().clip(0).alias("v"))
        ratings = read_ratings(frame, RatingColumns(dimensions=("v",)))
        levels = ("nominal", "ordinal", "interval", "ratio")
        found = agreement(ratings, options=AgreementOptions(levels=levels, resamples=50))
        assert [s.metric for s in found.scores[:4]] == [f"alpha_{level}" for level in levels]
        assert all(s.interval is not None for s in found.scores[:4])

    def test_many_distinct_values_have_differences_alone(self):
        random = np.random.default_rng(0)
        frame = pl.DataFrame({"item": [f"{i // 2}" for i in range(2200)], "v": random.normal(size=2200)})
        ratings = read_ratings(frame, RatingColumns(dimensions=("v",)))
        found = agreement(ratings, options=AgreementOptions(levels=("interval", "ordinal"), resamples=0))
        assert found.parts("alpha_interval")["v"].defined
        assert found.parts("alpha_ordinal")["v"].reason.startswith("2200 distinct values")

    def test_too_many_to_be_resampled_say_so(self, monkeypatch: pytest.MonkeyPatch):
        from affectcheck.evaluation import agreement_means, agreement_scores

        for module in (agreement_means, agreement_scores):
            monkeypatch.setattr(module, "MOST_HELD", 1)
        monkeypatch.setattr(agreement_means, "MOST_RANKED", 1)
        found = agreement(values(drawn()), options=AgreementOptions(levels=("ordinal",), resamples=50))
        assert {note for score in found for note in score.notes} == {
            "no interval: too many clusters, and raters or values, to resample them"
        }

    def test_without_resamples_there_are_no_intervals_and_no_notes_about_them(self):
        found = agreement(classes(drawn()), options=AgreementOptions(resamples=0))
        assert all(score.interval is None and not score.notes for score in found)
        assert "resamples" not in str(found["alpha_nominal"].signature)

    def test_undefined_agreement_says_why(self):
        same = {"item": ["a", "a", "b", "b"], "rater": ["1", "2"] * 2, "label": ["sad"] * 4}
        found = agreement(same, options=AgreementOptions(minimum_items=2, resamples=10))
        assert found["alpha_nominal"].reason == "all ratings are sad"
        assert found.parts("alpha_nominal")["sad"].reason == "all ratings are sad"
        assert found["cohen_kappa_of_pairs"].reason == "no variation in any of the pairs of raters"
        few = agreement(same, options=AgreementOptions(resamples=10))
        assert few["cohen_kappa_of_pairs"].reason == "no pairs of raters with at least 10 items in common"
        assert few["cohen_kappa_of_pairs"].support == 0
        constant = read_ratings(same | {"v": [0.5] * 4}, RatingColumns(dimensions=("v",)))
        found = agreement(constant, options=AgreementOptions(resamples=0, levels=("interval", "nominal")))
        assert {s.reason for s in found.scores[:2]} == {"all ratings are 0.5"}

    def test_comparisons_that_are_undefined_are_counted(self):
        frame = pl.concat([drawn(), drawn().unique("item").with_columns(rater=pl.lit("mute"), label=pl.lit("sad"))])
        mute = classes(frame.filter((pl.col("rater") != "r0") | (pl.col("label") == "sad")))
        found = agreement(mute, options=AgreementOptions(resamples=0))
        score = found["cohen_kappa_of_pairs"]
        assert score.undefined_parts == 1
        assert score.notes == ("1 of 10 pairs of raters left out: no variation",)

    def test_counts_and_notes(self):
        votes = {"item": ["a", "b", "c", "d"], "joy": [2, 1, 1, 0], "sad": [0, 1, 0, 0]}
        found = agreement(votes, columns=RatingColumns(counts=("joy", "sad")), options=QUICK)
        assert found.counts == {
            "items": 4,
            "ratings": 5,
            "raters": None,
            "items_by_ratings": {0: 1, 1: 1, 2: 2},
            "unpairable": 2,
            "no_majority": 1,
            "unanimous": 1,
        }
        assert found.raters.height == found.pairs.height == 0
        unequal = agreement(
            {"item": ["a", "b"], "joy": [2, 3], "sad": [1, 1]}, columns=RatingColumns(counts=("joy", "sad"))
        )
        assert any("from 3 to 4 ratings" in note for note in unequal.notes)

    def test_raters_with_few_items_are_counted(self):
        frame = pl.concat([drawn(), drawn().head(1).with_columns(rater=pl.lit("guest"))])
        found = agreement(classes(frame), options=QUICK)
        assert "1 rater with fewer than 10 items that others rate too" in found.notes
        assert any("pairs of raters with fewer than 10" in note for note in found.notes)
        assert found.raters.filter(pl.col("rater") == "guest")["cohen_kappa"].to_list() == [None]

    def test_names(self):
        found = agreement(classes(drawn()), options=QUICK)
        with pytest.raises(UnknownNameError, match="alpha_nominl"):
            found["alpha_nominl"]
        with pytest.raises(UnknownNameError, match="weighted_kappa_of_pairs"):
            found.parts("weighted_kappa_of_pairs")
        assert set(found.parts("fleiss_kappa")) == set(LABELS)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"levels": ("nominel",)}, "nominel"),
            ({"clusters": "media"}, "media"),
            ({"resamples": -1}, "resamples -1"),
            ({"minimum_items": 1}, "2 or more items"),
            ({"level": 1.0}, "level 1.0"),
        ],
    )
    def test_options_that_are_none(self, options, message):
        with pytest.raises(InputError, match=message):
            AgreementOptions(**options)

    @pytest.mark.parametrize(("level", "kind"), [("interval", classes), ("ratio", classes), ("ratio", values)])
    def test_levels_that_ratings_do_not_have(self, level, kind):
        with pytest.raises(InputError, match=f"level {level}"):
            agreement(kind(drawn()), options=AgreementOptions(levels=(level,)))


class TestRaters:
    def test_the_one_who_guesses_agrees_least(self):
        for ratings in (classes(drawn(items=150)), values(drawn(items=150))):
            found = agreement(ratings, options=QUICK)
            assert found.raters["rater"][0] == "r3"
            assert found.raters["ratings"].sum() == len(ratings.item)

    def test_a_rater_is_compared_with_the_majority_of_the_others(self):
        frame = pl.DataFrame(
            {
                "item": ["a"] * 3 + ["b"] * 3 + ["c"] * 2,
                "rater": ["1", "2", "3", "1", "2", "3", "1", "2"],
                "label": ["joy", "sad", "sad", "joy", "joy", "joy", "sad", "sad"],
            }
        )
        found = agreement(classes(frame), options=AgreementOptions(minimum_items=2, resamples=0))
        by_rater = dict(zip(found.raters["rater"], found.raters["accuracy"], strict=True))
        # Of item a, only rater 1 faces a majority: the others are split where 2 or 3 is left out.
        assert by_rater == {"1": pytest.approx(2 / 3), "2": 1.0, "3": None}
        assert dict(zip(found.raters["rater"], found.raters["compared"], strict=True)) == {"1": 3, "2": 2, "3": 1}

    def test_dimensions_with_missing_ratings(self):
        frame = drawn().with_columns(pl.when(pl.col("rater") == "r1").then(None).otherwise(pl.col("a")).alias("a"))
        found = agreement(values(frame), options=QUICK)
        row = found.raters.filter(pl.col("rater") == "r1").row(0, named=True)
        assert row["ccc_a"] is None
        assert row["weight_a"] == 0.0
        assert row["ccc"] == row["ccc_v"]
        assert found.parts("ccc_of_pairs")["a"].defined


class TestGold:
    def test_weights_are_correlations_with_the_mean_of_the_others(self):
        frame, ratings = drawn(), values(drawn())
        weights = rater_weights(ratings)
        wide = frame.pivot(on="rater", index="item", values="v")
        for k in range(3):
            others = [f"r{j}" for j in range(4) if j != k]
            rows = wide.with_columns(mean=pl.mean_horizontal(others)).select(f"r{k}", "mean").drop_nulls()
            assert weights[ratings.raters.index(f"r{k}"), 0] == pytest.approx(pearsonr(*rows.to_numpy().T).statistic)

    def test_who_rates_against_the_others_has_no_weight(self):
        item, base = [f"{i}" for i in range(8)], np.arange(8.0)
        table = {
            "item": item * 3,
            "rater": ["x"] * 8 + ["y"] * 8 + ["against"] * 8,
            "v": [*base, *(base + 0.5 * (base == 0.0)), *(-0.1 * base)],
        }
        ratings = read_ratings(table, RatingColumns(dimensions=("v",)))
        assert rater_weights(ratings)[2, 0] == 0.0
        ewe = gold_standard(ratings, "ewe").frame["v"].to_numpy()
        assert ewe == pytest.approx(base, abs=0.3)
        assert gold_standard(ratings, "mean").frame["v"][7] == pytest.approx((7 + 7 - 0.7) / 3)

    def test_equal_raters_of_full_agreement_give_the_mean(self):
        table = {"item": ["a", "a", "b", "b", "c", "c"], "rater": ["1", "2"] * 3, "v": [1.0, 1.0, 2.0, 2.0, 4.0, 4.0]}
        ratings = read_ratings(table, RatingColumns(dimensions=("v",)))
        assert rater_weights(ratings).ravel().tolist() == [1.0, 1.0]
        assert gold_standard(ratings, "ewe").frame["v"].to_list() == [1.0, 2.0, 4.0]

    def test_majority(self):
        gold = gold_standard(classes(drawn()), "majority", minimum_share=0.5)
        assert gold.frame.columns == ["item", "expression", "votes", "agreement"]
        assert gold.ties > 0

    @pytest.mark.parametrize(
        ("ratings", "how", "message"),
        [
            (values, "majority", "majority of values"),
            (classes, "mean", "mean of classes"),
            (classes, "ewe", "of classes"),
            (classes, "median", "median"),
            (lambda frame: values(frame.drop("rater")), "ewe", "without names"),
        ],
    )
    def test_what_has_no_such_standard(self, ratings, how, message):
        with pytest.raises(InputError, match=message):
            gold_standard(ratings(drawn()), how)


@pytest.mark.shared
class TestRealVotes:
    def test_crema_d_voices(self, shared_data):
        table = read_csv(shared_data / "data" / "crema-d-ratings" / "tabulatedVotes.csv.gz")
        voices = table.filter(pl.col("column_1").str.starts_with("1"))
        voices = voices.with_columns(pl.col("fileName").str.slice(0, 4).alias("subject"))
        columns = RatingColumns(item="fileName", counts=tuple("ADFHNS"))
        found = agreement(voices, columns=columns, options=AgreementOptions(resamples=200))
        assert found.counts["items"] == 7442
        assert found.counts["no_majority"] == 644
        assert found["alpha_nominal"].value == pytest.approx(0.2811, abs=5e-5)
        assert found["alpha_nominal"].interval.clusters == 91

    def test_emobank_readers(self, shared_data):
        table = read_csv(shared_data / "data" / "emobank-vad" / "individual_reader_ratings.csv.gz")
        columns = RatingColumns(item="id", dimensions={"valence": "V", "arousal": "A", "dominance": "D"})
        found = agreement(table, columns=columns, options=AgreementOptions(resamples=0)).parts("alpha_interval")
        assert [round(found[name].value, 3) for name in found] == [0.344, 0.245, 0.220]

    def test_ferplus(self, shared_data):
        table = read_csv(shared_data / "data" / "ferplus-votes" / "fer2013new.csv.gz").with_row_index("row")
        columns = RatingColumns(item="row", counts=tuple(table.columns[3:]))
        found = agreement(table, columns=columns, options=AgreementOptions(resamples=0))
        assert found["fleiss_kappa"].value == pytest.approx(0.5151, abs=5e-5)
        assert found.counts["items_by_ratings"] == {9: 1, 10: 35886}
