"""``affectcheck plan``: how many subjects a study needs, and what it can see with those it has."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from affectcheck.cli.choices import Seed, choice
from affectcheck.cli.output import Json, columns, emit, progress, say
from affectcheck.cli.plan_options import refuse_unused

if TYPE_CHECKING:
    from affectcheck.evaluation import Pilot
    from affectcheck.uncertainty import Check, DisparityPlan, Plan, Share, Study

Metric = Annotated[
    str,
    typer.Option(
        "--metric",
        help="accuracy, uar, f1_macro, ccc, ...; eop or a gap such as uar_gap for a disparity, which is simulated.",
    ),
]
Compare = Annotated[
    str, typer.Option("--compare", help="groups: two groups of subjects; models: two models on the same items.")
]
Gap = Annotated[
    float, typer.Option("--gap", help="Difference of the two scores that is to be detected; the true disparity.")
]
Score = Annotated[float | None, typer.Option("--score", help="Score that is expected; default: the pilot's.")]
Items = Annotated[
    int | None, typer.Option("--items", min=1, help="Items of each subject; default: the pilot's, else 20.")
]
Classes = Annotated[int, typer.Option("--classes", min=2, help="Number of classes.")]
Shares = Annotated[
    str, typer.Option("--shares", help="Shares of the classes, or their counts, by commas; default: equal.")
]
Between = Annotated[
    float | None,
    typer.Option("--between", help="Deviation of the subjects' expected scores, without what single items add."),
]
Icc = Annotated[float | None, typer.Option("--icc", help="Intra-class correlation of items of a subject, instead.")]
Agreement = Annotated[
    float | None,
    typer.Option(
        "--agreement", help="Of two models: correlation of their hits or errors; default: none, or by pilots."
    ),
]
PilotRuns = Annotated[
    list[Path] | None,
    typer.Option("--pilot", help="Run folder that tells all of this; with --compare models also a second one."),
]
PilotBy = Annotated[str, typer.Option("--by", help="Attribute of the pilot whose groups may score differently.")]
Part = Annotated[str, typer.Option("--part", help="Dimension of the pilot, where it has several.")]
Power = Annotated[float, typer.Option("--power", help="Probability of detecting the gap.")]
Level = Annotated[float, typer.Option("--level", help="Coverage of the intervals; 1 minus the size of the test.")]
Subjects = Annotated[
    int | None, typer.Option("--subjects", help="Number of subjects (in each group) to be told what they give.")
]
Groups = Annotated[int, typer.Option("--groups", min=2, help="Of a disparity: number of groups.")]
Limit = Annotated[float, typer.Option("--limit", help="Of a disparity: largest value that is accepted.")]
CheckIt = Annotated[bool, typer.Option("--check", help="Simulate the plan and test it as real runs are tested.")]
Repetitions = Annotated[int, typer.Option("--repetitions", min=1, help="Simulated studies.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command()
    def plan(
        context: typer.Context,
        metric: Metric = "",
        compare: Compare = "groups",
        gap: Gap = 0.1,
        score: Score = None,
        items: Items = None,
        classes: Classes = 2,
        shares: Shares = "",
        between: Between = None,
        icc: Icc = None,
        agreement: Agreement = None,
        pilot: PilotRuns = None,
        by: PilotBy = "",
        part: Part = "",
        power: Power = 0.8,
        level: Level = 0.95,
        subjects: Subjects = None,
        groups: Groups = 2,
        limit: Limit = 0.1,
        check: CheckIt = False,
        repetitions: Repetitions = 1000,
        seed: Seed = 0,
        json: Json = False,
    ) -> None:
        """Plan a study: subjects for a gap, the smallest gap for subjects, power by subjects; checked by simulation."""
        from affectcheck.evaluation import PilotColumns  # noqa: PLC0415
        from affectcheck.uncertainty import (  # noqa: PLC0415
            Aim,
            DisparityAim,
            Simulating,
            Study,
            check_plan,
            plan_disparity,
            plan_groups,
            plan_models,
        )

        question = choice("comparison", compare, ("groups", "models"))
        disparity = metric if metric == "eop" or metric.endswith("_gap") else ""
        refuse_unused(context, disparity=bool(disparity), values=metric.removesuffix("_gap") in ("ccc", "pcc"))
        scored = metric.removesuffix("_gap") if disparity != "eop" else "accuracy"
        pilots = _pilots(pilot or [], PilotColumns(scored, by, part))
        study = Study(
            metric=pilots[0].metric if pilots else scored or "uar",
            score=score,
            items=items or (pilots[0].items if pilots else 20),
            classes=classes,
            between=between,
            icc=icc,
            shares=_numbers("shares", shares),
            agreement=_agreement(pilots, agreement),
            pilot=pilots[0].population if pilots else None,
        )
        with progress("simulated studies") as told:
            how = Simulating(repetitions, seed, progress=told)
            if disparity:
                aim = DisparityAim(disparity, gap, groups, limit, power)
                _show_disparity(plan_disparity(study, aim, subjects=subjects, options=how), pilots, json=json)
                return
            make = plan_groups if question == "groups" else plan_models
            made = make(study, Aim(gap, power, level), subjects=subjects)
            cautious = _cautious(made, pilots) if pilots and between is None and icc is None else None
            _show(Shown(made, pilots, cautious, check_plan(made, how) if check else None), json=json)


class Shown(NamedTuple):
    """A plan and what is shown with it."""

    plan: Plan
    pilots: list[Pilot]
    cautious: Plan | None
    checked: Check | None


def _show(shown: Shown, *, json: bool) -> None:
    for note in (*shown.plan.notes, *_pilot_notes(shown.pilots)):
        say(f"note: {note}")
    value = plain(shown.plan, shown.pilots) | {
        "cautious": {"between": shown.cautious.study.between, "needed": shown.cautious.needed}
        if shown.cautious
        else None,
        "check": asdict(shown.checked) if shown.checked else None,
    }
    emit(value, _text(shown), as_json=json)


def _cautious(plan: Plan, pilots: list[Pilot]) -> Plan | None:
    """The plan if subjects differ by as much as the pilot leaves open; None where they cannot."""
    from affectcheck.errors import InputError  # noqa: PLC0415
    from affectcheck.uncertainty import plan_groups, plan_models  # noqa: PLC0415

    make = plan_groups if plan.question == "groups" else plan_models
    high = max(one.spread.between_high for one in pilots)
    if high <= plan.study.base().between:
        return None
    try:
        return make(replace(plan.study, between=high), plan.aim)
    except InputError:
        return None


def _text(shown: Shown) -> str:
    plan, checked = shown.plan, shown.checked
    of = "in each of two groups" if plan.question == "groups" else "for two models on the same items"
    rows = [
        (
            row.subjects,
            f"{row.power:.3f}",
            f"{row.width:.3f}",
            "-" if row.detectable is None else f"{row.detectable:.3f}",
        )
        for row in plan.rows
    ]
    head = ("subjects", "power", "width of the interval", f"smallest gap with a power of {plan.aim.power:g}")
    lines = [
        _assumed(plan.study, plan.score, plan.between, plan.within),
        f"{plan.needed} subjects {of} detect a gap of {plan.aim.gap:g} in {plan.study.metric} "
        f"with a power of {plan.aim.power:g} at a level of {plan.aim.level:g}",
    ]
    if shown.cautious:
        between = shown.cautious.study.between
        lines.append(
            f"{shown.cautious.needed} subjects do if subjects deviate by {between:.3g}, which the pilot leaves open"
        )
    lines += [*_asked(plan), "", columns(rows, head=head)]
    if checked:
        width = "" if checked.width is None else f", mean width {checked.width:.3f} (planned {plan.row.width:.3f})"
        lines += [
            "",
            f"checked by {checked.repetitions} simulated studies of {checked.subjects} subjects (seed {checked.seed}), "
            f"{checked.test}:",
            f"  gap detected in {_share(checked.power)} (planned {plan.row.power:.3f}), "
            f"falsely, without a gap, in {_share(checked.false_alarms)}{width}",
        ]
    return "\n".join(lines)


def _asked(plan: Plan) -> list[str]:
    if plan.asked is None:
        return []
    row = plan.row
    gap = "none that there could be" if row.detectable is None else f"a gap of {row.detectable:.3f}"
    return [
        f"{plan.asked} subjects detect {gap} with that power, and one of {plan.aim.gap:g} with a power of {row.power:.3f}; "
        f"their interval is {row.width:.3f} wide"
    ]


def _show_disparity(plan: DisparityPlan, pilots: list[Pilot], *, json: bool) -> None:
    for note in _pilot_notes(pilots):
        say(f"note: {note}")
    aim, base = plan.disparity, plan.study.base()
    rows = [
        (row.subjects, _share(row.power), _share(row.false_alarms), f"{row.value:.3f}", f"{row.alike:.3f}")
        for row in plan.rows
    ]
    head = ("subjects", "called exceeds", "called so where all are alike", "mean observed", "mean where all are alike")
    lines = [
        _assumed(plan.study, base.score, base.between, base.within),
        f"groups that score {', '.join(f'{score:.3f}' for score in plan.scores)}: {aim.metric} {aim.value:g}",
        f"{plan.needed} subjects in each group: above the limit of {aim.limit:g} and the noise floor with a power of {aim.power:g}",
        "",
        columns(rows, head=head),
        "",
        f"all of it simulated: {plan.repetitions} studies a number and case (seed {plan.seed})",
    ]
    emit(plain(plan, pilots), "\n".join(lines), as_json=json)


def _assumed(study: Study, score: float, between: float, within: float) -> str:
    classes = f"{study.classes} classes, " if study.pilot is None and study.metric not in ("ccc", "pcc") else ""
    icc = between**2 / (between**2 + within**2)
    source = "from the pilot" if study.pilot is not None else "as stated"
    return (
        f"{source}: {study.metric} about {score:.3f}, {study.items} items a subject, {classes}"
        f"deviation {between:.3g} between subjects, {within:.3g} of a single item (intra-class correlation {icc:.3g})"
    )


def _share(found: Share) -> str:
    return f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"


def _pilots(paths: list[Path], columns: Any) -> list[Pilot]:
    from affectcheck.evaluation import read_pilot  # noqa: PLC0415

    return [read_pilot(path, columns) for path in paths]


def _agreement(pilots: list[Pilot], stated: float | None) -> float:
    from affectcheck.errors import InputError  # noqa: PLC0415
    from affectcheck.evaluation import agreement_of  # noqa: PLC0415

    if len(pilots) > 2:
        raise InputError(f"{len(pilots)} pilots", expected="one, or one for each of two models")
    if stated is not None:
        return stated
    return agreement_of(*pilots) if len(pilots) == 2 else 0.0


def _numbers(option: str, text: str) -> tuple[float, ...]:
    from affectcheck.errors import InputError  # noqa: PLC0415

    try:
        return tuple(float(word) for word in text.split(",")) if text else ()
    except ValueError as error:
        raise InputError(f"--{option} is {text!r}", expected="numbers by commas") from error


def _pilot_notes(pilots: list[Pilot]) -> list[str]:
    return [note for one in pilots for note in one.notes]


def plain(plan: Plan | DisparityPlan, pilots: list[Pilot]) -> dict[str, Any]:
    """A plan as plain values."""
    base = plan.study.base()
    bare = asdict(
        replace(plan, study=replace(plan.study, pilot=None, score=base.score, icc=None, between=base.between))
    )
    bare["study"]["pilot"] = [asdict(one.spread) | {"unit": one.unit, "notes": one.notes} for one in pilots]
    bare["study"] |= {"within": base.within, "icc": base.icc}
    if pilots:
        bare["study"]["classes"] = None
    return bare
