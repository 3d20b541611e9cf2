"""What is asked of the libraries, with stand-ins for them: the real ones are gigabytes, and tested where they are installed."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from affectcheck.errors import InputError, ModelError
from affectcheck.media.clip import Clip, Item
from affectcheck.models import load_model

if TYPE_CHECKING:
    from pathlib import Path

ITEM = Item("a", {"audio": Clip(np.array([0.5, -0.5, 0.5, -0.5], np.float32), 16_000)})


class Tensor(np.ndarray):
    def numpy(self) -> np.ndarray:
        return np.asarray(self)

    def mean(self, dim: int) -> Any:  # type: ignore[override]
        return np.asarray(self).mean(axis=dim).view(Tensor)

    def amax(self, dim: int) -> Any:
        return np.asarray(self).max(axis=dim).view(Tensor)


class Module:
    def __call__(self, values: Any) -> Any:
        return self.forward(values)  # type: ignore[attr-defined]

    def eval(self) -> Module:
        return self

    def parameters(self) -> list[Any]:
        return [SimpleNamespace(numel=lambda: 7)]

    def post_init(self) -> None:
        return


class Linear(Module):
    def __init__(self, _: int, wide: int) -> None:
        self.wide = wide

    def forward(self, values: Any) -> Any:
        return (np.asarray(values).sum(axis=-1, keepdims=True) * np.arange(1, self.wide + 1)).view(Tensor)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the stand-ins answer: names of weights, what is missing, an error; and what they were asked."""
    told: dict[str, Any] = {"names": ["classifier.weight"], "missing": [], "mismatched": [], "error": None}

    def loaded(made: Any) -> Any:
        if told["error"]:
            raise told["error"]
        return made, {"missing_keys": told["missing"], "mismatched_keys": told["mismatched"]}

    class Parent(Module):
        def __init__(self, config: Any) -> None:
            self.config = config

        @classmethod
        def from_pretrained(cls, *_: Any, **options: Any) -> Any:
            told["options"] = options
            return loaded(cls(SimpleNamespace(hidden_size=2, num_labels=3)))

    class States(Module):
        def __init__(self, _: Any = None) -> None:
            return

        def forward(self, values: Any) -> Any:
            states = np.stack([np.asarray(values), np.zeros_like(values)], axis=-1)
            return SimpleNamespace(last_hidden_state=states.view(Tensor))

    class Classes(Module):
        def forward(self, values: Any) -> Any:
            told["shape"] = np.shape(values)
            return SimpleNamespace(logits=np.array([[0.0, 1.0]]).view(Tensor))

    torch: Any = ModuleType("torch")
    torch.set_num_threads = lambda threads: told.__setitem__("threads", threads)
    torch.inference_mode = nullcontext
    torch.as_tensor = lambda values: np.asarray(values).view(Tensor)
    torch.tanh = np.tanh
    torch.load = lambda *_, **__: dict.fromkeys(told["names"])
    torch.nn = SimpleNamespace(Module=Module, Linear=Linear)
    library: Any = ModuleType("transformers")
    library.utils = SimpleNamespace(
        logging=SimpleNamespace(set_verbosity_error=lambda: None, disable_progress_bar=lambda: None)
    )
    library.Wav2Vec2PreTrainedModel, library.Wav2Vec2Model = Parent, States
    library.AutoModelForAudioClassification = SimpleNamespace(from_pretrained=lambda *_, **__: loaded(Classes()))
    library.AutoFeatureExtractor = SimpleNamespace(
        from_pretrained=lambda *_, **__: lambda samples, **___: {"input_values": np.zeros((1, 3, len(samples)))}
    )
    safetensors: Any = ModuleType("safetensors")
    safetensors.safe_open = lambda *_, **__: nullcontext(dict.fromkeys(told["names"]))
    for name, module in (("torch", torch), ("transformers", library), ("safetensors", safetensors)):
        monkeypatch.setitem(sys.modules, name, module)
    return told


def folder(path: Path, *, suffix: str = "safetensors", preprocessor: Any = None, **config: Any) -> Path:
    labels = {"0": "anger", "1": "neutral"}
    (path / "config.json").write_text(json.dumps({"model_type": "wav2vec2", "id2label": labels} | config))
    (path / ("model.safetensors" if suffix == "safetensors" else "pytorch_model.bin")).write_bytes(b"weights")
    if preprocessor:
        (path / "preprocessor_config.json").write_text(json.dumps(preprocessor))
    return path


@pytest.mark.parametrize("suffix", ["safetensors", "bin"])
def test_a_classifier_is_asked_clip_by_clip(tmp_path: Path, told: dict[str, Any], suffix: str) -> None:
    model = load_model(f"hf:{folder(tmp_path, suffix=suffix)}?threads=3")
    assert model.predict([ITEM, ITEM]).tolist() == [[0.0, 1.0], [0.0, 1.0]]
    assert told["shape"] == (1, 4)
    assert told["threads"] == 3
    assert model.card.parameters == 7
    assert model.card.notes == ("wav2vec2 with a head of classification, sound normalised: zscore",)
    soft = load_model(f"hf:{tmp_path}?activation=softmax")
    assert soft.predict([ITEM]).sum() == pytest.approx(1.0)
    with pytest.raises(InputError, match="a softmax of dimensions"):
        load_model(f"hf:{tmp_path}?activation=softmax&dimensions=a,b")


@pytest.mark.parametrize(("pooling", "pooled"), [("mean", 0.0), ("max", 0.5)])
def test_a_pooled_head_is_made_from_local_files(
    tmp_path: Path, told: dict[str, Any], pooling: str, pooled: float
) -> None:
    told["names"] = ["wav2vec2.encoder", "classifier.dense.weight", "classifier.out_proj.weight"]
    told["missing"] = ["wav2vec2.masked_spec_embed"]
    labels = {"0": "arousal", "1": "dominance", "2": "valence"}
    place = folder(tmp_path, id2label=labels, problem_type="regression", pooling_mode=pooling)
    model = load_model(f"hf:{place}?normalize=none")
    dense = np.tanh(pooled * np.arange(1, 3)).sum()
    assert np.allclose(model.predict([ITEM]), [dense * np.arange(1, 4)])
    assert told["options"]["local_files_only"] is True
    assert (model.card.kind, model.card.parts) == ("dimensions", tuple(labels.values()))


def test_a_feature_extractor_that_does_more_is_used(tmp_path: Path, told: dict[str, Any]) -> None:
    model = load_model(f"hf:{folder(tmp_path, preprocessor={'feature_extractor_type': 'ASTFeatureExtractor'})}")
    model.predict([ITEM])
    assert told["shape"] == (1, 3, 4)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"missing": ["classifier.weight", "projector.weight"]}, "2 weights are missing, such as classifier.weight"),
        ({"mismatched": [("classifier.weight", (2,), (3,))]}, "1 weights are of another shape"),
        ({"error": ValueError("no such architecture\nmore")}, "no such architecture"),
        ({"error": KeyError()}, "KeyError"),
    ],
)
def test_what_cannot_be_loaded_is_told(
    tmp_path: Path, told: dict[str, Any], answer: dict[str, Any], message: str
) -> None:
    told.update(answer)
    with pytest.raises(ModelError) as raised:
        load_model(f"hf:{folder(tmp_path)}")
    assert message in str(raised.value)


@pytest.mark.parametrize("config", [{"pooling_mode": "attention"}, {"model_type": "sew"}])
def test_a_head_that_is_not_known_is_told(tmp_path: Path, told: dict[str, Any], config: dict[str, str]) -> None:
    told["names"] = ["classifier.out_proj.weight"]
    with pytest.raises(ModelError, match="a head of pooling"):
        load_model(f"hf:{folder(tmp_path, **config)}")
