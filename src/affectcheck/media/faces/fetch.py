"""Published weights of detectors: where they are, which bytes they are, and how they come here.

Nothing is downloaded unless it is asked for, and nothing is kept or used that is not, to the last bit, what was pinned.
"""

from __future__ import annotations

import hashlib
import http.client
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from affectcheck.atomic import clear_write_errors, whole_file
from affectcheck.cache import cache_folder
from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.media.faces.registry import DEFAULT_DETECTOR
from affectcheck.media.faces.weights import read_pinned, read_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Progress = Callable[[int, int], None]

_CHUNK: Final = 1 << 20
_PATIENCE_S: Final = 30


@dataclass(frozen=True)
class Published:
    """A file of weights that somebody has published.

    Attributes:
        detector: registered name of the detector that takes it.
        file: name of the file.
        urls: where it is, the first place first.
        sha256: checksum of its content.
        size_bytes: length of its content.
        licence: under which it is published.
        source: who made it, and from which data.
    """

    detector: str
    file: str
    urls: tuple[str, ...]
    sha256: str
    size_bytes: int
    licence: str
    source: str

    @property
    def path(self) -> Path:
        """Where it is kept once it is fetched."""
        return cache_folder() / "weights" / self.file


#: By the name of the detector. Checksums: YuNet's is that of the Git LFS pointer in opencv/opencv_zoo; those of
#: RetinaFace are stated by clibdev/Pytorch_Retinaface and by several projects that pin the releases of facexlib.
PUBLISHED: Final = {
    one.detector: one
    for one in (
        Published(
            "yunet",
            "face_detection_yunet_2023mar.onnx",
            (
                "https://media.githubusercontent.com/media/opencv/opencv_zoo/82b38c8f98e7b52aa171400f3e4c722352d0669f"
                "/models/face_detection_yunet/face_detection_yunet_2023mar.onnx",
                "https://huggingface.co/opencv/face_detection_yunet/resolve/3cc26e7f1014a5ee5d74a42acee58bafc9d0a310"
                "/face_detection_yunet_2023mar.onnx",
            ),
            "8f2383e4dd3cfbb4553ea8718107fc0423210dc964f9f4280604804ed2552fa4",
            232_589,
            "MIT",
            "Wu et al. 2023 (DOI 10.1007/s11633-023-1423-y), trained on WIDER FACE; OpenCV Zoo",
        ),
        Published(
            "retinaface-mobilenet0.25",
            "retinaface_mobilenet0.25.pth",
            (
                "https://github.com/elliottzheng/face-detection/releases/download/0.0.1/mobilenet0.25_Final.pth",
                "https://github.com/sczhou/CodeFormer/releases/download/v0.1.0/detection_mobilenet0.25_Final.pth",
            ),
            "2979b33ffafda5d74b6948cd7a5b9a7a62f62b949cef24e95fd15d2883a65220",
            1_789_735,
            "MIT",
            "Deng et al. 2020 (DOI 10.1109/CVPR42600.2020.00525), as trained by biubug6 on WIDER FACE",
        ),
        Published(
            "retinaface-resnet50",
            "retinaface_resnet50.pth",
            (
                "https://github.com/xinntao/facexlib/releases/download/v0.1.0/detection_Resnet50_Final.pth",
                "https://github.com/sczhou/CodeFormer/releases/download/v0.1.0/detection_Resnet50_Final.pth",
            ),
            "6d1de9c2944f2ccddca5f5e010ea5ae64a39845a86311af6fdf30841b0a5a16d",
            109_497_761,
            "MIT",
            "Deng et al. 2020 (DOI 10.1109/CVPR42600.2020.00525), as trained by biubug6 on WIDER FACE",
        ),
    )
}


def fetch(name: str, *, progress: Progress | None = None) -> Path:
    """Bring the weights of a detector here, unless they are here already.

    Args:
        name: of the detector.
        progress: told how many bytes of how many are here.

    Returns:
        The file, in the cache folder; its checksum is right.

    Raises:
        UnknownNameError: no detector with published weights has the name.
        InputError: no network, the files that are published now are others, or the weights come with a package.
        WriteError: the cache folder cannot be written.
    """
    if name == DEFAULT_DETECTOR:
        raise InputError(
            f"no weights of {name!r} are fetched",
            expected=f"one of {', '.join(PUBLISHED)}",
            cause="they come with its package: pip install 'affectcheck[faces]'",
        )
    if name not in PUBLISHED:
        raise UnknownNameError.of("detector with published weights", name, PUBLISHED)
    wanted = PUBLISHED[name]
    with clear_write_errors(wanted.path):
        if wanted.path.is_file() and _checksum(wanted.path) == wanted.sha256:
            return wanted.path
    refusals, cause = [], "no network from here"
    for url in wanted.urls:
        try:
            _download(url, wanted, progress or (lambda _done, _whole: None))
        except _OtherContentError as error:
            refusals.append(f"{url}: {error}")
            cause = "something on the way gives other files than were asked for, or another file was put there"
        except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
            refusals.append(f"{url}: {_told(error)}")
        else:
            return wanted.path
    raise InputError(
        f"the weights of {name!r} could not be fetched: {'; '.join(refusals)}",
        expected=f"{wanted.size_bytes} bytes of SHA-256 {wanted.sha256}",
        cause=f"{cause}: download one of these where they can be had, and state the file as {name}:FILE, or put it "
        f"to {wanted.path}",
    )


class Weights(NamedTuple):
    """Content of a file of weights, and the file."""

    content: bytes
    path: Path


def weights_of(name: str, source: str) -> Weights:
    """The weights of a detector.

    Args:
        name: of the detector.
        source: a file of the user's own, whatever it holds; empty for the published one, by its checksum.

    Raises:
        MissingPathError: there is no such file, or it has not been fetched.
        InputError: it cannot be read, or what was fetched is damaged.
    """
    kind = f"weights of {name}"
    if source:
        path = Path(source).expanduser()
        return Weights(read_weights(path, kind=kind), path)
    path = fetched(name)
    cause = f"damaged, or put there by hand: `affectcheck faces fetch {name}` brings the right one"
    return Weights(read_pinned(path, PUBLISHED[name].sha256, kind=kind, cause=cause), path)


def fetched(name: str) -> Path:
    """Where the fetched weights of a detector are.

    Raises:
        MissingPathError: they have not been fetched.
    """
    wanted = PUBLISHED[name]
    if not wanted.path.is_file():
        raise MissingPathError.of(
            f"weights of {name!r}",
            wanted.path,
            expected=f"a file stated as {name}:FILE, or one that `affectcheck faces fetch {name}` has brought",
            cause=f"they were not fetched yet ({wanted.size_bytes / 1e6:.1f} MB, {wanted.licence} licence); without a "
            f"network here, download {wanted.urls[0]} elsewhere",
        )
    return wanted.path


class _OtherContentError(Exception):
    """What came is not what was pinned."""


def _download(url: str, wanted: Published, progress: Progress) -> None:
    request = urllib.request.Request(url, headers={"User-Agent": "affectcheck"})  # noqa: S310  # https, stated above
    with urllib.request.urlopen(request, timeout=_PATIENCE_S) as answer, whole_file(wanted.path) as partial:  # noqa: S310
        state, done = hashlib.sha256(), 0
        with partial.open("wb") as file:
            for chunk in _chunks(answer):
                done += len(chunk)
                if done > wanted.size_bytes:
                    raise _OtherContentError(f"more than {wanted.size_bytes} bytes")
                state.update(chunk)
                file.write(chunk)
                progress(done, wanted.size_bytes)
        if state.hexdigest() != wanted.sha256:
            raise _OtherContentError(f"other content, of {done} bytes and SHA-256 {state.hexdigest()}")


def _told(error: Exception) -> str:
    """Why nothing came, on one line."""
    reason = getattr(error, "reason", "") or error
    return " ".join(str(reason).split()) or type(error).__name__


def _chunks(answer: Any) -> Iterator[bytes]:
    while chunk := answer.read(_CHUNK):
        yield chunk


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
