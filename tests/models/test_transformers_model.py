"""Tiny networks of random weights, written as the library writes them."""

from __future__ import annotations

import json
import os
import pickle
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from affectcheck.errors import ExtraMissingError, InputError, MissingPathError, ModelError
from affectcheck.media.clip import Clip, Item
from affectcheck.models import ModelRaisedError, load_model
from affectcheck.models.transformers_folder import HubFolder, read_folder
from affectcheck.seeds import rng

if TYPE_CHECKING:
    from pathlib import Path

TINY = {
    "hidden_size": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 16,
    "conv_dim": [8, 8],
    "conv_stride": [5, 2],
    "conv_kernel": [10, 3],
    "num_feat_extract_layers": 2,
    "num_conv_pos_embeddings": 4,
    "num_conv_pos_embedding_groups": 2,
    "classifier_proj_size": 8,
    "do_stable_layer_norm": True,
    "feat_extract_norm": "layer",
    "conv_bias": True,
}
LABELS = {0: "arousal", 1: "dominance", 2: "valence"}


def item(n: int = 400, *, seed: int = 0, key: str = "a") -> Item:
    return Item(key, {"audio": Clip(rng(seed, "clip").normal(0.1, 0.2, n).astype(np.float32), 16_000)})


def folder(path: Path, config: Any, preprocessor: Any = None, weights: bytes | None = b"x") -> Path:
    path.mkdir(exist_ok=True)
    (path / "config.json").write_text(json.dumps(config))
    if preprocessor is not None:
        (path / "preprocessor_config.json").write_text(json.dumps(preprocessor))
    if weights is not None:
        (path / "model.safetensors").write_bytes(weights)
    return path


class TestFolder:
    @pytest.mark.parametrize("labels", [["a", "b"], {"x": "a"}, {"0": "a", "2": "b"}, "a,b", {"1": "a"}])
    def test_labels_that_are_no_names_by_number_are_told(self, tmp_path: Path, labels: object) -> None:
        with pytest.raises(ModelError, match=r"'id2label' is [\s\S]*a name for each number from 0 on"):
            load_model(f"hf:{folder(tmp_path, {'id2label': labels})}")

    @pytest.mark.parametrize("rate", ["16000", None, 16000.5])
    def test_a_rate_that_is_none_is_told(self, tmp_path: Path, rate: object) -> None:
        with pytest.raises(ModelError, match=r"'sampling_rate' is .*\n.*such as 16000"):
            load_model(f"hf:{folder(tmp_path, {}, {'sampling_rate': rate})}")

    def test_labels_are_in_the_order_of_their_numbers(self, tmp_path: Path) -> None:
        names = {str(n): f"c{n}" for n in (10, 2, 0, 1, 3, 4, 5, 6, 7, 8, 9)}
        assert read_folder(folder(tmp_path, {"id2label": names})).labels == tuple(f"c{n}" for n in range(11))

    def test_numbers_without_names_have_none(self, tmp_path: Path) -> None:
        assert read_folder(folder(tmp_path, {"id2label": {"0": "LABEL_0", "1": "LABEL_1"}})).labels == ()
        assert read_folder(folder(tmp_path, {})).labels == ()

    @pytest.mark.parametrize(
        ("preprocessor", "how"),
        [
            (None, "zscore"),
            ({"do_normalize": True}, "zscore"),
            ({"do_normalize": False, "feature_extractor_type": "Wav2Vec2FeatureExtractor"}, "none"),
            ({"feature_extractor_type": "ASTFeatureExtractor"}, "folder"),
        ],
    )
    def test_sound_is_normalised_as_the_preprocessor_says(self, tmp_path: Path, preprocessor: Any, how: str) -> None:
        assert read_folder(folder(tmp_path, {}, preprocessor)).normalisation == how

    def test_a_folder_of_the_cache_is_called_after_its_model(self, tmp_path: Path) -> None:
        place = tmp_path / "models--owner--name" / "snapshots" / "3f2a"
        assert HubFolder(place, {}, {"sampling_rate": 8_000}, ()).name == "owner/name"
        assert HubFolder(tmp_path, {}, {"sampling_rate": 8_000}, ()).rate_hz == 8_000

    def test_files_that_are_missing_or_no_json_are_told(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"no config\.json"):
            read_folder(tmp_path)
        with pytest.raises(ModelError, match="no weights"):
            read_folder(folder(tmp_path, {}, weights=None))
        (tmp_path / "config.json").write_text("{")
        with pytest.raises(ModelError, match="not JSON"):
            read_folder(tmp_path)
        (tmp_path / "config.json").write_text("[]")
        with pytest.raises(ModelError, match="not an object"):
            read_folder(tmp_path)

    def test_weights_may_be_of_the_older_kind(self, tmp_path: Path) -> None:
        folder(tmp_path, {}, weights=None)
        (tmp_path / "pytorch_model.bin").write_bytes(b"x")
        (tmp_path / "training_args.bin").write_bytes(b"x")
        assert [one.name for one in read_folder(tmp_path).weights] == ["pytorch_model.bin"]


@pytest.mark.parametrize(
    ("text", "error", "told"),
    [
        ("hf:owner/name", MissingPathError, "nothing is downloaded"),
        ("hf:owner/name?speed=1", InputError, "unknown option 'speed'"),
        ("hf:owner/name?normalize=peak", InputError, "unknown value of normalize"),
    ],
)
def test_a_name_that_is_no_folder_is_told(text: str, error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        load_model(text)


def made(path: Path, kind: str, *, pooled: bool, labels: dict[int, str] | None = None, bin_file: bool = False) -> Path:
    """A tiny network with its head in a folder."""
    pytest.importorskip("torch", reason="PyTorch is not installed (extra transformers)")
    pytest.importorskip("transformers", reason="transformers is not installed (extra transformers)")
    os.environ["HF_HUB_OFFLINE"] = "1"
    import torch
    import transformers

    from affectcheck.models.transformers_heads import FAMILIES, _pooled_class

    family = FAMILIES[kind]
    config = getattr(transformers, f"{family}Config")(**TINY, id2label=labels or LABELS)
    torch.manual_seed(1)
    if pooled:
        config.problem_type = "regression"
        config.pooling_mode = "mean"
        place = HubFolder(path, {"model_type": kind}, {}, ())
        network = _pooled_class(transformers, torch, place)(config)
    else:
        network = getattr(transformers, f"{family}ForSequenceClassification")(config)
    with torch.no_grad():
        for one in network.parameters():
            one.uniform_(-0.4, 0.4)
    network.save_pretrained(path)
    if bin_file:
        torch.save(network.state_dict(), path / "pytorch_model.bin")
        (path / "model.safetensors").unlink()
    (path / "preprocessor_config.json").write_text(
        json.dumps(
            {"feature_extractor_type": "Wav2Vec2FeatureExtractor", "do_normalize": True, "sampling_rate": 16_000}
        )
    )
    return path


@pytest.mark.parametrize("kind", ["wav2vec2", "hubert", "wavlm"])
def test_a_pooled_head_is_what_it_says(tmp_path: Path, kind: str) -> None:
    place = made(tmp_path / "net", kind, pooled=True)
    model = load_model(f"hf:{place}")
    card = model.card
    assert (card.kind, card.parts, card.output, card.name) == ("dimensions", tuple(LABELS.values()), "value", "net")
    assert card.parameters is not None
    assert card.parameters > 1_000
    import torch
    from safetensors.torch import load_file

    held = item()
    network, weights = model._network.module, load_file(place / "model.safetensors")  # type: ignore[attr-defined]
    samples = held.audio.samples.astype(np.float64)
    signal = torch.as_tensor(((samples - samples.mean()) / np.sqrt(samples.var() + 1e-7)).astype(np.float32))
    with torch.inference_mode():
        pooled = getattr(network, kind)(signal[None]).last_hidden_state.mean(dim=1)
        dense = torch.tanh(pooled @ weights["classifier.dense.weight"].T + weights["classifier.dense.bias"])
        wanted = dense @ weights["classifier.out_proj.weight"].T + weights["classifier.out_proj.bias"]
    assert np.allclose(model.predict([held]), wanted.numpy(), atol=1e-6)


def test_weights_of_the_older_kind_give_the_same(tmp_path: Path) -> None:
    one = load_model(f"hf:{made(tmp_path / 'a', 'wav2vec2', pooled=True)}")
    other = load_model(f"hf:{made(tmp_path / 'b', 'wav2vec2', pooled=True, bin_file=True)}")
    assert np.allclose(one.predict([item()]), other.predict([item()]), atol=1e-6)


def test_audio_classification_and_its_softmax(tmp_path: Path) -> None:
    place = made(tmp_path / "net", "hubert", pooled=False, labels={0: "ang", 1: "hap", 2: "neu", 3: "sad"})
    model, soft = load_model(f"hf:{place}"), load_model(f"hf:{place}?activation=softmax&threads=2")
    assert (model.card.kind, model.card.parts, model.card.output) == (
        "categories",
        ("ang", "hap", "neu", "sad"),
        "logit",
    )
    logits, shares = model.predict([item()]), soft.predict([item()])
    assert soft.card.output == "probability"
    assert np.allclose(shares, np.exp(logits) / np.exp(logits).sum())
    with pytest.raises(InputError, match="a softmax of dimensions"):
        load_model(f"hf:{place}?activation=softmax&dimensions=a,b,c,d")


def test_an_answer_does_not_depend_on_neighbours_or_processes(tmp_path: Path) -> None:
    model = load_model(f"hf:{made(tmp_path / 'net', 'wav2vec2', pooled=True)}")
    held = [item(400, key="a"), item(900, seed=1, key="b"), item(300, seed=2, key="c")]
    together = model.predict(held)
    assert np.array_equal(together, np.concatenate([model.predict([one]) for one in held]))
    assert np.allclose(pickle.loads(pickle.dumps(model)).predict(held), together, atol=1e-6)


def test_normalisation_is_stated_or_the_folder_s(tmp_path: Path) -> None:
    place = made(tmp_path / "net", "wav2vec2", pooled=True)
    models = {how: load_model(f"hf:{place}?normalize={how}") for how in ("folder", "zscore", "none")}
    values = {how: model.predict([item()]).tolist() for how, model in models.items()}
    assert values["folder"] == values["zscore"] != values["none"]
    assert models["folder"].card.digest == models["zscore"].card.digest != models["none"].card.digest


def test_a_clip_that_is_too_short_is_a_fault_of_the_clip(tmp_path: Path) -> None:
    model = load_model(f"hf:{made(tmp_path / 'net', 'wav2vec2', pooled=True)}")
    with pytest.raises(ModelRaisedError, match="item 'short'"):
        model.predict([item(4, key="short")])


def test_a_head_without_weights_is_refused(tmp_path: Path) -> None:
    place = made(tmp_path / "net", "wav2vec2", pooled=True)
    from safetensors.torch import load_file, save_file

    weights = load_file(place / "model.safetensors")
    del weights["classifier.out_proj.weight"]
    save_file(weights, place / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelError, match=r"1 weights are missing, such as classifier\.out_proj\.weight"):
        load_model(f"hf:{place}")
    del weights["classifier.dense.weight"], weights["classifier.dense.bias"], weights["classifier.out_proj.bias"]
    save_file(weights, place / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelError, match="weights are missing"):
        load_model(f"hf:{place}")


def test_what_cannot_be_loaded_is_told(tmp_path: Path) -> None:
    place = made(tmp_path / "net", "wav2vec2", pooled=True)
    config = json.loads((place / "config.json").read_text())
    (place / "config.json").write_text(json.dumps(config | {"pooling_mode": "attention"}))
    with pytest.raises(ModelError, match="a head of pooling 'attention'"):
        load_model(f"hf:{place}")
    other = made(tmp_path / "other", "wav2vec2", pooled=False)
    config = json.loads((other / "config.json").read_text())
    (other / "config.json").write_text(json.dumps(config | {"model_type": "unheard-of"}))
    with pytest.raises(ModelError, match="not a model of sound that can be loaded"):
        load_model(f"hf:{other}")


def test_a_feature_extractor_of_the_folder_is_used(tmp_path: Path) -> None:
    made(tmp_path / "skips", "wav2vec2", pooled=False)
    import transformers

    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    config = transformers.ASTConfig(**sizes, max_length=64, num_mel_bins=32, id2label={0: "anger", 1: "neutral"})
    transformers.ASTForAudioClassification(config).save_pretrained(tmp_path / "ast")
    transformers.ASTFeatureExtractor(max_length=64, num_mel_bins=32).save_pretrained(tmp_path / "ast")
    model = load_model(f"hf:{tmp_path / 'ast'}")
    assert "normalised: folder" in model.card.notes[0]
    assert model.predict([item(8_000)]).shape == (1, 2)


def test_a_package_that_is_missing_is_named_with_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ExtraMissingError, match=r"affectcheck\[transformers\]"):
        load_model(f"hf:{folder(tmp_path, {'id2label': {'0': 'anger'}})}")
