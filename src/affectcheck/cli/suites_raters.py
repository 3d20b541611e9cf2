"""``affectcheck suites raters``: limits of a correctness test from what people reach in the model's place."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from affectcheck.cli.choices import Cache, Data, Seed, Target
from affectcheck.cli.output import Json, emit, progress
from affectcheck.cli.output_file import OverwriteFile, require_new
from affectcheck.cli.score_votes import VotesCounts, VotesItem, VotesLabel, VotesRater, VotesRaters, votes_of


def register(noun: typer.Typer) -> None:
    """Add the verb to the noun."""

    @noun.command()
    def raters(
        test: Annotated[str, typer.Argument(help="Name of a correctness test, or a file of one.")],
        data: Data,
        votes: Annotated[Path, typer.Option("--votes", help="File of several raters' votes for the items.")],
        votes_item: VotesItem = "",
        votes_counts: VotesCounts = "",
        votes_raters: VotesRaters = "",
        votes_rater: VotesRater = "",
        votes_label: VotesLabel = "",
        rater: Annotated[
            str,
            typer.Option(
                "--rater", help="random (drawn for each item), mean (over raters), or left out (against others)."
            ),
        ] = "random",
        target: Target = None,
        draws: Annotated[int, typer.Option("--draws", min=1, help="How often a rater is drawn for each item.")] = 100,
        output: Annotated[
            Path | None, typer.Option("--output", "-o", help="Write the test with these limits (.json), for --suite.")
        ] = None,
        seed: Seed = 0,
        cache: Cache = None,
        overwrite: OverwriteFile = False,
        json: Json = False,
    ) -> None:
        """Limits of a correctness test from human raters: what people reach when they stand in the model's place."""
        from affectcheck.atomic import write_text  # noqa: PLC0415
        from affectcheck.audits import AuditOptions  # noqa: PLC0415
        from affectcheck.behaviour import RaterOptions, load_suites, rater_thresholds  # noqa: PLC0415
        from affectcheck.datasets import Making, load_dataset  # noqa: PLC0415
        from affectcheck.errors import InputError  # noqa: PLC0415
        from affectcheck.evaluation import read_votes  # noqa: PLC0415

        definitions = load_suites([test])
        if len(definitions) != 1:
            raise InputError(f"{test!r} is a suite of {len(definitions)} tests", expected="one correctness test")
        if output is not None and output.suffix != ".json":
            raise InputError(f"{output} is no .json file", expected="a file that ends in .json, which --suite reads")
        require_new(output, overwrite=overwrite)
        told = votes_of(
            votes, item=votes_item or "item", counts=votes_counts, raters=votes_raters, rater=votes_rater,
            label=votes_label, soft=False,
        )  # fmt: skip
        if told is None:
            raise LookupError(votes)
        with progress("data") as update:
            table = load_dataset(data, making=Making(AuditOptions(data, cache=cache).cache_folder, update))
        options = RaterOptions(rater=rater, target=target, draws=draws, seed=seed)  # type: ignore[arg-type]  # checked there
        found = rater_thresholds(read_votes(told.path, told.columns), definitions[0], table, options=options)
        text = str(found)
        if output is not None:
            write_text(output, found.applied().model_dump_json(indent=1) + "\n")
            text += f"\n{output}"
        emit(found.frame().to_dicts(), text, as_json=json)
