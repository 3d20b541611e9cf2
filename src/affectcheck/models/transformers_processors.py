"""What becomes of a picture in the image processors of the library transformers, as far as it can be said in our words.

Their file is read, and their code is not run: it needs torchvision, and would hide what a network receives.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from affectcheck.errors import InputError, ModelError
from affectcheck.models.picture_input import PictureInput
from affectcheck.models.picture_scaling import PILLOW
from affectcheck.models.transformers_folder import PREPROCESSOR

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.models.transformers_folder import HubFolder

#: From this side on, ConvNeXt's processor stretches what it cuts out of something larger below it.
_STRETCHED_FROM: Final = 384
#: What LeViT's processor resizes to, over the size that it states.
_LEVIT: Final = 256 / 224


def prepared(folder: HubFolder) -> PictureInput:
    """How the folder's image processor prepares pictures.

    Raises:
        InputError: the folder has no file of it.
        ModelError: it does something else than to scale, cut out the middle and normalise.
    """
    said = folder.preprocessor
    if not said:
        raise InputError(
            f"the folder holds no {PREPROCESSOR}: nothing says what its pictures are scaled to",
            where=str(folder.path),
            expected="that file beside the weights; or ?size=, ?mean= and ?std= stated, such as "
            "?size=224&mean=0.5&std=0.5",
        )
    try:
        return _coloured(_sized(said, folder.config.get("image_size", 0)), said)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise ModelError(
            "what becomes of pictures cannot be read",
            where=str(folder.path / PREPROCESSOR),
            expected="size, crop_size, image_mean and image_std as the library writes them; or ?size=, ?mean= and "
            "?std= stated, all of them",
            cause=f"{type(error).__name__}: {error}",
        ) from error


def _sized(said: Mapping[str, Any], default: Any) -> PictureInput:
    """Size, fit and share: what is resized to, and what of it is kept."""
    kind = str(said.get("image_processor_type") or said.get("feature_extractor_type") or "")
    size = _Sides.of(said.get("size", default))
    cut = _Sides.of(said["crop_size"]) if said.get("do_center_crop") and "crop_size" in said else None
    if not said.get("do_resize", True):
        raise ValueError("do_resize is false: pictures of any size")
    whole = PictureInput(size.width, size.height)
    if kind.startswith("ConvNext") or (size.shortest and "crop_pct" in said and not cut):
        if size.height >= _STRETCHED_FROM:
            return whole
        return _cut(whole, int(size.height / float(said.get("crop_pct", 224 / 256))), centre=True)
    if cut is None:
        return replace(whole, fit="centre") if size.shortest else whole
    part = PictureInput(cut.width, cut.height)
    if "crop_pct" in said:  # PoolFormer's
        return _cut(part, int(size.height / float(said["crop_pct"])), centre=True)
    if cut.width * size.height != cut.height * size.width:
        raise ValueError("size and crop_size have other proportions")
    larger = int(_LEVIT * size.height) if kind.startswith("Levit") else size.height
    return _cut(part, larger, centre=size.shortest)


def _cut(part: PictureInput, larger: int, *, centre: bool) -> PictureInput:
    """The middle of pictures that are resized to a larger height, or shorter side."""
    if larger < part.height:
        raise ValueError(f"{part.height} pixels are cut out of {larger}")
    return replace(part, share=part.height / larger, fit="centre" if centre else "stretch")


def _coloured(found: PictureInput, said: Mapping[str, Any]) -> PictureInput:
    """The filter, the order of the channels, and the numbers."""
    high = float(said.get("rescale_factor", 1 / 255)) * 255 if said.get("do_rescale", True) else 255.0
    low = -1.0 if said.get("rescale_offset") else 0.0
    # What flips channels, MobileViT's and its like, does not normalise unless it says so, though it names mean and std.
    normalises = said.get("do_normalize", "do_flip_channel_order" not in said)
    std = tuple(map(float, said.get("image_std", (1.0,)))) if normalises else (1.0,)
    if said.get("include_top"):  # EfficientNet's divides again
        std = tuple(one * float(again) for one, again in zip(std, said.get("image_std", std), strict=True))
    return replace(
        found,
        low=low,
        high=high + low,
        mean=tuple(map(float, said.get("image_mean", (0.0,)))) if normalises else (0.0,),
        std=std,
        channels="bgr" if said.get("do_flip_channel_order") else "rgb",
        filter=PILLOW[int(said.get("resample", PILLOW.index("bilinear")))],
    )


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
