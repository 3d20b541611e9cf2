"""What a test needs and takes, in plain words."""

from __future__ import annotations

from affectcheck.behaviour import explain, load_suites
from affectcheck.behaviour.explanation_needs import requirement_lines

ACCENT, LANGUAGE, SENTIMENT, PITCH, ROOM, RECORDING = load_suites(
    [
        "fairness-accent",
        "fairness-language",
        "fairness-linguistic-sentiment",
        "fairness-pitch",
        "robustness-simulated-room",
        "robustness-recording-condition",
    ]
)


def test_groups_that_are_compared_and_their_least_subjects() -> None:
    lines = requirement_lines(ACCENT)
    assert (
        "Counts: groups with at least 5 of female and 5 of male as sex, where column and subjects are known." in lines
    )
    (groups,) = [line for line in lines if line.startswith("Groups:")]
    assert groups.startswith("Groups: amharic, arabic,")
    assert groups.endswith("vietnamese; others are left out.")
    assert "  Counts: groups with at least 5 of female" in explain(ACCENT)


def test_groups_that_are_merged_and_groups_within_groups() -> None:
    assert "Groups: zh-CN counts as zh, zh-TW counts as zh." in requirement_lines(LANGUAGE)
    lines = requirement_lines(SENTIMENT)
    assert "Needs: a column language, a column sentiment." in lines
    assert "Within: the values of sentiment are compared inside each group." in lines


def test_bins_of_a_number_that_is_measured_where_it_is_missing() -> None:
    lines = requirement_lines(PITCH)
    assert "Needs: labels, a column subject, a column f0_hz, or the medium audio to measure it." in lines
    (bins,) = [line for line in lines if line.startswith("Groups:")]
    assert "bins of a subject's mean f0_hz: low above 0 up to 145, medium above 145 up to 190" in bins
    assert bins.endswith("values outside 50 to 350 are not counted; at least 25 items a subject.")
    assert PITCH.groups is not None
    assert PITCH.groups.bins is not None
    of_items = PITCH.groups.bins.model_copy(
        update={"column": "age_years", "mean_over": "item", "valid": None, "minimum_items": 1}
    )
    groups = PITCH.groups.model_copy(update={"bins": of_items})
    lines = requirement_lines(PITCH.model_copy(update={"groups": groups}))
    assert "Needs: labels, a column age_years, a column subject." in lines
    assert (
        "Groups: bins of age_years: low above 0 up to 145, medium above 145 up to 190, high above 190 up to 350."
        in lines
    )


def test_draws_and_sizes() -> None:
    assert "Draws: 5000 items where there are more, from a seed." in requirement_lines(ROOM)
    assert "Draws: 5000 pairs where there are more, from a seed." in requirement_lines(RECORDING)
    sized = ROOM.data.model_copy(
        update={"maximum_items_per": "language", "minimum_items": 30, "duration_s": (1.0, 10.0)}
    )
    lines = requirement_lines(ROOM.model_copy(update={"data": sized}))
    assert "Draws: 5000 items of each language where there are more, from a seed." in lines
    assert "Counts: tables of at least 30 items." in lines
    assert "Counts: clips of 1 to 10 s." in lines


def test_nothing_is_said_of_what_is_not_asked() -> None:
    bare = ROOM.data.model_copy(update={"media": (), "labels": False, "sets": (), "maximum_items": None})
    update = {"data": bare, "perturbation": None, "reference": LANGUAGE.reference}
    assert requirement_lines(ROOM.model_copy(update=update)) == []
