"""Run records made by hand: categories with every state, dimensions, an interrupted one, and a hostile one."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from math import sin
from typing import Any

from affectcheck.records import (
    Fault,
    Header,
    Interval,
    NoiseFloor,
    Place,
    RunRecord,
    Score,
    Scored,
    Signature,
    Threshold,
    Undefined,
    Verdict,
)

CLASSES = ("anger", "calm", "disgust", "fear", "happiness", "neutral", "sadness", "surprise")
SPEAKERS = 24


def signature(metric: str, **changes: str) -> Signature:
    values = {
        "convention": "paper",
        "labels": ",".join(CLASSES),
        "target": "expression",
        "data": "ravdess@5f2c11aa90b3",
        "part": "test",
        "n": "432",
        "clusters": "subject",
        "resamples": "1000",
        "seed": "7",
        "model": "wav-baseline",
        "version": "0.1.0",
    }
    return Signature(metric, **(values | changes))


def score(
    metric: str,
    value: float,
    *,
    place: Place = Place(),  # noqa: B008
    n: int = 432,
    width: float = 0.05,
    random: bool = False,
    **changes: Any,
) -> Score:
    interval = Interval(value - width, value + width * 0.9, 0.95, "percentile-t", 8, "subject") if width else None
    signed = {key: changes.pop(key) for key in ("convention", "excluded", "data", "groups") if key in changes}
    model = "random-categorical" if random else "wav-baseline"
    return Score(metric, value, n, signature(metric, model=model, **signed), place, interval, **changes)


def confusion(group: int = 0) -> list[tuple[str, str, int]]:
    """Counts that look like those of a small model: strong diagonal, calm and neutral mixed up."""
    rows = []
    for i, truth in enumerate(CLASSES):
        for j, prediction in enumerate(CLASSES):
            count = 27 if i == j else int(6 * abs(sin(3 * i + 7 * j + group))) % 5
            if {truth, prediction} == {"calm", "neutral"}:
                count = 14
            if truth == "fear" and i == j:
                count = 9
            rows.append((truth, prediction, count))
    return rows


def _tables() -> dict[str, Any]:
    matrix = [[t, p, n, "", ""] for t, p, n in confusion()]
    for index, sex in enumerate(("female", "male"), start=1):
        matrix += [[t, p, n // 2, "sex", sex] for t, p, n in confusion(index)]
    balance = []
    for name, target in (("train", 0.55), ("validation", 0.15), ("test", 0.30)):
        for column, value, count in (
            ("expression", "anger", 192),
            ("expression", "neutral", 96),
            ("sex", "female", 720),
            ("sex", "male", 720),
        ):
            balance.append([name, column, value, round(count * target), target, target])
    return {
        "confusion": {"columns": ["truth", "prediction", "count", "attribute", "group"], "rows": matrix},
        "balance": {"columns": ["set", "column", "value", "count", "share", "target"], "rows": balance},
        "not_tested": {
            "columns": ["what", "why"],
            "rows": [
                ["fairness by accent", "the data name no accent"],
                ["temporal behaviour", "items are single clips"],
            ],
        },
        "speakers": {"columns": ["subject", "uar", "n"], "rows": [[f"S{i:02d}", 0.5 + i / 100, 60] for i in range(8)]},
    }


def _group_scores(random: bool) -> list[Scored]:
    shift = -0.42 if random else 0.0
    found: list[Scored] = []
    for metric, low in (("uar", 0.55), ("uap", 0.56), ("f1_macro", 0.54), ("accuracy", 0.57)):
        for sex, extra, n in (("female", 0.06, 216), ("male", -0.05, 216)):
            found.append(score(metric, low + extra + shift, place=Place("sex", sex), n=n, width=0.09, random=random))
        for age, extra, n in (("20-29", 0.02, 380), ("30-39", -0.11, 28), ("40-49", 0.0, 0)):
            place = Place("age", age)
            if n:
                found.append(
                    score(metric, low + extra + shift, place=place, n=n, width=0.05 if n > 99 else 0, random=random)
                )
            else:
                found.append(Undefined(metric, "the group has no items", 0, signature(metric), place))
    for sex in ("female", "male"):
        for index, name in enumerate(CLASSES):
            value = 0.4 + 0.05 * ((index * 3) % 8) + shift / 2
            found.append(score("recall", value, place=Place("sex", sex, name), n=27, width=0.12, random=random))
    return found


def _disparities(random: bool) -> list[Scored]:
    low = 0.6 if random else 1.0
    floor = NoiseFloor(0.041, 0.066, 1000, "groups permuted over subjects")
    tv = NoiseFloor(0.164, 0.265, 1000, "groups permuted over subjects")
    found: list[Scored] = [
        score("local_f1", 0.55 - (0.43 if random else 0), place=Place("sex"), random=random),
        score("eop", 0.048 * low, place=Place("sex"), width=0, floor=floor, random=random),
        score("eop", 0.192 * low, place=Place("sex"), width=0, floor=tv, random=random, convention="tables"),
        score("sp", 0.081 * low, place=Place("sex"), width=0, floor=floor, random=random),
        score("uar_gap", 0.11 * low, place=Place("sex"), width=0, floor=NoiseFloor(0.05, 0.12, 1000), random=random),
        score("eop", 0.06 * low, place=Place("age"), width=0, floor=floor, random=random, undefined_parts=3,
              excluded="missing=24,unsure=0"),
        score("uar_difference", 0.11 if not random else 0.01, place=Place("sex", "female-male"), width=0.13, random=random),
        score("f1_macro_difference", 0.12 if not random else 0.01, place=Place("sex", "female-male"), width=0.06, random=random),
        score("accuracy_difference", 0.1, place=Place("sex", "female-male"), width=0, random=random),
    ]  # fmt: skip
    found.extend(
        score(
            "recall_difference",
            0.02 * index - 0.06,
            place=Place("sex", "female-male", name),
            n=54,
            width=0.05,
            random=random,
        )
        for index, name in enumerate(CLASSES)
    )
    return found


def _scores(random: bool = False) -> tuple[Scored, ...]:
    shift = -0.43 if random else 0.0
    found: list[Scored] = [
        score("uar", 0.5532 + shift, random=random),
        score("uap", 0.5619 + shift, random=random),
        score("f1_macro", 0.5487 + shift, random=random, undefined_parts=1, notes=("no item of class 'calm' was predicted",)),
        score("accuracy", 0.5712 + shift, random=random),
    ]  # fmt: skip
    for metric in ("recall", "precision", "f1"):
        for index, name in enumerate(CLASSES):
            place = Place(part=name)
            if metric == "precision" and name == "calm":
                found.append(Undefined(metric, "the class was never predicted", 0, signature(metric), place))
            else:
                value = 0.35 + 0.06 * ((index * 5 + len(metric)) % 9) + shift / 2
                found.append(
                    score(metric, value, place=place, n=54 if name != "neutral" else 27, width=0.1, random=random)
                )
    return (*found, *_group_scores(random), *_disparities(random))


def _verdicts() -> tuple[Verdict, ...]:
    half = Threshold(0.5, "gt", "paper 2, Table II")
    found = []
    for index, name in enumerate(CLASSES):
        for metric in ("recall", "precision"):
            value = 0.35 + 0.06 * ((index * 5 + len(metric)) % 9)
            found.append(
                Verdict("classification", "correctness", metric, "passed" if value > 0.5 else "failed",
                        "" if value > 0.5 else "not above the limit", Place(part=name), value, half, 54, 30, 0.125,
                        data="ravdess", signature=str(signature(metric)))
            )  # fmt: skip
    found.append(
        Verdict(
            "classification",
            "correctness",
            "uar",
            "passed",
            "",
            Place(),
            0.5532,
            half,
            432,
            0,
            0.1232,
            data="ravdess",
            signature=str(signature("uar")),
        )
    )
    limit = Threshold(0.075, "abs_lt", "simulated: 2 groups of 216, 99.9 % quantile of 1000 random models")
    for index, name in enumerate(CLASSES):
        value = 0.02 * index - 0.06
        status = "inconclusive" if abs(value) > 0.05 else "passed"
        reason = "the interval holds the limit" if status == "inconclusive" else ""
        found.append(
            Verdict(
                "sex",
                "fairness",
                "recall_difference",
                status,
                reason,
                Place("sex", "female-male", name),
                value,
                limit,
                54,
                30,
                0.004,
                0.11,
                data="ravdess",
                signature=str(signature("recall_difference")),
            )
        )
    tables = str(signature("eop", convention="tables"))
    found.append(
        Verdict(
            "groups",
            "fairness",
            "eop",
            "inconclusive",
            "above the limit, not above the noise floor",
            Place("sex"),
            0.192,
            Threshold(0.1, "lt", "paper 1, section IV"),
            432,
            0,
            0.115,
            0.2,
            data="ravdess",
            signature=tables,
        )
    )
    found += [
        Verdict(
            "pitch",
            "fairness",
            "uar_difference",
            "not applicable",
            "fewer than 2 pitch groups have 30 items",
            Place("pitch", group),
            support=12,
            minimum_support=30,
            data="ravdess",
        )
        for group in ("low", "high")
    ]
    steady = Threshold(0.95, "gt", "paper 2, Table IV")
    for index, name in enumerate(
        ("white noise, 20 dB", "gain −2 dB", "lowpass 7500 Hz", "highpass 50 Hz", "tone, 40 dB")
    ):
        value = 0.97 - 0.02 * index
        status = "passed" if value > 0.95 else "failed"
        found.append(
            Verdict(
                "small_changes",
                "robustness",
                "share_unchanged",
                status,
                "" if status == "passed" else "not above the limit",
                Place(part=name),
                value,
                steady,
                432,
                30,
                1.0,
                data="ravdess",
                signature=str(signature("share_unchanged")),
            )
        )
    return tuple(found)


def _header(**changes: Any) -> Header:
    values: dict[str, Any] = {
        "command": "audit",
        "model": {
            "name": "wav-baseline", "kind": "categories", "parts": list(CLASSES), "output": "probability",
            "rate_hz": 16000, "media": ["audio"], "parameters": 4_104, "training_data": "RAVDESS, train set (13 speakers)",
            "digest": "77b1e2c90f8d4a6155aa01c3", "parent": "", "notes": ["logistic regression on 512 features"],
        },
        "data": [{"name": "ravdess", "title": "RAVDESS (speech)", "items": 1440, "subjects": 24, "licence": "CC BY-NC-SA 4.0",
                  "digest": "5f2c11aa90b3de5501", "url": "https://zenodo.org/record/1188976",
                  "cannot_show": "acted speech of 24 North American actors: says nothing on spontaneous speech"}],
        "partition": {"protocol": "55-15-30", "seed": 7, "sizes": {"train": 780, "validation": 228, "test": 432}, "digest": "0c41d9e8f0aa12"},
        "suite": {"names": ["correctness", "fairness", "robustness"], "mode": "corrected"},
        "arguments": {"passed": {"model": "baseline:model.npz", "data": "ravdess:/data/RAVDESS"},
                      "effective": {"resamples": 1000, "seed": 7, "strict": False, "by": ["sex", "age"]}},
        "seed": 7,
        "versions": {"affectcheck": "0.1.0", "python": "3.11.9", "numpy": "2.1.3", "polars": "1.20.0"},
        "git": {"commit": "830dc07f1b2c", "dirty": True},
        "counts": {"items": 432, "scored": 429, "faults": {"unreadable audio": 3}},
        "digest": "9e107d9d372bb6826bd81d3542a419d6",
        "times": {"started": "2026-03-01T10:00:00Z", "ended": "2026-03-01T10:04:12Z", "seconds": {"predict": 201.2, "score": 3.1}},
    }  # fmt: skip
    return Header(**(values | changes))


def _faults() -> tuple[Fault, ...]:
    lost = [
        Fault(f"03-01-0{i}-01-02-02-18.wav", "unreadable audio", f"row {i}: the file ends after {i} frames")
        for i in (3, 5, 7)
    ]
    quiet = [
        Fault(f"03-01-02-01-01-01-{i:02d}.wav", "clipping", "12 samples at full scale", "warning") for i in range(1, 9)
    ]
    return (*lost, *quiet)


def categories() -> RunRecord:
    return RunRecord(_header(), _scores(), _scores(random=True), _verdicts(), _faults(), _tables())


def dimensions(points: int = 600) -> RunRecord:
    names = ("arousal", "dominance", "valence")
    found: list[Scored] = []
    random: list[Scored] = []
    for shift, target in ((0.0, found), (-0.6, random)):
        for metric, value in (("ccc", 0.62), ("pcc", 0.68), ("mae", 0.12), ("mde", -0.03)):
            scale = 1 if metric in ("ccc", "pcc") else 0
            target.append(score(metric, value + shift * scale, random=bool(shift), data="synthetic-speech@ab12"))
            for index, name in enumerate(names):
                part = value + shift * scale - 0.04 * index
                target.append(
                    score(metric, part, place=Place(part=name), random=bool(shift), data="synthetic-speech@ab12")
                )
                for sex, extra in (("female", 0.03), ("male", -0.03)):
                    place = Place("sex", sex, name)
                    target.append(
                        score(
                            metric,
                            part + extra * scale,
                            place=place,
                            n=216,
                            width=0.08,
                            random=bool(shift),
                            data="synthetic-speech@ab12",
                        )
                    )
                place = Place("sex", "female-male", name)
                target.append(
                    score(
                        f"{metric}_difference",
                        0.06 * scale,
                        place=place,
                        width=0.1,
                        random=bool(shift),
                        data="synthetic-speech@ab12",
                    )
                )
        target.append(
            score(
                "ccc_gap",
                0.06,
                place=Place("sex"),
                width=0,
                floor=NoiseFloor(0.04, 0.09, 500),
                random=bool(shift),
                data="synthetic-speech@ab12",
            )
        )
    scatter = []
    for name in names:
        for i in range(points):
            truth = 0.5 + 0.45 * sin(i * 1.7 + len(name))
            scatter.append([name, truth, min(1.0, max(0.0, 0.2 + 0.6 * truth + 0.12 * sin(i * 12.9898)))])
    histogram = [
        [name, b / 10, (b + 1) / 10, 20 + (b * 7) % 30, 10 + int(60 * abs(sin(b / 3)))]
        for name in names
        for b in range(10)
    ]
    model = {
        "name": "w2v2-dimensions",
        "kind": "dimensions",
        "parts": list(names),
        "output": "value",
        "low": 0.0,
        "high": 1.0,
    }
    header = _header(
        model=model,
        data=[{"name": "synthetic-speech", "items": 432, "digest": "ab12"}],
        suite={},
        partition={},
        counts={"items": 432, "scored": 432},
    )
    tables = {
        "scatter": {"columns": ["dimension", "truth", "prediction"], "rows": scatter},
        "histogram": {"columns": ["dimension", "low", "high", "truth", "prediction"], "rows": histogram},
    }
    return RunRecord(header, tuple(found), tuple(random), (), (), tables)


def interrupted() -> RunRecord:
    header = Header(
        status="interrupted",
        command="audit",
        message="stopped by the user after 12 of 1440 items",
        model={"name": "wav-baseline"},
    )
    return RunRecord(header)


def large(count: int = 2309) -> RunRecord:
    """As many comparisons as the whole published suite has."""
    base = categories()
    pool = base.verdicts
    verdicts = tuple(
        replace(
            pool[i % len(pool)],
            test=f"{pool[i % len(pool)].test}_{i // 160}",
            signature=str(signature("recall", options=f"cell={i}")),
        )
        for i in range(count)
    )
    return replace(base, verdicts=verdicts)


ATTACKS = (
    "</script><script>window.PWN=1</script>",
    "<img src=x onerror=\"window.PWN=1\">",
    "\"><svg onload=window.PWN=1>",
    "'><iframe srcdoc='<script>parent.PWN=1</script>'></iframe>",
    "javascript:window.PWN=1//",
    "]]></style><script>window.PWN=1</script>",
    "{{ 7*7 }}{% raw %}<b onclick=window.PWN=1>",
    "bell\x07 esc\x1b[31m nul\x00 rtl\u202egnp",
)  # fmt: skip
#: Texts that are vocabulary of ours, not free: the program writes them and nobody else.
_FIXED = {"status", "severity", "rule", "family", "method"}


def hostile(attack: str) -> RunRecord:
    """The categories record with the attack put before every text that a stranger can choose."""
    base = categories()
    return RunRecord(
        header=_hostile(base.header, attack),
        scores=tuple(_hostile(s, attack) for s in base.scores),
        baseline_scores=tuple(_hostile(s, attack) for s in base.baseline_scores),
        verdicts=tuple(replace(_hostile(v, attack), family=v.family + attack) for v in base.verdicts),
        faults=tuple(_hostile(f, attack) for f in base.faults),
        tables={name: _hostile(table, attack) for name, table in base.tables.items()},
    )


def _hostile(value: Any, attack: str, name: str = "") -> Any:
    if isinstance(value, str):
        kept = name in _FIXED or value in ("categories", "truth", "prediction", "count", "attribute", "group", "set")
        kept = kept or value in ("column", "value", "share", "target", "what", "why")
        return value if kept or (not value and name in ("attribute", "group", "part")) else attack + value
    if isinstance(value, dict):
        return {key: _hostile(item, attack, key) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_hostile(item, attack, name) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: _hostile(getattr(value, f.name), attack, f.name) for f in fields(value)})
    return value


def cross_validated() -> RunRecord:
    """A test set and cross-validation in one run, with further partitions and the sizes of groups."""
    base = categories()

    def moved(scores: tuple[Scored, ...]) -> tuple[Scored, ...]:
        everywhere = {"part": "cross-validation by subject", "data": "ravdess@aaaa"}
        return (*scores, *(replace(s, signature=s.signature.with_(**everywhere)) for s in scores))

    header = replace(
        base.header,
        message="Control: the labels were permuted.",
        partition={
            "protocol": "55-15-30",
            "repeats": {"metric": "uar", "n": 2, "mean": 0.55, "standard_deviation": 0.02},
        },
        data=[{**base.header.data[0], "used": 432}],
    )
    tables = {
        **base.tables,
        "partitions": {
            "columns": ["seed", "metric", "value"],
            "rows": [[1, "uar", 0.53], [2, "uar", 0.57], [3, "uar", None]],
        },
        "groups": {
            "columns": ["attribute", "group", "count", "scored"],
            "rows": [
                ["sex", "female", 216, True],
                ["sex", "male", 216, True],
                ["sex", "missing", 0, False],
                ["age", "unsure", 4, False],
            ],
        },
    }
    return RunRecord(header, moved(base.scores), moved(base.baseline_scores), base.verdicts, (), tables)


def bare() -> RunRecord:
    """Scores without a random model, intervals, groups or card, as of two files of labels."""
    scores = tuple(score(name, 0.5, width=0, data="") for name in ("uar", "my_metric"))
    return RunRecord(
        Header(command="score", data=[{"name": "mine"}], suite={"note": "none"}, partition={"by": "hand"}), scores
    )


def units() -> RunRecord:
    scores = tuple(score("f1", 0.4 + 0.1 * i, place=Place(part=f"AU{i}"), width=0) for i in (1, 2, 4))
    return RunRecord(Header(model={"name": "au-net", "kind": "units", "parts": ["AU1", "AU2", "AU4"]}), scores)
