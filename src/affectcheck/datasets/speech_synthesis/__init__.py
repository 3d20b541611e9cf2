"""Text to speech: whoever speaks the sentences of a data set, by name; other packages add their own.

A speaker is stated as ``name`` or ``name:detail``, such as ``espeak:f2``, ``piper:FOLDER`` or
``python:module:object``.
"""

from affectcheck.datasets.speech_synthesis.speaker import SPEAKERS, Speaker, SpeakerFactory, load_speaker

__all__ = ["SPEAKERS", "Speaker", "SpeakerFactory", "load_speaker"]
