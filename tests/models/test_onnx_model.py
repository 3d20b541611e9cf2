"""ONNX graphs, the public model's names among them."""

from __future__ import annotations

import pickle
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from affectcheck.errors import ExtraMissingError, InputError, MissingPathError, ModelError, UnknownNameError
from affectcheck.media.clip import Clip, Item
from affectcheck.models import ModelRaisedError, load_model

pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed (extra onnx)")
pytest.importorskip("onnx", reason="onnx, which makes the graphs, is not installed (extra check)")

from onnx_graphs import YAML, write_graph

if TYPE_CHECKING:
    from pathlib import Path


def item(*samples: float, key: str = "a") -> Item:
    return Item(key, {"audio": Clip(np.array(samples, np.float32), 16_000)})


@pytest.fixture
def public(tmp_path: Path) -> Path:
    """A folder like that of the public model."""
    write_graph(tmp_path / "w2v2" / "model.onnx")
    (tmp_path / "w2v2" / "model.yaml").write_text(YAML)
    return tmp_path / "w2v2"


def test_the_public_model_loads_without_an_option(public: Path) -> None:
    model = load_model(f"onnx:{public}")
    card = model.card
    assert (card.kind, card.parts, card.output) == ("dimensions", ("arousal", "dominance", "valence"), "value")
    assert (card.name, card.rate_hz, card.low, card.high, card.media) == ("w2v2", 16_000, 0.0, 1.0, ("audio",))
    assert len(card.digest) == 32
    assert model.predict([item(0.5, -0.5), item(1.0)]).tolist() == [[0.25, 0.5, 0.75], [1.0, 2.0, 3.0]]


def test_an_answer_does_not_depend_on_neighbours(public: Path) -> None:
    model = load_model(f"onnx:{public}")
    held = [item(0.1, 0.2, key="a"), item(*[0.3] * 50, key="b"), item(0.7, key="c")]
    together = model.predict(held)
    assert np.array_equal(together[::-1], model.predict(held[::-1]))
    assert np.array_equal(together, np.concatenate([model.predict([one]) for one in held]))
    assert model.predict([]).shape == (0, 3)


def test_it_travels_to_another_process_as_its_path(public: Path) -> None:
    model = load_model(f"onnx:{public}")
    before = model.predict([item(0.5)])
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict([item(0.5)]), before)


def test_options_go_before_what_the_folder_says(public: Path) -> None:
    model = load_model(f"onnx:{public}?dimensions=a,b,c&low=-1&high=2&name=mine&rate_hz=8000&threads=2")
    card = model.card
    assert (card.name, card.parts, card.low, card.high, card.rate_hz) == ("mine", ("a", "b", "c"), -1.0, 2.0, 8_000)


def test_a_graph_alone_needs_its_labels_stated(tmp_path: Path) -> None:
    path = write_graph(tmp_path / "four.onnx", weights=(0.0, 1.0, 2.0, 3.0))
    with pytest.raises(InputError, match="what the model returns is not declared"):
        load_model(f"onnx:{path}")
    model = load_model(f"onnx:{path}?labels=anger,happiness,neutral,sadness")
    assert (model.card.name, model.card.kind, model.card.output) == ("four", "categories", "logit")
    assert model.predict([item(1.0)]).tolist() == [[0.0, 1.0, 2.0, 3.0]]


def test_a_softmax_makes_probabilities_of_logits(tmp_path: Path) -> None:
    path = write_graph(tmp_path / "four.onnx", weights=(0.0, 1.0, 2.0, 3.0))
    model = load_model(f"onnx:{path}?labels=a,b,c,d&activation=softmax")
    found = model.predict([item(1.0), item(30.0)])
    assert model.card.output == "probability"
    assert np.allclose(found[0], np.exp(range(4)) / np.exp(range(4)).sum(), atol=1e-12)
    assert np.allclose(found.sum(axis=1), 1.0)
    with pytest.raises(InputError, match="a softmax of dimensions"):
        load_model(f"onnx:{path}?dimensions=a,b,c,d&activation=softmax")


def test_a_clip_may_be_normalised_first(public: Path) -> None:
    plain, normal = (load_model(f"onnx:{public}?normalize={how}") for how in ("none", "zscore"))
    found = normal.predict([item(0.1, 0.3), item(0.4, 0.4)])
    assert np.allclose(found, [[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]], atol=1e-4)  # silence is no division by zero
    assert plain.card.digest != normal.card.digest
    assert "zscore" in normal.card.notes[0]


@pytest.mark.parametrize(("shape", "kind"), [(("time",), 1), ((1, 1, "time"), 1), ((1, "time"), 11), ((1, "time"), 10)])
def test_inputs_of_other_ranks_and_types(tmp_path: Path, shape: Any, kind: int) -> None:
    path = write_graph(tmp_path / "one.onnx", shape=shape, kind=kind)
    model = load_model(f"onnx:{path}?dimensions=arousal,dominance,valence")
    assert model.predict([item(0.5, 0.5)]).tolist() == [[0.25, 0.5, 0.75]]


def test_other_nodes_may_be_named(public: Path) -> None:
    model = load_model(f"onnx:{public}?output_node=hidden_states&dimensions=arousal&input_node=signal")
    assert model.predict([item(0.5)]).tolist() == [[0.25]]
    with pytest.raises(UnknownNameError, match="unknown output of the graph 'logit'"):
        load_model(f"onnx:{public}?output_node=logit")


def test_the_digest_is_that_of_the_weights_not_of_their_place(public: Path, tmp_path: Path) -> None:
    digests = {load_model(f"onnx:{public}").card.digest}
    write_graph(tmp_path / "other" / "model.onnx")
    (tmp_path / "other" / "model.yaml").write_text(YAML)
    digests.add(load_model(f"onnx:{tmp_path / 'other'}").card.digest)
    assert len(digests) == 1
    (tmp_path / "other" / "model.onnx.data").write_bytes(b"weights")
    digests.add(load_model(f"onnx:{tmp_path / 'other'}").card.digest)
    write_graph(public / "model.onnx", weights=(1.0, 2.0, 3.5))
    digests.add(load_model(f"onnx:{public}").card.digest)
    assert len(digests) == 3


def test_a_failure_of_the_graph_is_one_of_the_item(tmp_path: Path) -> None:
    path = write_graph(tmp_path / "one.onnx", shape=(1, 4))
    model = load_model(f"onnx:{path}?dimensions=arousal,dominance,valence")
    assert model.predict([item(1.0, 1.0, 1.0, 1.0)]).shape == (1, 3)
    with pytest.raises(ModelRaisedError, match="item 'short': the graph takes clips of 4 samples, this one has 1"):
        model.predict([item(1.0, key="short")])


def test_an_error_of_the_runtime_is_one_of_the_item(public: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = load_model(f"onnx:{public}")

    def fail(*_: object) -> None:
        raise RuntimeError("too short for the first layer")

    monkeypatch.setitem(vars(model), "_session", type("Session", (), {"run": fail}))
    with pytest.raises(ModelRaisedError, match=r"item 'short'[\s\S]*too short for the first layer"):
        model.predict([item(1.0, key="short")])


@pytest.mark.parametrize("shape", [(2, "time"), (1, 2, "time")])
def test_a_graph_of_several_clips_or_channels_is_refused(tmp_path: Path, shape: Any) -> None:
    path = write_graph(tmp_path / "one.onnx", shape=shape)
    with pytest.raises(ModelError, match="it takes 2 clips or channels at a time"):
        load_model(f"onnx:{path}?dimensions=arousal,dominance,valence")
    free = write_graph(tmp_path / "free.onnx", shape=("batch", "time"))
    assert load_model(f"onnx:{free}?dimensions=a,b,c").predict([item(0.5)]).tolist() == [[0.25, 0.5, 0.75]]


def test_weights_of_another_name_are_part_of_the_digest(public: Path) -> None:
    from onnx import external_data_helper, load, numpy_helper, save

    graph = load(str(public / "model.onnx"))
    for held in graph.graph.initializer[:1]:  # only what is held as bytes moves out
        held.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(held), held.name))
    external_data_helper.convert_model_to_external_data(graph, location="part.bin", size_threshold=0)
    save(graph, str(public / "model.onnx"))
    digest = load_model(f"onnx:{public}").card.digest
    (public / "other.bin").write_bytes(b"not named there")
    assert load_model(f"onnx:{public}").card.digest == digest
    content = bytearray((public / "part.bin").read_bytes())
    content[3] ^= 1  # of the first weight
    (public / "part.bin").write_bytes(content)
    assert load_model(f"onnx:{public}").card.digest != digest


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- a\n", "not a description of an ONNX model"),
        ("a: {b: 1\n", "not YAML"),
        ("$audonnx.core.model.Model==1: 3\n", "not a description"),
        (YAML.replace("transform: null", "transform:\n    signal:\n      $audsp.Spectrogram==1: {}"), "signal"),
        (YAML.replace("transform: null", "transform: {$audsp.Spectrogram==1: {}}"), "graph: .audsp.Spectrogram==1"),
        (YAML.replace("transform: null", "transform: [mel]"), "transformed before it goes into the graph: mel"),
    ],
)
def test_a_description_that_cannot_be_followed_is_told(public: Path, text: str, told: str) -> None:
    (public / "model.yaml").write_text(text)
    with pytest.raises(ModelError, match=told):
        load_model(f"onnx:{public}")


def test_a_description_of_another_graph_is_not_followed(public: Path) -> None:
    path = write_graph(public / "other.onnx", weights=(1.0,))
    assert load_model(f"onnx:{path}?dimensions=arousal").card.parts == ("arousal",)
    (public / "model.yaml").write_text(YAML.replace("transform: null", "transform: {signal: null}"))
    assert load_model(f"onnx:{public / 'model.onnx'}").card.parts[2] == "valence"


def test_a_description_without_labels_leaves_them_to_the_user(public: Path) -> None:
    (public / "model.yaml").write_text("$audonnx.core.model.Model==0.3.2:\n  path: model.onnx\n  labels: null\n")
    assert load_model(f"onnx:{public}?dimensions=a,b,c").card.parts == ("a", "b", "c")


def test_labels_of_other_names_are_categories(public: Path) -> None:
    (public / "model.yaml").write_text(YAML.replace("arousal", "anger"))
    assert load_model(f"onnx:{public}").card.kind == "categories"


def test_files_that_are_not_there_or_not_what_they_should_be(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError, match="ONNX model not found"):
        load_model(f"onnx:{tmp_path / 'none.onnx'}")
    with pytest.raises(InputError, match=r"no \.onnx file"):
        load_model(f"onnx:{tmp_path}")
    (tmp_path / "named").mkdir()
    (tmp_path / "named" / "model.yaml").write_text(YAML)
    with pytest.raises(MissingPathError, match=r"ONNX graph not found: .*model\.onnx[\s\S]*model\.yaml names"):
        load_model(f"onnx:{tmp_path / 'named'}")
    for name in ("a", "b"):
        write_graph(tmp_path / f"{name}.onnx")
    with pytest.raises(InputError, match=r"2 \.onnx files: a\.onnx, b\.onnx"):
        load_model(f"onnx:{tmp_path}")
    (tmp_path / "broken.onnx").write_bytes(b"no graph")
    with pytest.raises(ModelError, match="not an ONNX graph that can be run"):
        load_model(f"onnx:{tmp_path / 'broken.onnx'}?dimensions=arousal")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("dimensions=a,b", "has 3 numbers, 2 are named"),
        ("lbls=a", "unknown option 'lbls'"),
        ("normalize=peak", "unknown value of normalize 'peak'"),
        ("threads=0", "option 'threads' is 0"),
        ("threads=1.5", "option 'threads' is 1.5"),
        ("labels=a&dimensions=b", "both labels and dimensions"),
        ("output=odds", "unknown output 'odds'"),
    ],
)
def test_options_that_do_not_fit_are_told(public: Path, options: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        load_model(f"onnx:{public}?{options}")


def test_a_graph_of_something_else_is_refused(tmp_path: Path) -> None:
    path = write_graph(tmp_path / "one.onnx", shape=(1, 7, 224, 224))
    with pytest.raises(ModelError, match="7 channels"):
        load_model(f"onnx:{path}?dimensions=a,b,c")


def test_two_outputs_of_which_none_is_named_logits_need_a_choice(tmp_path: Path) -> None:
    from onnx import load, save

    path = write_graph(tmp_path / "one.onnx")
    graph = load(str(path))
    graph.graph.output[1].name = graph.graph.node[3].output[0] = "scores"
    save(graph, str(path))
    with pytest.raises(InputError, match=r"the graph has 2 outputs: hidden_states, scores"):
        load_model(f"onnx:{path}?dimensions=a,b,c")
    assert load_model(f"onnx:{path}?dimensions=a,b,c&output_node=scores").card.parts == ("a", "b", "c")


@pytest.mark.parametrize("package", ["onnxruntime", "yaml"])
def test_a_package_that_is_missing_is_named_with_its_extra(
    public: Path, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ExtraMissingError, match=r"affectcheck\[onnx\]"):
        load_model(f"onnx:{public}")
