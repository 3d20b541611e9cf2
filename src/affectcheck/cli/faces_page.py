"""The page beside the crops of a run, where the packages for it are installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from affectcheck.cli.faces_folder import MISSED, PAGE, SHEET
from affectcheck.cli.faces_text import cautions
from affectcheck.errors import ExtraMissingError
from affectcheck.media.faces.table import without_face
from affectcheck.media.faces.writing import evenly, write_small
from affectcheck.media.image import decode_image

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from affectcheck.cli.faces_source import Looked
    from affectcheck.evaluation.detection_rates import DetectionRates

_MISSED_SHOWN: Final = 48


def write_page(
    output: Path, looked: Looked, faces: pl.DataFrame, rates: DetectionRates | None, told: dict[str, Any]
) -> Path | None:
    """Write it, with small copies of the pictures without a face.

    Args:
        output: folder of the run.
        looked: what faces were looked for in.
        faces: the table.
        rates: of annotated pictures.
        told: what the run is, and what it found.

    Returns:
        The page; None where the extra ``report`` is not installed.

    Raises:
        WriteError: the disk is full or not writable.
    """
    from affectcheck.reports.faces import FacesMaterial, write_faces_page  # noqa: PLC0415  # keeps other verbs fast

    known = {} if looked.table is None else dict(looked.table.frame.select("item", "media").iter_rows())
    material = FacesMaterial(
        source=(looked.table.name if looked.table is not None else "") or told["source"],
        facts=_facts(told),
        faces=faces,
        rates=rates,
        media=known,
        missed=_missed(output, looked, faces),
        sheet=SHEET if told["on_contact_sheet"] else "",
        notes=cautions(told),
    )
    try:
        write_faces_page(material, output / PAGE)
    except ExtraMissingError:
        return None
    return output / PAGE


def _missed(output: Path, looked: Looked, faces: pl.DataFrame) -> dict[str, str]:
    """Pictures without a face, not all if they are many, to their copies."""
    missed = set(without_face(faces))
    pictures = [one for one in looked.found.sources if one.kind == "picture" and one.name in missed]
    copies = {}
    for source in evenly(pictures, _MISSED_SHOWN):
        copies[source.name] = f"{MISSED}/{source.stem}.jpg"
        write_small(decode_image(source.path).pixels, output / copies[source.name])
    return copies


def _facts(told: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    frames = f"{told['fps']:g} a second" if told["fps"] else "all" if told["every"] == 1 else f"1 of {told['every']}"
    facts = [
        ("Source", told["source"]),
        ("Detector", told["detector"]),
        ("Digest of the detector", told["detector_digest"]),
        (
            "Crops",
            f"{told['size']}×{told['size']} pixels{', the largest face of a picture' if told['largest'] else ''}",
        ),
    ]
    if told["sources"]["video"] or told["sources"]["sequence"]:
        facts.append(("Frames of videos", frames))
    return tuple(facts)
