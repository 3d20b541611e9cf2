"""``affectcheck compare``: models beside each other, on items that all of them were scored on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affectcheck.cli.choices import Overwrite, Resamples, Seed, choice, names
from affectcheck.cli.output import Json, columns, emit, say
from affectcheck.cli.stated import stated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affectcheck.records import Comparison, Rank, RunRecord

Runs = Annotated[list[Path], typer.Argument(help="Run folders of `score` or `audit`, two or more, of the same items.")]
Metrics = Annotated[str, typer.Option("--metrics", help="Metrics by commas; default: all that the runs share.")]
Groups = Annotated[
    str, typer.Option("--by", help="Attributes by commas: compare each of their groups, and the disparities over them.")
]
Parts = Annotated[bool, typer.Option("--parts", help="Compare each class, action unit or dimension as well.")]
Draws = Annotated[int, typer.Option("--draws", min=1, help="Draws of each permutation test, at most.")]
Reference = Annotated[
    str, typer.Option("--reference", help="Model (or run) that all others are compared with; default: all pairs.")
]
Method = Annotated[str, typer.Option("--method", help="Intervals of differences: percentile-t or bca.")]
CrossValidated = Annotated[
    bool, typer.Option("--cv", help="Compare the scores of cross-validation instead of the tested set's.")
]


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command()
    def compare(
        context: typer.Context,
        runs: Runs,
        metrics: Metrics = "",
        by: Groups = "",
        parts: Parts = False,
        reference: Reference = "",
        cv: CrossValidated = False,
        resamples: Resamples = 1000,
        draws: Draws = 10_000,
        method: Method = "percentile-t",
        seed: Seed = 0,
        output: Annotated[
            Path | None, typer.Option("--output", "-o", help="Run folder to write; default: none.")
        ] = None,
        overwrite: Overwrite = False,
        json: Json = False,
    ) -> None:
        """Compare models: differences with intervals, permutation tests corrected by Holm, ranks with intervals."""
        from affectcheck.audits import compare_runs, require_free  # noqa: PLC0415
        from affectcheck.evaluation import CompareOptions  # noqa: PLC0415
        from affectcheck.records import encode_run  # noqa: PLC0415
        from affectcheck.reports.sections.comparisons import notes  # noqa: PLC0415

        options = CompareOptions(
            metrics=names(metrics) or None,
            by=names(by),
            parts=parts,
            reference=reference,
            resamples=resamples,
            draws=draws,
            seed=seed,
            method=choice("method of intervals", method, ("percentile-t", "bca")),
        )
        if output:
            require_free(output, overwrite=overwrite, reads=runs)
        found, record = compare_runs(runs, options, cross_validated=cv, passed=stated(context))
        for note in (*found.notes, *notes(found.comparisons)):
            say(f"note: {note}")
        text = "\n\n".join(filter(None, (_text(found.comparisons, found.ranks), _verdicts(record))))
        if output:
            text += f"\n\n{_save(record, output, overwrite=overwrite)}"
        emit(encode_run(record), text, as_json=json)


def _save(record: RunRecord, output: Path, *, overwrite: bool) -> Path:
    from affectcheck.audits import save_record  # noqa: PLC0415
    from affectcheck.audits.folder import run_folder  # noqa: PLC0415

    with run_folder(output, overwrite=overwrite) as partial:
        report = save_record(record, partial)
    return output / report.name


def _text(comparisons: Sequence[Comparison], ranks: Sequence[Rank]) -> str:
    head = ("metric", "of", "models", "values", "difference", "interval", "p", "p Holm", "reading")
    from affectcheck.reports.sections.comparisons import ways_of_testing  # noqa: PLC0415

    ranked = [_rank_row(rank) for rank in ranks if rank.rank is not None]
    pieces = [columns([_row(one) for one in comparisons], head=head)] if comparisons else []
    if ranked:
        pieces.append(columns(ranked, head=("metric", "of", "model", "value", "rank", "interval of the rank")))
    signatures = dict.fromkeys(str(one.signature) for one in comparisons if not (one.place.group or one.place.part))
    pieces += ["\n".join(f"test: {test}" for test in ways_of_testing(comparisons)), "\n".join(signatures)]
    return "\n\n".join(filter(None, pieces))


def _verdicts(record: RunRecord) -> str:
    """Passed comparisons of each model beside its score, and in which verdicts two models differ."""
    from affectcheck.reports.sections.verdicts_beside import pass_lines  # noqa: PLC0415

    rows, lines = pass_lines(record.tables)
    return "\n\n".join((columns(rows[1:], head=rows[0]), "\n".join(lines))) if rows else ""


def _row(one: Comparison) -> tuple[str, ...]:
    from affectcheck.reports.sections.comparisons import pair_text, reading_of_comparison  # noqa: PLC0415
    from affectcheck.reports.wording import p_text  # noqa: PLC0415

    values = " and ".join("-" if value is None else f"{value:.3f}" for value in (one.first_value, one.second_value))
    interval = f"[{one.interval.low:+.3f}, {one.interval.high:+.3f}]" if one.interval else ""
    tested = ["" if p is None else p_text(p) for p in (one.p_value, one.p_holm)]
    difference = "undefined" if one.difference is None else f"{one.difference:+.3f}"
    name = _name(one.metric, one.signature.convention)
    return (name, one.place.words, pair_text(one), values, difference, interval, *tested, reading_of_comparison(one))


def _rank_row(rank: Rank) -> tuple[str, ...]:
    interval = f"{rank.low} to {rank.high} of {rank.models}" if rank.low is not None else ""
    value = "-" if rank.value is None else f"{rank.value:.3f}"
    return (_name(rank.metric, rank.convention), rank.place.words, rank.model, value, str(rank.rank), interval)


def _name(metric: str, convention: str) -> str:
    return metric + (f" ({convention})" if convention else "")
