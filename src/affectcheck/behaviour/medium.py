"""What tests are about, sound or pictures: which suite a model gets, and the words of explanations and reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from affectcheck.behaviour.catalogue import FACES, WHOLE
from affectcheck.media.image import is_image
from affectcheck.media.video_access import is_video

if TYPE_CHECKING:
    from affectcheck.annotations.table import AnnotationTable
    from affectcheck.behaviour.definition import Definition
    from affectcheck.models.card import ModelCard


@dataclass(frozen=True)
class Medium:
    """How a test speaks of what it takes.

    Attributes:
        name: what is perturbed.
        were: its verb.
        untouched: what it was before.
        subjects: people, where they are counted.
        who: what a table says of them, as a clause.
        recordings: what moments in time belong to.
        segments: moments in time.
        suite: what a model of the medium is tested by.
    """

    name: str
    were: str
    untouched: str
    subjects: str
    who: str
    recordings: str
    segments: str
    suite: str


SOUND: Final = Medium(
    "sound", "was", "the sound as recorded", "speakers", "who speaks", "recordings", "segments", WHOLE
)
PICTURES: Final = Medium(
    "pictures", "were", "the pictures as they are", "subjects", "who is seen", "videos", "frames", FACES
)
_SEEN: Final = frozenset({"image", "frames"})


def medium_of(definition: Definition) -> Medium:
    """What a test is about; one that names no medium takes any, and speaks of sound."""
    return PICTURES if _SEEN & set(definition.data.media) else SOUND


def counted_as(definition: Definition) -> str:
    """What the averages of a test are taken over, in words."""
    medium, counted = medium_of(definition), definition.speakers
    return medium.recordings if counted is not None and counted.unit == "recording" else medium.subjects


def suites_for(card: ModelCard, table: AnnotationTable) -> tuple[str, ...]:
    """The suites of a model when none is named: of each medium that it takes.

    Of finished predictions, the files that the table names tell the medium; sound where it names none.
    """
    seen, heard = bool(_SEEN & set(card.media)), "audio" in card.media
    if not card.media:
        seen = _names_pictures(table)
        heard = not seen
    return tuple(medium.suite for medium, meant in ((SOUND, heard), (PICTURES, seen)) if meant)


def _names_pictures(table: AnnotationTable) -> bool:
    """Whether the first file that a table names is a picture or a video."""
    if "media" not in table.frame.columns:
        return False
    first = table.frame.get_column("media").drop_nulls().head(1).to_list()
    return any(is_image(path) or is_video(path) for path in first)
