"""What the verbs print: data on stdout, everything else on stderr."""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Json = Annotated[bool, typer.Option("--json", help="Print strict JSON instead of text.")]


def emit(value: Any, text: str, *, as_json: bool) -> None:
    """Print the value as JSON, or its text.

    A reader that has gone (`| head`) is no error, and leaves the exit code to what was done.
    """
    from affectcheck.records import strict_json  # noqa: PLC0415  # keeps `--help` fast

    try:
        print(strict_json(value, indent=2) if as_json else text.rstrip("\n"), flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say(text: str) -> None:
    """A line for the person, on stderr."""
    sys.stderr.write(text + "\n")


def columns(rows: Sequence[Sequence[object]], *, head: Sequence[str] = ()) -> str:
    """A plain table, each column as wide as its widest cell; the last one runs free."""
    table = [[str(cell) for cell in row] for row in ([head] if head else []) + list(rows)]
    if not table:
        return "(none)"
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in table]
    if head:
        lines.insert(1, "  ".join("─" * w for w in widths[:-1]) + "  " + "─" * len(head[-1]))
    return "\n".join(lines)


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on a terminal, a line every ten seconds elsewhere; both on stderr.

    Yields:
        A function of (done, total) to be called as work goes on.
    """
    if sys.stderr.isatty():
        with _bar(label) as update:
            yield update
    else:
        yield _lines(label)


@contextmanager
def _bar(label: str) -> Iterator[Callable[[int, int], None]]:
    from rich.console import Console  # noqa: PLC0415  # only where a bar is drawn
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    parts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*parts, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _lines(label: str, *, every_s: float = 10.0) -> Callable[[int, int], None]:
    last = time.monotonic()

    def update(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last >= every_s:
            last = time.monotonic()
            say(f"{label}: {done} of {total}")

    return update


@contextmanager
def waiting(label: str, *, every_s: float = 10.0) -> Iterator[None]:
    """Show that work goes on whose end is not known: a clock on a terminal, a line every ten seconds elsewhere."""
    if sys.stderr.isatty():
        from rich.console import Console  # noqa: PLC0415  # only where it is drawn
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

        parts = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
        with Progress(*parts, console=Console(stderr=True), transient=True) as bar:
            bar.add_task(label, total=None)
            yield
        return
    begin, done = time.monotonic(), threading.Event()

    def tell() -> None:
        while not done.wait(every_s):
            say(f"{label}: {time.monotonic() - begin:.0f} s")

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
