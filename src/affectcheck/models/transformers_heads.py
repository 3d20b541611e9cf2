"""Networks with their heads, made by the library transformers from local files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from affectcheck.errors import ModelError
from affectcheck.models.devices import PROCESSOR, installed, moved

if TYPE_CHECKING:
    from affectcheck.models.transformers_folder import HubFolder

#: Beginning of the names of the library's classes, by ``model_type``.
FAMILIES: Final = {"wav2vec2": "Wav2Vec2", "hubert": "Hubert", "wavlm": "WavLM"}
#: Weights that the pooled head has and the library's own has not.
POOLED: Final = "classifier.out_proj."
#: Weights that only training needs, which files therefore may lack.
_TRAINING: Final = ("masked_spec_embed",)


@dataclass(frozen=True, eq=False)
class Network:
    """A network that is loaded.

    Attributes:
        module: the network, set to evaluate.
        extractor: the folder's feature extractor, where it does more than normalise.
        head: ``classification`` or ``regression over pooled states``, in words.
        parameters: how many.
        device: where it runs.
    """

    module: Any
    extractor: Any
    head: str
    parameters: int
    device: str = PROCESSOR

    def extract(self, samples: Any, rate_hz: int) -> Any:
        """What the folder's feature extractor makes of samples."""
        return next(iter(self.extractor(samples, sampling_rate=rate_hz, return_tensors="np").values()))

    def run(self, features: Any) -> Any:
        """Numbers of one clip."""
        import torch  # noqa: PLC0415  # loaded by now

        with torch.inference_mode():
            returned = self.module(moved(torch.as_tensor(features), self.device))
        numbers = getattr(returned, "logits", returned)
        return (numbers if self.device == PROCESSOR else numbers.cpu()).numpy()


def load_network(folder: HubFolder, threads: int, device: str = PROCESSOR) -> Network:
    """Load a network with its head.

    Raises:
        ExtraMissingError: transformers or PyTorch is not installed.
        ModelError: it cannot be loaded, or weights are missing.
    """
    transformers, torch = transformers_libraries()
    torch.set_num_threads(threads)
    pooled = any(name.startswith(POOLED) for name in _names(folder))
    try:
        known = _pooled_class(transformers, torch, folder) if pooled else transformers.AutoModelForAudioClassification
        module, told = known.from_pretrained(folder.path, local_files_only=True, output_loading_info=True)
        extractor = None
        if folder.normalisation == "folder":
            extractor = transformers.AutoFeatureExtractor.from_pretrained(folder.path, local_files_only=True)
    except ModelError:
        raise
    except Exception as error:  # the library's own errors have no common class
        raise ModelError(
            f"not a model of sound that can be loaded: {folder.path}",
            expected="audio classification, or a pooled head over wav2vec 2.0, HuBERT or WavLM",
            cause=str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__,
        ) from error
    require_whole(told, folder)
    head = f"{folder.config.get('pooling_mode', 'mean')} pooling, dense and projection" if pooled else "classification"
    numbers = sum(one.numel() for one in module.parameters())
    return Network(moved(module.eval(), device), extractor, head, numbers, device)


def transformers_libraries() -> tuple[Any, Any]:
    """The library transformers, which says little, and PyTorch.

    Raises:
        ExtraMissingError, ModelError: one of them is not installed, or cannot be imported.
    """
    feature = "running Hugging Face models"
    torch = installed("torch", feature=feature, extra="transformers")
    transformers = installed("transformers", feature=feature, extra="transformers")
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    return transformers, torch


def _names(folder: HubFolder) -> set[str]:
    """Names of the weights, without loading them where that can be helped."""
    found: set[str] = set()
    for path in folder.weights:
        if path.suffix == ".safetensors":
            from safetensors import safe_open  # noqa: PLC0415  # comes with transformers

            with safe_open(path, framework="np") as file:
                found |= set(file.keys())
        else:
            import torch  # noqa: PLC0415

            found |= set(torch.load(path, map_location="meta", weights_only=True))
    return found


def _pooled_class(transformers: Any, torch: Any, folder: HubFolder) -> Any:
    """The class of a network whose states are pooled over time, then go through a dense layer and a projection."""
    kind, pooling = str(folder.config.get("model_type")), str(folder.config.get("pooling_mode", "mean"))
    if kind not in FAMILIES or pooling not in {"mean", "sum", "max"}:
        raise ModelError(
            f"a head of pooling {pooling!r} over {kind!r}",
            where=str(folder.path),
            expected=f"mean, sum or max over one of {', '.join(FAMILIES)}",
        )
    family = FAMILIES[kind]
    parent, network = getattr(transformers, f"{family}PreTrainedModel"), getattr(transformers, f"{family}Model")

    class Head(torch.nn.Module):  # type: ignore[misc]  # the library is not seen by the type checker
        def __init__(self, config: Any) -> None:
            super().__init__()
            self.dense = torch.nn.Linear(config.hidden_size, config.hidden_size)
            self.out_proj = torch.nn.Linear(config.hidden_size, config.num_labels)

        def forward(self, pooled: Any) -> Any:
            return self.out_proj(torch.tanh(self.dense(pooled)))

    class Pooled(parent):  # type: ignore[misc, valid-type]
        def __init__(self, config: Any) -> None:
            super().__init__(config)
            setattr(self, kind, network(config))
            self.classifier = Head(config)
            self.post_init()

        def forward(self, values: Any) -> Any:
            states = getattr(self, kind)(values).last_hidden_state
            pooled = states.amax(dim=1) if pooling == "max" else getattr(states, pooling)(dim=1)
            return self.classifier(pooled)

    return Pooled


def require_whole(told: Any, folder: HubFolder) -> None:
    """Every weight that the network needs was in the folder.

    Raises:
        ModelError: some are missing or of another shape.
    """
    missing = sorted(name for name in told["missing_keys"] if not name.endswith(_TRAINING))
    wrong = sorted(str(one[0]) for one in told.get("mismatched_keys", ()))
    if missing or wrong:
        shown = ", ".join((missing or wrong)[:3])
        raise ModelError(
            f"{len(missing or wrong)} weights are {'missing' if missing else 'of another shape'}, such as {shown}",
            where=str(folder.path),
            expected="the weights of the network and of its head",
            cause="a pretrained network that was not tuned to emotion, or a head of another kind",
        )
