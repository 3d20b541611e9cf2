"""Gold labels in ``affectcheck agree``: by a rule, with decisions and a model's labels, and the files they are in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import polars as pl

    from affectcheck.annotations import Ratings, Settled

GoldOption = Annotated[
    str,
    typer.Option("--gold", help="Gold standard: majority or unanimous for classes, mean or ewe for dimensions."),
]
MinimumShare = Annotated[
    float, typer.Option("--minimum-share", min=0.0, max=1.0, help="Share of the votes that a majority takes.")
]
Abstain = Annotated[
    str,
    typer.Option("--abstain", help="Labels that count as votes but name no class: where one wins, there is no label."),
]
Disagreements = Annotated[
    Path | None,
    typer.Option("--disagreements", help="File to write: the items to decide, with an empty column 'decision'."),
]
AdjudicatedFile = Annotated[
    Path | None, typer.Option("--adjudicated", help="That file filled in: its decisions enter the gold standard.")
]
ModelLabels = Annotated[
    Path | None,
    typer.Option("--model-labels", help="File of a model's labels, item and a column each, for items nobody rated."),
]
GoldOutput = Annotated[Path | None, typer.Option("--output", "-o", help="File of the gold standard: .csv or .parquet.")]
OverwriteGold = Annotated[bool, typer.Option("--overwrite", help="Replace files that hold something else.")]


@dataclass(frozen=True)
class GoldTold:
    """What the options say of gold labels.

    Attributes:
        rule: ``majority``, ``unanimous``, ``mean``, ``ewe``; empty for none.
        minimum_share: of a majority.
        abstentions: labels that name no class.
        disagreements: file to write.
        adjudicated: file of decisions.
        model: file of a model's labels.
        output: file of the gold standard.
        overwrite: whether files of other content are replaced.
    """

    rule: str
    minimum_share: float
    abstentions: tuple[str, ...]
    disagreements: Path | None
    adjudicated: Path | None
    model: Path | None
    output: Path | None
    overwrite: bool

    def require(self, file: Path) -> None:
        """Raise before anything is computed if the files could not be made.

        Raises:
            UnknownNameError: no such gold standard.
            InputError: an option without the one that it belongs to, or a file that would be lost.
        """
        from affectcheck.annotations.gold_file import require_suffix  # noqa: PLC0415
        from affectcheck.errors import InputError, UnknownNameError  # noqa: PLC0415
        from affectcheck.evaluation.gold import ESTIMATORS  # noqa: PLC0415

        if self.rule and self.rule not in ESTIMATORS:
            raise UnknownNameError.of("gold standard", self.rule, ESTIMATORS)
        if bool(self.rule) != (self.output is not None) and not (self.rule and self.disagreements):
            raise InputError(
                f"--gold {self.rule} without --output" if self.rule else f"--output {self.output} without --gold",
                expected="both: --gold majority, unanimous, mean or ewe, and --output FILE",
            )
        if not self.output and (self.adjudicated or self.model):
            raise InputError("decisions or a model's labels without --gold and --output", expected="all of them")
        if self.rule in ("mean", "ewe") and (self.adjudicated or self.model or self.disagreements or self.abstentions):
            raise InputError(
                f"decisions about a {self.rule}",
                expected="--gold majority or unanimous",
                cause="dimensions have a mean",
            )
        reads = [path for path in (file, self.adjudicated, self.model) if path is not None]
        for path, kind in ((self.output, "a gold standard"), (self.disagreements, "disagreements")):
            if path is None:
                continue
            require_suffix(path, kind=kind)
            for read in reads:
                if path.exists() and read.exists() and path.samefile(read):
                    raise InputError(
                        f"{path} is to be written, and is the file {read} that is read",
                        expected="another file",
                        cause="it would be lost",
                    )


@dataclass(frozen=True, eq=False)
class Written:
    """What was written.

    Attributes:
        gold: the gold table; None where none was asked for.
        disagreements: the list; None where none was asked for.
        notes: what was decided and left out.
        counts: attribute to items by how their label came about; empty for dimensions.
    """

    gold: pl.DataFrame | None
    disagreements: pl.DataFrame | None
    notes: tuple[str, ...]
    counts: Mapping[str, Mapping[str, int]]

    def lines(self, told: GoldTold) -> Iterator[str]:
        """One line a file."""
        if self.gold is not None:
            labelled = self.gold.columns[1]
            known = self.gold.height - self.gold.get_column(labelled).null_count()
            how = "; ".join(f"{name}: {_counted(counts)}" for name, counts in self.counts.items())
            told_how = f"; {how}" if how else ""
            value = f"{known} of {self.gold.height} items have a value of {labelled}"
            yield f"Written: {told.output} ({value}{told_how})"
        if self.disagreements is not None:
            yield f"Written: {told.disagreements} ({self.disagreements.height} to decide, in its column 'decision')"

    def plain(self, told: GoldTold) -> dict[str, Any]:
        """As plain values."""
        made, left = self.gold is not None, self.disagreements is not None
        return {
            "gold": {
                "file": str(told.output),
                "items": 0 if self.gold is None else self.gold.height,
                "how": {name: dict(counts) for name, counts in self.counts.items()},
                "notes": list(self.notes),
            }
            if made
            else None,
            "disagreements": {
                "file": str(told.disagreements),
                "rows": 0 if self.disagreements is None else self.disagreements.height,
            }
            if left
            else None,
        }


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{how} {count}" for how, count in counts.items())


def write(ratings: Mapping[str, Ratings], told: GoldTold) -> Written:
    """Make and write what the options ask for."""
    from affectcheck.annotations import disagreements, merged, require_attributes  # noqa: PLC0415
    from affectcheck.annotations.gold_file import write_labels  # noqa: PLC0415
    from affectcheck.predictions.formats import read_frame  # noqa: PLC0415

    if told.rule in ("mean", "ewe"):
        return _write_mean(ratings, told)
    if told.adjudicated:
        frame = read_frame(told.adjudicated, kind="file of decisions")
        require_attributes(frame, list(ratings), where=str(told.adjudicated))
    settled = [_settled(one, told) for one in ratings.values()] if told.rule or told.disagreements else []
    gold = merged(settled) if told.output else None
    left = disagreements(settled) if told.disagreements else None
    if gold is not None and told.output:
        write_labels(gold, told.output, overwrite=told.overwrite)
    if left is not None and told.disagreements:
        write_labels(left, told.disagreements, kind="disagreements", overwrite=told.overwrite)
    several = len(settled) > 1
    notes = [f"{one.name}: {note}" if several else note for one in settled for note in one.notes]
    return Written(gold, left, tuple(notes), {one.name: one.counts for one in settled})


def _settled(ratings: Ratings, told: GoldTold) -> Settled:
    from affectcheck.annotations import Settling, adjudicate, settle, with_model  # noqa: PLC0415
    from affectcheck.predictions.formats import read_frame  # noqa: PLC0415

    found = settle(ratings, Settling(told.rule or "majority", told.minimum_share, told.abstentions))
    if told.adjudicated:
        frame = read_frame(told.adjudicated, kind="file of decisions")
        found = adjudicate(found, frame, where=str(told.adjudicated))
    if told.model:
        found = with_model(found, read_frame(told.model, kind="file of a model's labels"), where=str(told.model))
    return found


def _write_mean(ratings: Mapping[str, Ratings], told: GoldTold) -> Written:
    from affectcheck.annotations.gold_file import write_gold  # noqa: PLC0415
    from affectcheck.errors import InputError  # noqa: PLC0415
    from affectcheck.evaluation import gold_standard  # noqa: PLC0415

    if len(ratings) > 1:
        raise InputError(
            f"--gold {told.rule} of {', '.join(ratings)}",
            expected="--dimensions alone, or --gold majority or unanimous",
        )
    (one,) = ratings.values()
    gold = gold_standard(one, told.rule)
    if told.output:
        write_gold(gold, told.output, overwrite=told.overwrite)
    return Written(gold.frame, None, gold.notes, {})
