"""Faces in pictures and videos: detectors behind one protocol, each of them part of the digest of what it made."""

from affectcheck.media.faces.detector import Face, FaceDetector
from affectcheck.media.faces.registry import FACE_DETECTORS, face_detector

__all__ = ["FACE_DETECTORS", "Face", "FaceDetector", "face_detector"]
