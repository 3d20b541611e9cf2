"""The format: every family of paper 2 fits into it, mistakes are named, and what cannot be run says so."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from affectcheck.behaviour import (
    definition_names,
    explain,
    load_suite,
    load_suites,
    parse_definition,
    plan,
    read_definition,
    suite_names,
)
from affectcheck.errors import InputError, MissingPathError, UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """
name = "made-test"
title = "Made"
question = "Is it so?"
source = "paper 2, Table I"
"""

#: A definition of every family of paper 2 that no shipped file stands for.
FAMILIES = {
    "correctness-consistency": """
family = "correctness"
kind = "consistency"
data = { labels = true, sets = ["CREMA-D", "EmoDB"] }
reference = { kind = "truth" }
[[task]]
kind = "dimensions"
dimensions = ["arousal"]
ranges = [
  { name = "low", categories = ["boredom", "sadness"], high = 0.45 },
  { name = "neutral", categories = ["neutral"], low = 0.3, high = 0.6 },
  { name = "high", categories = ["anger", "fear", "surprise"], low = 0.55 },
]
[[task.comparison]]
metric = "in_range"
per = "range"
rule = "gt"
limit = 0.75
[published]
ranges = [{ name = "neutral", categories = ["neutral"], low = 0.3, high = 0.7 }]
""",
    "correctness-distribution": """
family = "correctness"
kind = "distribution"
reference = { kind = "truth" }
[[task]]
kind = "categories"
[[task.comparison]]
metric = "share"
per = "class"
rule = "abs_lt"
limit = 0.15
[[task]]
kind = "dimensions"
histogram_edges = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
[[task.comparison]]
metric = "mean"
rule = "abs_lt"
limit = 0.03
[[task.comparison]]
metric = "jsd"
rule = "lt"
limit = 0.2
[published]
histogram_edges = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
""",
    "correctness-speaker-average": """
family = "correctness"
kind = "speaker average"
reference = { kind = "truth" }
speakers = { minimum_items = 10, minimum_items_per_class = 8, minimum_speakers = 6 }
[[task]]
kind = "categories"
sets = ["IEMOCAP (all sessions)", "MELD", "MSP-Podcast test-1"]
[[task.comparison]]
metric = "mae"
per = "class"
rule = "lt"
limit = 0.1
[[task.comparison]]
metric = "mde"
per = "class"
rule = "abs_lt"
limit = 0.05
[[task]]
kind = "dimensions"
[[task.comparison]]
metric = "mae"
rule = "lt"
limit = 0.1
""",
    "correctness-speaker-ranking": """
family = "correctness"
kind = "speaker ranking"
reference = { kind = "truth" }
speakers = { minimum_items = 10, quantile = 0.25, quantile_rounding = "half even" }
[[task]]
kind = "dimensions"
[[task.comparison]]
metric = "spearman"
rule = "abs_gt"
limit = 0.7
absolute = true
[[task.comparison]]
metric = "precision_top"
rule = "gt"
limit = 0.7
[[task.comparison]]
metric = "precision_bottom"
rule = "gt"
limit = 0.7
[[task.comparison]]
metric = "top_bottom_confusions"
rule = "lt"
limit = 0.15
""",
    "fairness-accent": """
family = "fairness"
kind = "group prediction"
data = { labels = false, columns = ["accent"], sets = ["Speech Accent Archive"] }
groups = { columns = ["accent"], values = ["amharic", "arabic", "vietnamese"] }
reference = { kind = "combined" }
simulation = { groups = 30, items_per_group = 60 }
[[task]]
kind = "categories"
[[task.comparison]]
metric = "share"
per = "class"
rule = "abs_lt"
limit = 0.225
threshold = "simulated"
[[task]]
kind = "dimensions"
bin_edges = [0.25, 0.5, 0.75]
[[task.comparison]]
metric = "mean"
rule = "abs_lt"
limit = 0.075
threshold = "simulated"
[[task.comparison]]
metric = "share"
per = "bin"
rule = "abs_lt"
limit = 0.225
threshold = "simulated"
[published]
minimum_per_bin = 4
""",
    "fairness-language": """
family = "fairness"
kind = "group prediction"
data = { labels = false, maximum_items = 2000, maximum_items_per = "language" }
groups = { columns = ["language"], merged = { "zh-CN" = "zh", "zh-TW" = "zh" } }
reference = { kind = "combined" }
[[task]]
kind = "dimensions"
[[task.comparison]]
metric = "mean"
rule = "abs_lt"
limit = 0.03
""",
    "fairness-linguistic-sentiment": """
family = "fairness"
kind = "group shift"
data = { labels = false, maximum_items = 2000, maximum_items_per = "language" }
groups = { columns = ["language"], within = "sentiment" }
reference = { kind = "mean over groups" }
[[task]]
kind = "categories"
[[task.comparison]]
metric = "share"
per = "class"
rule = "abs_lt"
limit = 0.075
""",
    "fairness-pitch": """
family = "fairness"
kind = "group difference"
balance = { by = "truth" }
reference = { kind = "combined" }
[groups.bins]
column = "pitch_hz"
edges = [0, 145, 190, 350]
names = ["low", "medium", "high"]
mean_over = "subject"
valid = [50, 350]
minimum_items = 25
[[task]]
kind = "categories"
[[task.comparison]]
metric = "recall"
per = "class"
rule = "abs_lt"
limit = 0.225
""",
    "robustness-simulated-position": """
family = "robustness"
kind = "perturbation"
data = { labels = false, maximum_items = 5000 }
perturbation = { augmentation = "impulse-response", parameters = { role = "position" } }
[reference]
kind = "perturbed"
perturbation = { augmentation = "impulse-response", parameters = { response = "reference" } }
[[task]]
kind = "categories"
[[task.comparison]]
metric = "unchanged"
rule = "gt"
limit = 0.8
""",
    "robustness-recording-condition": """
family = "robustness"
kind = "recording"
data = { labels = false, columns = ["microphone", "speaker", "text"], maximum_items = 5000 }
reference = { kind = "recording", column = "microphone", value = "headset", join = ["speaker", "text"] }
[[task]]
kind = "categories"
[[task.comparison]]
metric = "unchanged"
rule = "gt"
limit = 0.8
""",
    "robustness-low-quality-phone": """
family = "robustness"
kind = "perturbation"
data = { media = ["audio"], duration_s = [0.76, 30] }
perturbation = { augmentation = "low-quality-phone" }
reference = { kind = "clean" }
[[task]]
kind = "dimensions"
[[task.comparison]]
metric = "mean"
rule = "abs_lt"
limit = 0.05
""",
}


def parsed(body: str, **changes: Any) -> Any:
    return parse_definition(tomllib.loads(HEAD + body) | changes)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_format_carries_every_family_of_paper_2(family: str, speech: Any) -> None:
    definition = parsed(FAMILIES[family], name=family)
    assert definition.published.prediction_decimals == 2
    assert definition.corrected.prediction_decimals is None
    assert explain(definition)
    (planned,) = plan([definition], speech.card(), speech.table).tests
    assert planned.definition == definition


def test_every_shipped_definition_is_valid_runnable_and_explained() -> None:
    assert suite_names() == ("correctness", "fairness", "robustness", "faces")
    everything = load_suites(suite_names())
    assert sorted(d.name for d in everything) == list(definition_names())
    for suite in suite_names():
        for definition in load_suite(suite):
            assert suite in (definition.family, "faces")
            assert definition.name.startswith(f"face-{definition.family}" if suite == "faces" else suite)
            assert "paper 2" in definition.source
            assert all(c.source for task in definition.task for c in task.comparison)


def test_suites_tests_and_files_are_loaded_once_in_the_order_named(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(HEAD + FAMILIES["fairness-accent"])
    found = load_suites(["robustness", "robustness-gain", str(own), "correctness-regression"])
    assert [d.name for d in found] == [
        *(d.name for d in load_suite("robustness")),
        "made-test",
        "correctness-regression",
    ]


def test_names_that_do_not_exist_get_suggestions(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'fairness'"):
        load_suites(["fairnes"])
    with pytest.raises(UnknownNameError, match="unknown suite"):
        load_suite("fairness-sex")
    with pytest.raises(MissingPathError, match=r"none\.toml"):
        read_definition(tmp_path / "none.toml")


def test_a_list_is_no_definition(tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    own.write_text("[]")
    with pytest.raises(InputError, match="not a test definition"):
        read_definition(own)


def test_two_different_tests_of_one_name_are_refused(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text((HEAD + FAMILIES["fairness-accent"]).replace("made-test", "fairness-sex"))
    with pytest.raises(InputError, match="two tests are called 'fairness-sex'"):
        load_suites(["fairness", str(own)])


@pytest.mark.parametrize("content", [b"name = ", b"\xff\xfe"])
def test_a_file_that_is_no_toml_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"bad\.toml: not TOML"):
        read_definition(path)


def test_unknown_keys_are_errors_with_the_nearest_key_at_every_depth() -> None:
    body = FAMILIES["fairness-accent"].replace('columns = ["accent"], values', 'columns = ["accent"], valuez')
    body = body.replace('metric = "mean"', 'metric = "mean"\nlimitt = 3') + "quantle = 0.9\n"
    with pytest.raises(InputError) as caught:
        parsed(body, famili="fairness")
    text = str(caught.value)
    for expected in (
        "4 faults",
        "groups.valuez: unknown key 'valuez'",
        "did you mean 'values'?",
        "task.1.comparison.0.limitt: unknown key 'limitt'",
        "did you mean 'limit' or 'limits'?",
        "published.quantle: unknown key 'quantle'",
        "did you mean 'quantile'?",
        "famili: unknown key 'famili'",
        "did you mean 'family'?",
    ):
        assert expected in text


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('metric = "share"', 'metric = "shares"', "unknown compared metric 'shares'"),
        ('kind = "group prediction"', 'kind = "speaker average"', "needs \\[speakers\\]"),
        ('kind = "group prediction"', 'kind = "perturbation"', "needs \\[perturbation\\]"),
        ('kind = "group prediction"', 'kind = "group shift"', "groups.within"),
        ('groups = { columns = ["accent"], values = ["amharic", "arabic", "vietnamese"] }', "", "needs \\[groups\\]"),
        ('groups = { columns = ["accent"],', "groups = {", "by columns or by bins"),
        ("bin_edges = [0.25, 0.5, 0.75]", "", "needs bin_edges"),
        ('per = "bin"', 'per = "range"', "needs ranges"),
        ('per = "bin"', 'per = "class"', "only categories"),
        ('reference = { kind = "combined" }', 'reference = { kind = "perturbed" }', "names its perturbation"),
        ('reference = { kind = "combined" }', 'reference = { kind = "recording" }', "names column, value and join"),
        ("limit = 0.075", "", "Field required"),
        ("items_per_group = 60 }", 'items_per_group = 60, truth = "none" }', "unknown key 'truth'"),
        ('name = "made-test"', 'name = "Made Test"', "String should match pattern"),
    ],
)
def test_what_does_not_fit_together_is_refused(old: str, new: str, message: str) -> None:
    text = HEAD + FAMILIES["fairness-accent"]
    assert old in text
    with pytest.raises(InputError, match=message):
        parse_definition(tomllib.loads(text.replace(old, new)))


@pytest.mark.parametrize(("key", "value"), [("published", "yes"), ("corrected", 3)])
def test_a_mode_is_a_table(key: str, value: object) -> None:
    with pytest.raises(InputError, match=key):
        parsed(FAMILIES["correctness-consistency"].split("[published]")[0], **{key: value})


def test_bins_of_a_number_need_rising_edges_and_a_name_each() -> None:
    with pytest.raises(InputError, match="one name for each bin"):
        parsed(FAMILIES["fairness-pitch"].replace('"medium", ', ""))


def test_a_definition_without_comparisons_is_no_test() -> None:
    with pytest.raises(InputError, match="at least 1 item"):
        parse_definition(
            tomllib.loads(HEAD)
            | {"family": "correctness", "kind": "regression", "reference": {"kind": "truth"}, "task": []}
        )


def test_modes_are_two() -> None:
    (definition,) = load_suites(["fairness-sex"])
    assert definition.rules("published").items_per_group == 1000
    assert definition.rules("corrected").items_per_group is None
    with pytest.raises(UnknownNameError, match="unknown mode"):
        definition.rules("lenient")  # type: ignore[arg-type]


def test_the_text_says_what_a_reader_needs() -> None:
    text = explain(load_suites(["fairness-sex"])[0])
    for expected in (
        "for women as for men",
        "0.175",
        "Table III",
        "no unfairness was detected",
        "1000 items a group",
    ):
        assert expected in text
    noise = explain(load_suites(["robustness-white-noise"])[0])
    assert "snr_db 20" in noise
    assert "left out and counted" in noise
    assert "a column pitch_hz" in explain(parsed(FAMILIES["fairness-pitch"]))


def test_tests_of_a_suite_stand_in_the_order_of_their_names() -> None:
    for suite in ("correctness", "fairness", "robustness"):
        named = [one.name for one in load_suite(suite)]
        assert named == sorted(named)
