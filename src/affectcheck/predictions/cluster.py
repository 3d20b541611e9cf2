"""A Ray to work on: the one that is running, the cluster that is named, or a small one of our own."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from affectcheck.errors import ExtraMissingError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_QUIET: Final = {"log_to_driver": False, "logging_level": "ERROR"}


@contextmanager
def connected(processors: int, *, variables: Mapping[str, str] | None = None) -> Iterator[Any]:
    """A Ray that is running already, the cluster that RAY_ADDRESS names, or one of our own, ended afterwards.

    Args:
        processors: of one of our own.
        variables: of the environment of its tasks.

    Raises:
        ExtraMissingError: Ray is not installed.
    """
    try:
        import ray  # noqa: PLC0415  # optional, and slow to import
    except ImportError as error:
        raise ExtraMissingError.of("the engine 'ray'", "ray", "ray") from error
    if ray.is_initialized():
        yield ray
        return
    if os.environ.get("RAY_ADDRESS"):
        ray.init(**_QUIET)
    else:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a program that measures sends nothing anywhere
        told = {"runtime_env": {"env_vars": dict(variables)}} if variables else {}
        ray.init(address="local", num_cpus=processors, include_dashboard=False, **told, **_QUIET)
    try:
        yield ray
    finally:
        ray.shutdown()
