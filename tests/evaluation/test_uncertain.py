"""Intervals, floors and differences: what is resampled, when there is none, and how often they hold."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from affect_tables import LABELS, affect, labelled, predicted, predicted_affect

from affectcheck import seeds
from affectcheck.evaluation import EvaluationOptions, ScoredColumns, evaluate, evaluate_frames, uncertain
from affectcheck.evaluation.disparity import decided
from affectcheck.records import NoiseFloor, Score


def corpus(subjects: int, items: int, seed: int = 0, spread: float = 0.0) -> dict[str, list[str]]:
    """Truth, predictions and subjects; each subject has a hit rate of its own."""
    random = seeds.rng(seed, "corpus")
    truth, made, subject, sex = [], [], [], []
    for number in range(subjects):
        rate = float(np.clip(0.6 + spread * random.standard_normal(), 0.05, 0.95))
        for item in range(items):
            label = LABELS[item % len(LABELS)]
            wrong = [other for other in LABELS if other != label]
            truth.append(label)
            made.append(label if random.random() < rate else wrong[int(random.integers(2))])
            subject.append(f"s{number:03d}")
            sex.append("f" if number % 2 else "m")
    return {"truth": truth, "made": made, "subject": subject, "sex": sex}


class TestClusters:
    def test_subjects_are_resampled(self) -> None:
        data = corpus(8, 9)
        found = evaluate(labelled(data["truth"], subject=data["subject"]), predicted(data["made"]))["uar"]
        assert isinstance(found, Score)
        assert found.interval is not None
        assert (found.interval.unit, found.interval.clusters) == ("subject", 8)
        assert found.interval.low < found.value < found.interval.high
        assert "fewer than 20" in found.interval.note

    def test_fewer_than_five_give_none_and_say_what_would(self) -> None:
        data = corpus(4, 9)
        table = labelled(data["truth"], subject=data["subject"], sex=data["sex"])
        found = evaluate(table, predicted(data["made"]), options=EvaluationOptions(by=("sex",)))
        for score in (found["uar"], found.parts("recall")["anger"], found.groups("sex")["uar"]["f"]):
            assert isinstance(score, Score)
            assert score.interval is None
            assert any(note.startswith("no interval: ") and "needs at least 5" in note for note in score.notes)
        assert "leaving out one subject" in found["uar"].notes[0]

    def test_media_then_items_stand_in_and_it_is_said(self) -> None:
        data = corpus(6, 9)
        by_media = evaluate(labelled(data["truth"], media=data["subject"]), predicted(data["made"]))
        assert by_media["uar"].signature.clusters == "media 6"
        assert by_media.notes == ("the table names no subject, so media files are resampled",)
        by_item = evaluate(labelled(data["truth"]), predicted(data["made"]))
        assert by_item["uar"].signature.clusters == "item 54"
        assert by_item["uar"].interval is not None
        assert by_item["uar"].interval.unit == "item"

    def test_a_signature_counts_the_clusters_of_the_items_that_entered(self) -> None:
        data = corpus(7, 9)
        sex = ["unknown" if name == "s000" else group for name, group in zip(data["subject"], data["sex"], strict=True)]
        table = labelled(data["truth"], subject=data["subject"], sex=sex)
        found = evaluate(table, predicted(data["made"]), options=EvaluationOptions(by=("sex",)))
        assert found["uar"].signature.clusters == "subject 7"
        by_group = found.groups("sex")["uar"]
        assert {group: score.signature.clusters for group, score in by_group.items()} == {
            "f": "subject 3",
            "m": "subject 3",
        }
        assert found.by("sex")["eop"].signature.clusters == "subject 6"
        assert found.by("sex")["eop"].signature.n == "54"
        differences = [one for one in found.scores if one.metric.endswith("_difference")]
        assert {one.signature.clusters for one in differences} == {"subject 6"}
        by_item = evaluate(
            labelled(data["truth"], sex=sex), predicted(data["made"]), options=EvaluationOptions(by=("sex",))
        )
        assert by_item.groups("sex")["uar"]["f"].signature.clusters == "item 27"

    def test_a_unit_may_be_asked_for(self) -> None:
        data = corpus(6, 9)
        options = EvaluationOptions(clusters="item", metrics=("uar",))
        found = evaluate(labelled(data["truth"], subject=data["subject"]), predicted(data["made"]), options=options)
        assert found["uar"].signature.clusters == "item 54"
        assert not any("resampled" in note for note in found.notes)

    def test_items_without_a_subject_are_clusters_of_their_own(self) -> None:
        data = corpus(6, 9)
        subject = [None if index < 3 else name for index, name in enumerate(data["subject"])]
        found = evaluate(labelled(data["truth"], subject=subject), predicted(data["made"]))
        assert found["uar"].signature.clusters == "subject 9"
        assert "3 items without a subject: each its own cluster" in found.notes

    def test_the_same_seed_gives_the_same_and_another_does_not(self) -> None:
        data = corpus(8, 9)
        table, made = labelled(data["truth"], subject=data["subject"]), predicted(data["made"])
        first, again, other = (
            evaluate(table, made, options=EvaluationOptions(seed=seed, metrics=("uar",)))["uar"].interval
            for seed in (1, 1, 2)
        )
        assert first == again
        assert first != other

    @pytest.mark.parametrize("subject", [True, False])
    def test_dimensions_have_intervals_too(self, subject: bool) -> None:
        random = seeds.rng(0, "dims")
        truth = random.random((60, 2))
        made = np.clip(truth + 0.1 * random.standard_normal((60, 2)), 0, 1)
        names = [f"s{n % 10}" for n in range(60)] if subject else None
        table = affect(truth, subject=names, sex=["f", "m"] * 30)
        found = evaluate(table, predicted_affect(made), options=EvaluationOptions(by=("sex",)))
        for score in (
            found["ccc"],
            found.parts("jsd")["valence"],
            found.groups("sex")["mae"]["f"],
            found.by("sex")["ccc_difference"],
        ):
            assert isinstance(score, Score)
            assert score.interval is not None
            assert score.interval.low <= score.value <= score.interval.high
        assert found.by("sex")["ccc_gap"].floor is not None
        assert found.tables["histogram"]["columns"] == ["dimension", "low", "high", "truth", "prediction"]


class TestFloors:
    @pytest.mark.parametrize("clustered", [True, False])
    def test_a_disparity_has_a_floor_and_no_interval(self, clustered: bool) -> None:
        data = corpus(10, 12)
        table = labelled(data["truth"], subject=data["subject"] if clustered else None, sex=data["sex"])
        found = evaluate(table, predicted(data["made"]), options=EvaluationOptions(by=("sex",)))
        for name in ("eop", "sp", "uar_gap"):
            score = found.by("sex")[name]
            assert isinstance(score, Score), name
            assert score.interval is None
            assert score.floor is not None
            assert score.floor.draws == (252 if clustered else 1000)  # 10 subjects are dealt out in 252 ways
            assert score.floor.mean <= score.floor.quantile

    def test_equal_treatment_seldom_stands_out(self) -> None:
        above = 0
        for seed in range(40):
            data = corpus(12, 12, seed)
            table = labelled(data["truth"], subject=data["subject"], sex=data["sex"])
            options = EvaluationOptions(by=("sex",), metrics=("uar_gap",), resamples=200)
            score = evaluate(table, predicted(data["made"]), options=options).by("sex")["uar_gap"]
            assert isinstance(score, Score)
            assert score.floor is not None
            above += score.value > score.floor.quantile
        assert above <= 6  # 5 % of 40 is 2; more than 6 has a probability below 1 %


class TestDifferences:
    def test_with_equal_subjects_it_is_welchs_test_of_their_own_values(self) -> None:
        from scipy import stats

        data = corpus(10, 12)
        table = labelled(data["truth"], subject=data["subject"], sex=data["sex"])
        found = evaluate(table, predicted(data["made"]), options=EvaluationOptions(by=("sex",), metrics=("accuracy",)))
        score = found.by("sex")["accuracy_difference"]
        hits = np.array([t == m for t, m in zip(data["truth"], data["made"], strict=True)]).reshape(10, 12).mean(axis=1)
        expected = stats.ttest_ind(hits[1::2], hits[::2], equal_var=False).confidence_interval(0.95)
        assert score.value == pytest.approx(hits[1::2].mean() - hits[::2].mean())
        assert score.interval.low == pytest.approx(expected.low)
        assert score.interval.high == pytest.approx(expected.high)
        assert score.interval.method == "jackknife t"
        assert score.interval.clusters == 10

    def test_a_subject_in_both_groups_is_compared_with_itself(self) -> None:
        from scipy import stats

        data = corpus(8, 12)
        language = ["en", "de"] * 48
        table = labelled(data["truth"], subject=data["subject"], language=language)
        found = evaluate(
            table, predicted(data["made"]), options=EvaluationOptions(by=("language",), metrics=("accuracy",))
        )
        score = found.by("language")["accuracy_difference"]
        hits = (
            np.array([t == m for t, m in zip(data["truth"], data["made"], strict=True)]).reshape(8, 6, 2).mean(axis=1)
        )
        expected = stats.ttest_rel(hits[:, 1], hits[:, 0]).confidence_interval(0.95)
        assert (score.interval.low, score.interval.high) == pytest.approx((expected.low, expected.high))
        assert score.place.group == "de-en"

    def test_one_subject_a_side_gives_none(self) -> None:
        data = corpus(2, 12)
        table = labelled(data["truth"], subject=data["subject"], sex=data["sex"])
        found = evaluate(table, predicted(data["made"]), options=EvaluationOptions(by=("sex",)))
        score = found.by("sex")["uar_difference"]
        assert score.interval is None
        assert any("needs 2 on each side" in note for note in score.notes)

    def test_three_groups_have_gaps_but_no_difference(self) -> None:
        table = labelled(("anger",) * 3, age=("a", "b", "c"))
        found = evaluate(table, predicted(("anger",) * 3), options=EvaluationOptions(by=("age",), resamples=20))
        assert not any(score.metric.endswith("_difference") for score in found)

    @pytest.mark.slow
    def test_coverage_with_unequal_subjects_and_a_ratio(self) -> None:
        """UAR over subjects of 3 to 60 items with rates of their own: the interval holds the true 0 about 95 times in 100."""
        held = total = 0
        for seed in range(200):
            random = seeds.rng(seed, "sizes")
            parts = [corpus(1, 3 * int(random.integers(1, 21)), 1000 * seed + s, 0.15) for s in range(16)]
            data = {key: [value for part in parts for value in part[key]] for key in ("truth", "made")}
            subject = [f"s{s:02d}" for s, part in enumerate(parts) for _ in part["truth"]]
            sex = ["f" if s % 2 else "m" for s, part in enumerate(parts) for _ in part["truth"]]
            table = labelled(data["truth"], subject=subject, sex=sex)
            options = EvaluationOptions(by=("sex",), metrics=("uar",), resamples=1)
            score = evaluate(table, predicted(data["made"]), options=options).by("sex")["uar_difference"]
            held += score.interval.low <= 0.0 <= score.interval.high
            total += 1
        assert 0.90 <= held / total <= 0.99


def test_many_items_without_clusters_are_dealt_into_blocks() -> None:
    data = corpus(100, 9)
    table = labelled(data["truth"], sex=data["sex"])
    found = evaluate(table, predicted(data["made"]), options=EvaluationOptions(by=("sex",), metrics=("uar",)))
    assert found["uar"].signature.clusters == "item 900"
    score = found.by("sex")["uar_difference"]
    assert score.interval.clusters == 900
    assert 0.08 < score.interval.high - score.interval.low < 0.18  # 4 * sqrt(2 * .24 / 450) = .13


def test_a_mean_over_groups_has_an_interval_and_no_floor() -> None:
    data = corpus(10, 12)
    table = labelled(data["truth"], subject=data["subject"], sex=data["sex"])
    found = evaluate(table, predicted(data["made"]), options=EvaluationOptions(by=("sex",))).by("sex")["local_f1"]
    assert isinstance(found, Score)
    assert found.floor is None
    assert found.interval is not None
    assert found.interval.low < found.value < found.interval.high


def biased(subjects: int, hits: float, *, seed: int = 0) -> pl.DataFrame:
    """Two classes, two sexes; the model is right for women, and for men with a share of ``hits``."""
    draw = seeds.rng(seed, "biased", subjects)
    rows = []
    for subject in range(subjects):
        for n in range(20):
            truth = n % 2
            right = subject % 2 == 0 or draw.random() < hits
            rows.append(
                (f"{subject}-{n}", str(subject), "fm"[subject % 2], "ab"[truth], "ab"[truth if right else 1 - truth])
            )
    return pl.DataFrame(rows, schema=["item", "subject", "sex", "truth", "prediction"], orient="row")


def gap(frame: pl.DataFrame) -> Score:
    options = EvaluationOptions(by=("sex",), metrics=("uar", "uar_gap"), resamples=200)
    found = evaluate_frames(frame, columns=ScoredColumns(labels=("a", "b")), options=options).by("sex")["uar_gap"]
    assert isinstance(found, Score)
    return found


def test_a_gap_is_judged_against_limit_and_noise_floor() -> None:
    assert gap(biased(20, 0.6)).decision.outcome == "exceeds"
    assert gap(biased(20, 1.0)).decision.outcome == "within"
    floor = NoiseFloor(mean=0.12, quantile=0.2, draws=1000)
    noisy = decided(0.15, floor, 0.1, "")
    assert noisy.outcome == "inconclusive"
    assert "dealt out at random reach 0.200" in noisy.reason
    assert decided(0.15, None, 0.1, "").outcome == "inconclusive"
    near = decided(0.42324, NoiseFloor(0.4, 0.42318, 1000), 0.1, "")
    assert near.outcome == "exceeds"
    assert "above the 0.42318 that" in near.reason, "rounded to three decimals, it would be said to exceed itself"


def test_a_gap_over_too_few_subjects_is_inconclusive_whatever_its_value() -> None:
    found = gap(biased(4, 0.3))
    assert found.value > 0.3
    assert found.decision.outcome == "inconclusive"
    assert "at least 5" in found.decision.reason
    lonely = biased(8, 0.3).filter((pl.col("sex") == "f") | (pl.col("subject") == "1"))
    assert "1 subject of sex 'm'" in gap(lonely).decision.reason


def test_a_disparity_is_judged_in_a_scaling_that_admits_a_limit_alone() -> None:
    options = EvaluationOptions(by=("sex",), metrics=("eop",), resamples=50)
    found = evaluate_frames(biased(20, 0.6), columns=ScoredColumns(labels=("a", "b")), options=options)
    judged = {s.signature.convention: s.decision for s in found if s.metric == "eop"}
    assert judged["paper"] is None
    assert judged["tables"].outcome == "exceeds"
    assert judged["tables"].limit == 0.1


class TestManyItemsWithoutClusters:
    """They are dealt into lots, whose intervals are those of the items."""

    def test_lots_vary_as_their_items_do(self, monkeypatch: pytest.MonkeyPatch) -> None:
        random = np.random.default_rng(0)
        truth = random.uniform(0, 1, (5000, 2))
        made = np.clip(truth + random.normal(0, 0.3, truth.shape), 0, 1)
        table = affect(truth, sex=["fm"[n % 3 > 0] for n in range(5000)])
        options = EvaluationOptions(by=("sex",), metrics=("ccc",), resamples=1000)
        items = evaluate(table, predicted_affect(made), options=options)
        monkeypatch.setattr(uncertain, "MOST_RESAMPLED", 100)
        lots = evaluate(table, predicted_affect(made), options=options)
        for one, other in zip(items, lots, strict=True):
            assert one.value == other.value
            assert one.interval.clusters == other.interval.clusters
            width = one.interval.high - one.interval.low
            assert other.interval.high - other.interval.low == pytest.approx(width, rel=0.1)

    def test_too_many_ranks_are_not_drawn_anew(self, monkeypatch: pytest.MonkeyPatch) -> None:
        random = np.random.default_rng(1)
        truth = random.uniform(0, 1, (60, 2))
        monkeypatch.setattr(uncertain, "MOST_RANKED", 1000)
        options = EvaluationOptions(metrics=("spearman",), resamples=50)
        found = evaluate(affect(truth), predicted_affect(truth), options=options)["spearman"]
        assert found.interval is None
        assert "no interval: 50 resamples of 120 values" in found.notes[0]
        assert "up to 20 are ranked" in found.notes[0]

    def test_nor_are_their_groups(self, monkeypatch: pytest.MonkeyPatch) -> None:
        random = np.random.default_rng(1)
        truth = random.uniform(0, 1, (60, 2))
        monkeypatch.setattr(uncertain, "MOST_RANKED", 1000)
        options = EvaluationOptions(metrics=("spearman", "spearman_gap"), by=("sex",), resamples=50)
        table = affect(truth, sex=["fm"[n % 2] for n in range(60)])
        found = evaluate(table, predicted_affect(truth), options=options).by("sex")
        assert "no noise floor: 100 draws by group of 120 values" in " ".join(found["spearman_gap"].notes)
        assert "no interval: 400 leave-outs of 120 values" in " ".join(found["spearman_difference"].notes)
