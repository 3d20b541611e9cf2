"""Image classifiers of the library transformers from a local folder, as part of ``hf:FOLDER``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from affectcheck.digest import digest_bytes, digest_file
from affectcheck.errors import ModelError
from affectcheck.models.activations import ACTIVATIONS, output_of, require_activation
from affectcheck.models.declaring import Declared, chosen, declared_card, kind_of
from affectcheck.models.picture_input import PictureInput, picture_input
from affectcheck.models.registry import whole
from affectcheck.models.torch_pictures import TorchPictures, not_loaded
from affectcheck.models.transformers_folder import CONFIG, PREPROCESSOR, HubFolder
from affectcheck.models.transformers_heads import require_whole, transformers_libraries

if TYPE_CHECKING:
    from collections.abc import Mapping

_CLASSIFIER: Final = "ForImageClassification"
#: Below this side, ConvNeXt's processor resizes to more than it cuts out.
_CUT_BELOW: Final = 384


def of_pictures(folder: HubFolder) -> bool:
    """Whether the folder's model is an image classifier, by what its configuration says."""
    named = folder.config.get("architectures") or ()
    return any(str(one).endswith(_CLASSIFIER) for one in named) or "image_mean" in folder.preprocessor


@dataclass(frozen=True)
class HubPictures:
    """An image classifier in a folder."""

    folder: HubFolder

    def load(self) -> Any:
        """The network with its head; weights that the folder lacks are an error.

        Raises:
            ExtraMissingError: transformers or PyTorch is not installed.
            ModelError: it cannot be loaded, or weights are missing.
        """
        transformers, _ = transformers_libraries()
        try:
            module, told = transformers.AutoModelForImageClassification.from_pretrained(
                self.folder.path, local_files_only=True, output_loading_info=True
            )
        except Exception as error:  # the library's own errors have no common class
            raise not_loaded("an image classifier", self.folder.path, "an image classifier", error) from error
        require_whole(told, self.folder)
        return module.eval()


def load_pictures(folder: HubFolder, options: Mapping[str, Any], *, where: str) -> TorchPictures:
    """An image classifier with what its folder says and what is stated.

    Raises:
        ExtraMissingError: transformers or PyTorch is not installed.
        ModelError: it cannot be loaded, or what the folder says of its pictures cannot be read.
        InputError: an option does not fit, or the classes, dimensions or units are not declared.
    """
    threads = whole("threads", options.get("threads", 1), least=1)
    activation = chosen(options, "activation", ACTIVATIONS, where=where)
    made = picture_input(options, prepared(folder), where=where)
    labels = folder.labels
    files = [*folder.weights, *(one for one in (folder.path / CONFIG, folder.path / PREPROCESSOR) if one.is_file())]
    problem = folder.config.get("problem_type")
    declared = Declared(
        folder.name,
        labels,
        {"regression": "dimensions", "multi_label_classification": "units"}.get(str(problem))
        or kind_of(labels or ("",)),  # type: ignore[arg-type]  # kinds, all of them
        scores=output_of(activation),
        digest=digest_bytes("hf", *(digest_file(one) for one in files), made.digest, activation),
        notes=(f"{folder.config.get('model_type')}, image classification; {made.told}",),
        parent=str(folder.config.get("_name_or_path", "")),
        media=("image",),
    )
    card = declared_card(options, declared, where=where)
    require_activation(activation, card, where=where)
    model = TorchPictures(HubPictures(folder), card, made, activation, threads)
    _ = model._network  # what cannot be loaded is told when it is named
    return model


def prepared(folder: HubFolder) -> PictureInput:
    """How the folder's image processor prepares pictures.

    Raises:
        ModelError: it does something else than to scale, cut out the middle and normalise.
    """
    said = folder.preprocessor
    try:
        size = _Sides.of(said.get("size", folder.config.get("image_size", 0)))
        cut = _Sides.of(said["crop_size"]) if said.get("do_center_crop") and "crop_size" in said else None
        final, share = (cut, min(cut.height / size.height, 1.0)) if cut and size.height else (cut or size, 1.0)
        if size.shortest and not cut:  # as ConvNeXt's: the middle of something larger
            share = float(said.get("crop_pct", 1.0)) if size.height < _CUT_BELOW else 1.0
        top = float(said.get("rescale_factor", 1 / 255)) * 255 if said.get("do_rescale", True) else 255.0
        normalises = said.get("do_normalize", True)
        return PictureInput(
            width=final.width,
            height=final.height,
            high=top,
            mean=tuple(map(float, said.get("image_mean", (0.0,)))) if normalises else (0.0,),
            std=tuple(map(float, said.get("image_std", (1.0,)))) if normalises else (1.0,),
            fit="centre" if cut or size.shortest else "stretch",
            share=share,
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ModelError(
            "what becomes of pictures cannot be read",
            where=str(folder.path / PREPROCESSOR),
            expected="size, crop_size, image_mean and image_std as the library writes them; or state ?size=, ?mean= …",
            cause=f"{type(error).__name__}: {error}",
        ) from error


@dataclass(frozen=True)
class _Sides:
    """A size as the library writes it: a number, height and width, or the shortest side."""

    width: int
    height: int
    shortest: bool = False

    @classmethod
    def of(cls, said: Any) -> _Sides:
        if isinstance(said, dict) and "shortest_edge" in said:
            return cls(int(said["shortest_edge"]), int(said["shortest_edge"]), shortest=True)
        if isinstance(said, dict):
            return cls(int(said["width"]), int(said["height"]))
        return cls(int(said), int(said))
