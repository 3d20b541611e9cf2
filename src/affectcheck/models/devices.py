"""Where networks run: the processor, or a graphics card that is asked for; one that is not there is never replaced."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from affectcheck.errors import ExtraMissingError, InputError, ModelError
from affectcheck.models.options import Option

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PROCESSOR: Final = "cpu"
DEVICE_OPTION: Final = Option("device", "where it runs: cpu, cuda, or cuda:1 and so on", PROCESSOR)


def installed(name: str, *, feature: str, extra: str) -> Any:
    """A library, imported when it is needed.

    Args:
        name: of the library.
        feature: what it is needed for.
        extra: what brings it.

    Raises:
        ExtraMissingError: it, or something that it needs, is not installed.
        ModelError: it is installed, but cannot be imported.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise ExtraMissingError.of(feature, extra, error.name or name) from error
    except Exception as error:  # what versions that do not fit raise has no common class
        raise ModelError(
            f"{name} is installed, but cannot be imported: {type(error).__name__}: {error}",
            expected=f"an environment in which `import {name}` works",
            cause="versions of torch, torchvision and what is built on them that do not belong together",
        ) from error


def torch_library() -> Any:
    """PyTorch.

    Raises:
        ExtraMissingError, ModelError: it is not installed, or cannot be imported.
    """
    return installed("torch", feature="running PyTorch models", extra="transformers")


def torch_device(options: Mapping[str, Any], *, where: str) -> str:
    """The stated device, which PyTorch has.

    Raises:
        InputError: it is no device, or there is none of that name here.
    """
    stated = str(options.get("device", PROCESSOR))
    name, number = _device(stated, where)
    if name == PROCESSOR:
        return PROCESSOR
    torch = torch_library()
    found = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if number >= found:
        built = getattr(torch.version, "cuda", None) or getattr(torch.version, "hip", None)
        lacking = f"{found} cards that PyTorch can use" if built else "a PyTorch without CUDA"
        raise absent(stated, where, lacking)
    return f"{name}:{number}"


def moved(what: Any, device: str) -> Any:
    """A tensor or network of PyTorch on a device; what is on the processor stays as it is."""
    return what if device == PROCESSOR else what.to(device)


def onnx_providers(device: str, available: Callable[[], list[str]], *, where: str) -> list[Any]:
    """What ONNX Runtime is to run a graph on, the stated device first.

    Args:
        device: as it is stated.
        available: says what this build of ONNX Runtime has.
        where: the graph.

    Raises:
        InputError: it is no device, or this build cannot run on it.
    """
    name, number = _device(device, where)
    if name == PROCESSOR:
        return ["CPUExecutionProvider"]
    if "CUDAExecutionProvider" not in available():
        raise absent(device, where, "an onnxruntime without CUDA, which onnxruntime-gpu has")
    return [("CUDAExecutionProvider", {"device_id": number}), "CPUExecutionProvider"]


def _device(stated: str, where: str) -> tuple[str, int]:
    name, colon, number = stated.partition(":")
    if name not in {PROCESSOR, "cuda"} or (colon and not (name == "cuda" and number.isdigit())):
        raise InputError(f"device is {stated!r}", where=where, expected="cpu, cuda, or cuda:1 and so on")
    return name, int(number or 0)


def absent(stated: str, where: str, cause: str) -> InputError:
    """The error of a device that is not there."""
    return InputError(
        f"nothing can be run on device={stated} here",
        where=where,
        expected="device=cpu, which is the default, or a graphics card that is there",
        cause=cause,
    )
