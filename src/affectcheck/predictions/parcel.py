"""How much gets to a process that has just been started: in a file without a name, which it reads when it can.

What is sent with its start goes through a pipe that only it empties, and whoever fills that waits. A process that dies
before it has read all of it, because an import fails there, would be waited for without end.
"""

from __future__ import annotations

import mmap
import os
import pickle
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import reduction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from affectcheck.atomic import clear_write_errors

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Whether processes inherit open files by number; elsewhere content goes through the pipe.
INHERITS: Final = hasattr(reduction, "DupFd")


@dataclass(frozen=True)
class Parcel:
    """Content for processes that are started while the parcel is open.

    Attributes:
        source: number of an open file; in another process what that number is made of; the content itself where files
            are not inherited.
    """

    source: Any

    def __reduce__(self) -> tuple[object, ...]:
        """Only the number of the open file travels, and only to a process that is just being started."""
        return Parcel, (reduction.DupFd(self.source) if INHERITS else self.source,)

    def opened(self) -> Any:
        """The content, in the other process; once."""
        if not INHERITS:
            return self.source
        number = self.source.detach()
        try:
            with mmap.mmap(number, 0, access=mmap.ACCESS_READ) as data:
                return pickle.loads(data)  # noqa: S301  # written by our own parent process
        finally:
            os.close(number)


@contextmanager
def parcelled(content: object) -> Iterator[Parcel]:
    """Keep content where processes that are started within can read it; a kill leaves nothing behind.

    Args:
        content: anything that can be pickled.

    Raises:
        InputError: the folder for temporary files is full or not writable.
    """
    if not INHERITS:
        yield Parcel(content)
        return
    with clear_write_errors(Path(tempfile.gettempdir())):
        file = tempfile.TemporaryFile()  # noqa: SIM115  # the next line is the context
    with file:
        with clear_write_errors(Path(tempfile.gettempdir())):
            pickle.dump(content, file)
            file.flush()
        yield Parcel(file.fileno())
