"""The program ``affectcheck``: its verbs, its exit codes, and how an error is shown."""

from __future__ import annotations

import errno
import importlib
import os
import sys
import traceback
from pathlib import Path
from typing import Annotated

import typer
from typer.exceptions import TyperException

from affectcheck.cli.choices import Session
from affectcheck.cli.configuration import DEFAULT_FILE, apply
from affectcheck.errors import EXIT_BAD_INPUT, EXIT_DONE, EXIT_OUR_ERROR, AffectcheckError
from affectcheck.version import __version__

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
EXIT_INTERRUPTED = 130  # what a shell reports for a program ended by Ctrl-C

#: In the order of the help: the main jobs, then their steps, then what there is.
VERBS = (
    "audit",
    "demo",
    "partition",
    "train",
    "predict",
    "score",
    "compare",
    "agree",
    "plan",
    "test",
    "simulate",
    "faces",
    "challenge",
    "board",
    "submit",
    "portal",
    "serve",
    "worker",
    "db",
    "report",
    "runs",
    "datasets",
    "metrics",
    "models",
    "suites",
    "schemes",
    "doctor",
)

app = typer.Typer(
    name="affectcheck",
    help="Measure models of human affect honestly: fair partitions, scores with intervals, behaviour tests, reports.",
    epilog="Exit codes: 0 done, 1 a verdict failed, 2 bad input or usage, 3 our own error.",
    no_args_is_help=True,
    rich_markup_mode=None,  # keeps `--help` fast and plain
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": "AFFECTCHECK"},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    config: Annotated[
        Path | None,
        typer.Option("--config", help=f"Defaults of options, by verb; default: {DEFAULT_FILE}, if there is one."),
    ] = None,
    version: Annotated[
        bool,
        # Not from the environment: AFFECTCHECK_VERSION, as a script may well name the version it wants, is no order.
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version.", allow_from_autoenv=False),
    ] = False,
) -> None:
    """Read by typer: options that stand before the verb."""
    apply(context, config)


for _verb in VERBS:
    importlib.import_module(f"affectcheck.cli.{_verb}").register(app)


def main(arguments: list[str] | None = None) -> None:
    """Run the program and leave with its exit code; a user's mistake never shows a traceback."""
    _open_streams()
    sys.exit(run(arguments))


def _open_streams() -> None:
    """What is written to an output that the caller has closed (``>&-``) is lost, and that is all."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  # open to the end


def run(arguments: list[str] | None = None) -> int:
    """Run the program.

    Returns:
        The exit code: 0 done, 1 a verdict failed, 2 bad input or usage, 3 our own error, 130 interrupted.
    """
    session = Session()
    try:
        code = app(args=arguments, prog_name="affectcheck", standalone_mode=False, obj=session)
        sys.stdout.flush()
        if code == EXIT_INTERRUPTED:  # typer turns Ctrl-C within a verb into this code, and says nothing
            raise KeyboardInterrupt
    except TyperException as error:
        _show_usage(error)
        return EXIT_BAD_INPUT
    except AffectcheckError as error:
        _say(f"error: {error}")
        return error.exit_code
    except (typer.Abort, KeyboardInterrupt):
        kept = "what was computed is kept in the cache; the same command goes on from there"
        _say(f"interrupted: {kept if session.keeps else 'nothing is kept; the same command starts anew'}")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone (`| head`): nothing is wrong, and nothing more can be said.
        _lose_output()
        return EXIT_DONE
    except Exception as error:  # noqa: BLE001  # the last door
        return _unforeseen(error)
    return int(code or EXIT_DONE)


def _lose_output() -> None:
    """What is still to be written goes nowhere, so that leaving the program does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_usage(error: TyperException) -> None:
    show = getattr(error, "show", None)
    if show is None:
        _say(f"error: {error.format_message()}")
    else:
        show()


def _unforeseen(error: Exception) -> int:
    """A path that the operating system refuses is the user's to settle; anything else is our fault."""
    if isinstance(error, PermissionError | IsADirectoryError | NotADirectoryError) and error.filename is not None:
        _say(f"error: cannot open {error.filename}: {error.strerror}\n  expected: a path that this user may use")
        return EXIT_BAD_INPUT
    if isinstance(error, OSError) and error.errno in _NO_ROOM:
        if error.filename is None:
            _lose_output()
        place = error.filename or "the output"
        _say(f"error: cannot write {place}: {error.strerror}\n  expected: free space where it goes to")
        return EXIT_BAD_INPUT
    return _own_fault(error)


def _own_fault(error: Exception) -> int:
    if os.environ.get("AFFECTCHECK_DEBUG"):
        traceback.print_exc()
    last = traceback.extract_tb(error.__traceback__)[-1]
    _say(
        f"error: affectcheck itself failed: {type(error).__name__}: {error}\n"
        f"  in {last.name}, {last.filename}:{last.lineno}\n"
        "  this is a fault of ours; AFFECTCHECK_DEBUG=1 shows the whole traceback to report"
    )
    return EXIT_OUR_ERROR


def _say(text: str) -> None:
    sys.stdout.flush()
    sys.stderr.write(text + "\n")
