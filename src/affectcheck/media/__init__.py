"""Media: sound decoded into clips, and the items that hold what a model hears or sees."""

from affectcheck.media.audio import decode_audio
from affectcheck.media.clip import Clip, Frames, Image, Item, Media
from affectcheck.media.loader import MediaTable, load_item, load_items, media_path

__all__ = [
    "Clip",
    "Frames",
    "Image",
    "Item",
    "Media",
    "MediaTable",
    "decode_audio",
    "load_item",
    "load_items",
    "media_path",
]
