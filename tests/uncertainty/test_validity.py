"""The simulations of ``benchmarks/validity`` in small, with bounds that a wrong method breaks."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from affectcheck.seeds import rng
from affectcheck.uncertainty import Resampling, resample_items

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def validity(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Loads a module of the benchmark."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return lambda name: importlib.import_module(f"validity.{name}")


def means(validity: Any, claim: str, repetitions: int) -> dict[str, float]:
    chosen = validity("claims").CLAIMS[claim]
    drawn = [chosen.draw(seed) for seed in range(repetitions)]
    return {found.bar.name: found.mean for found in validity("claim").read(chosen, drawn)}


def test_every_claim_draws_what_it_reads(validity: Any) -> None:
    claims = validity("claims").CLAIMS
    assert len(claims) >= 7
    for name, claim in claims.items():
        if name != "verdicts-unlike":  # the slowest, in small below
            assert set(claim.draw(0)) >= {bar.name for bar in claim.bars}, name
            assert any(bar.judged for bar in claim.bars), name


def test_what_is_drawn_is_kept_and_read_again(validity: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    claim, running = validity("claims").CLAIMS["frames-9"], validity("running")
    first = running.simulate(claim, 5, tmp_path, processes=1)
    (kept,) = tmp_path.iterdir()
    kept.write_text(kept.read_text() + '[5, {"sub')  # where a run was ended
    monkeypatch.setattr(running, "_drawn", lambda *_: pytest.fail("drawn again") if _[1] else iter(()))
    assert running.simulate(claim, 5, tmp_path, processes=1) == first
    assert [json.loads(line)[0] for line in kept.read_text().splitlines()[:5]] == [0, 1, 2, 3, 4]


def test_a_bar_holds_within_its_bounds_and_a_rate_has_an_error(validity: Any) -> None:
    module = validity("claim")
    bar = module.Bar("hit", "hits", 0.2, 0.6)
    claim = module.Claim("some", "some", lambda seed: {"hit": seed % 2, "size": 0.5}, (bar, module.Bar("size", "size")))
    hits, size = module.read(claim, [claim.draw(seed) for seed in range(10)])
    assert (hits.mean, hits.held, hits.error) == (0.5, True, "[0.237, 0.763]")
    assert (size.error, size.bar.bounds, bar.bounds) == ("", "", "0.200 … 0.600")
    assert not bar.holds(0.61)


@pytest.mark.slow
class TestInSmall:
    def test_subjects_cover_and_frames_do_not(self, validity: Any) -> None:
        for subjects in (29, 9):
            found = means(validity, f"frames-{subjects}", 300)
            assert 0.91 <= found["subjects"] <= 0.985
            assert 0.90 <= found["bca"] <= 0.985
            assert found["frames"] <= 0.3  # the bound above is none that any interval keeps
            assert found["width"] > 5 * found["frame_width"]

    def test_differences_of_two_models_are_covered(self, validity: Any) -> None:
        found = means(validity, "compare-intervals", 200)
        for name in ("accuracy", "f1_macro", "uar", "local_f1", "ccc"):
            assert 0.90 <= found[f"{name} percentile-t"] <= 1.0
            assert 0.88 <= found[f"{name} bca"] <= 1.0
        assert all(found[f"{name} percentile-t"] <= 0.985 for name in ("accuracy", "f1_macro", "uar", "ccc"))

    def test_items_resampled_in_the_place_of_subjects_are_found_out(self, validity: Any) -> None:
        module = validity("comparing")
        held = []
        for seed in range(150):
            first = module.categories(rng(seed, "found out"), (0, 0)).first.pooled(1)
            found = resample_items(first.pooled(0), Resampling(300, seed)).intervals(
                lambda t: module.statistic("uar", t)
            )
            true = float(module.statistic("uar", module.true_counts(0).pooled(0)))
            held.append(float(found.low) <= true <= float(found.high))
        assert np.mean(held) < 0.85

    def test_exchangeable_models_are_seldom_told_apart(self, validity: Any) -> None:
        found = means(validity, "compare-null", 300)
        assert all(0.015 <= found[name] <= 0.09 for name in ("accuracy", "f1_macro", "uar", "local_f1", "ccc"))

    def test_a_true_null_is_rejected_at_any_level_alike(self, validity: Any) -> None:
        """A test that counted half as many draws as extreme would reject at .10 where it should at .05."""
        from affectcheck.uncertainty import Exchanging, exchange

        module = validity("comparing")
        found = [
            float(
                exchange(
                    module.dimensions(rng(seed, "level"), (0, 0)),
                    [lambda t: module.statistic("ccc", t)],
                    Exchanging(199, seed),
                )[0].p_value
            )
            for seed in range(300)
        ]
        for level in (0.1, 0.3, 0.6):
            assert np.mean(np.array(found) <= level) == pytest.approx(
                level, abs=3.5 * np.sqrt(level * (1 - level) / 300)
            )

    def test_equal_treatment_seldom_exceeds_though_the_limit_alone_is_mostly_passed(self, validity: Any) -> None:
        found = means(validity, "verdicts-alike", 300)
        assert all(found[name] <= 0.075 for name in ("age", "race", "gender"))
        assert found["age limit"] > 0.95  # the limit alone would call nearly all of them unfair
        assert 0.10 <= found["age value"] <= 0.16

    def test_unequal_treatment_exceeds(self, validity: Any) -> None:
        module = validity("verdicts")
        drawn = [module.one_unlike(seed, "age", 0.2, "steps")["age steps 0.20"] for seed in range(60)]
        assert np.mean(drawn) >= 0.8

    def test_pictures_are_covered(self, validity: Any) -> None:
        found = means(validity, "pictures", 60)
        assert all(value >= 0.85 for value in found.values())
