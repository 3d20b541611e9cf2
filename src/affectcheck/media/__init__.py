"""Media: sound, pictures and videos decoded, their content in digests and prints, and the items that hold what a model gets."""

from affectcheck.media.audio import decode_audio, read_sound
from affectcheck.media.clip import Clip, Frames, Image, Item, Media
from affectcheck.media.image import decode_image, is_image
from affectcheck.media.loader import MediaTable, load_item, load_items, media_path
from affectcheck.media.video import FrameReader, VideoFacts, VideoFrame, count_frames, frames, probe
from affectcheck.media.video_access import decode_frame, is_video
from affectcheck.media.video_segment import decode_frames

__all__ = [
    "Clip",
    "FrameReader",
    "Frames",
    "Image",
    "Item",
    "Media",
    "MediaTable",
    "VideoFacts",
    "VideoFrame",
    "count_frames",
    "decode_audio",
    "decode_frame",
    "decode_frames",
    "decode_image",
    "frames",
    "is_image",
    "is_video",
    "load_item",
    "load_items",
    "media_path",
    "probe",
    "read_sound",
]
