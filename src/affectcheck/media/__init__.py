"""Media: sound and pictures decoded, their content in digests and prints, and the items that hold what a model gets."""

from affectcheck.media.audio import decode_audio, read_sound
from affectcheck.media.clip import Clip, Frames, Image, Item, Media
from affectcheck.media.image import decode_image, is_image
from affectcheck.media.loader import MediaTable, load_item, load_items, media_path

__all__ = [
    "Clip",
    "Frames",
    "Image",
    "Item",
    "Media",
    "MediaTable",
    "decode_audio",
    "decode_image",
    "is_image",
    "load_item",
    "load_items",
    "media_path",
    "read_sound",
]
