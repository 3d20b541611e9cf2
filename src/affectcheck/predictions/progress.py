"""Progress on standard error, and only where somebody looks: on a terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from affectcheck.predictions.options import no_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def shown_progress(given: Callable[[int, int], None] | None, total: int) -> Iterator[Callable[[int, int], None]]:
    """The caller's own progress, or a bar on a terminal, or nothing."""
    if given is not None or not sys.stderr.isatty():
        yield given or no_progress
        return
    from rich.console import Console  # noqa: PLC0415  # loaded only where a bar is drawn
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("predicting", total=total)

        def show(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield show
