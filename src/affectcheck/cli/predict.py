"""``affectcheck predict``: run a model over a data set, and keep what it said."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from affectcheck.cli.choices import Cache, Data, Fresh, MaxFaultShare, Model, Strict, Workers
from affectcheck.cli.output import Json, emit, progress, say
from affectcheck.cli.output_file import OverwriteFile, require_new


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command()
    def predict(
        data: Data,
        model: Model,
        output: Annotated[Path, typer.Option("--output", "-o", help="File to write: .csv or .parquet.")],
        part: Annotated[str, typer.Option("--part", help="Only this set of the data set's own partition.")] = "",
        workers: Workers = 0,
        batch: Annotated[int, typer.Option("--batch", min=1, help="Items a call of the model.")] = 1,
        max_fault_share: MaxFaultShare = 0.05,
        cache: Cache = None,
        fresh: Fresh = False,
        strict: Strict = False,
        overwrite: OverwriteFile = False,
        json: Json = False,
    ) -> None:
        """Run a model over a data set; killed and started again, it goes on where it was."""
        from affectcheck.annotations.listing import plural  # noqa: PLC0415
        from affectcheck.audits import AuditOptions, faults_text  # noqa: PLC0415
        from affectcheck.audits.subject import opened, own_part  # noqa: PLC0415
        from affectcheck.datasets import Making, load_dataset  # noqa: PLC0415
        from affectcheck.predictions import (  # noqa: PLC0415
            REPEATED,
            PredictOptions,
            require_format,
            write_predictions,
        )
        from affectcheck.predictions import predict as run_model  # noqa: PLC0415

        options = AuditOptions(data=data, model=model, workers=workers, cache=cache, fresh=fresh, strict=strict)
        require_format(output)
        require_new(output, overwrite=overwrite)
        with progress("data") as update:
            table = load_dataset(data, making=Making(options.cache_folder, update))
        table = own_part(table, part) if part else table
        found = opened(table, options)
        with progress("predicting") as update:
            predictions = run_model(
                found,
                table,
                options=PredictOptions(
                    cache=options.predictions_folder,
                    workers=options.processes,
                    batch=batch,
                    strict=strict,
                    max_fault_share=max_fault_share,
                    progress=update,
                    repeated=REPEATED,
                ),
            )
        write_predictions(predictions, output)
        if predictions.faults:
            say(faults_text(predictions.faults, listed="all listed by --json"))
        failed = sum(fault.severity == "error" for fault in predictions.faults)
        cautions = len(predictions.faults) - failed
        summary = {
            "predictions": str(output),
            "model": predictions.card.name,
            "data": predictions.data,
            "items": predictions.height,
            "faults": failed,
            "cautions": cautions,
            "digest": predictions.digest,
            "faults_of_items": [asdict(fault) for fault in predictions.faults],
        }
        counted = f"{plural(predictions.height, 'item')} predicted, {plural(failed, 'fault')}"
        counted += f", {plural(cautions, 'caution')}" if cautions else ""
        text = f"{counted}\n{output}"
        emit(summary, text, as_json=json)
