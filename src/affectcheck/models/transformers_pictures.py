"""Image classifiers of the library transformers from a local folder, as part of ``hf:FOLDER``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from affectcheck.digest import digest_bytes, digest_file
from affectcheck.models.activations import output_of, require_activation
from affectcheck.models.declaring import Declared, declared_card, kind_of
from affectcheck.models.picture_input import PictureInput, picture_input
from affectcheck.models.timm_model import prepared as prepared_by_timm
from affectcheck.models.torch_pictures import TorchPictures, not_loaded, running_of
from affectcheck.models.transformers_folder import CONFIG, PREPROCESSOR, HubFolder
from affectcheck.models.transformers_heads import require_whole, transformers_libraries
from affectcheck.models.transformers_processors import prepared

if TYPE_CHECKING:
    from collections.abc import Mapping

_CLASSIFIER: Final = "ForImageClassification"


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
    running = running_of(options, where=where)
    said_all = all(name in options for name in ("size", "mean", "std"))
    made = picture_input(options, PictureInput() if said_all else _prepared(folder), where=where)
    labels = folder.labels
    files = [*folder.weights, *(one for one in (folder.path / CONFIG, folder.path / PREPROCESSOR) if one.is_file())]
    problem = folder.config.get("problem_type")
    declared = Declared(
        folder.name,
        labels,
        {"regression": "dimensions", "multi_label_classification": "units"}.get(str(problem))
        or kind_of(labels or ("",)),  # type: ignore[arg-type]  # kinds, all of them
        scores=output_of(running.activation),
        digest=digest_bytes("hf", *(digest_file(one) for one in files), made.digest, running.digest),
        notes=(f"{folder.config.get('model_type')}, image classification; {made.told}{running.told}",),
        parent=str(folder.config.get("_name_or_path", "")),
        media=("image",),
    )
    card = declared_card(options, declared, where=where)
    require_activation(running.activation, card, where=where)
    return TorchPictures(HubPictures(folder), card, made, running).loaded()


def _prepared(folder: HubFolder) -> PictureInput:
    """By the folder's image processor; networks of timm within the library have what timm writes instead."""
    if "pretrained_cfg" in folder.config:
        return prepared_by_timm(folder.config["pretrained_cfg"], where=str(folder.path / CONFIG))
    return prepared(folder)
