"""What the portal refuses, for the page, the API and the program alike: a code, a sentence, and the HTTP status."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from affectcheck.errors import InputError

if TYPE_CHECKING:
    from datetime import datetime


class RefusedError(InputError):
    """A request that is not carried out.

    Attributes:
        status: of HTTP.
        code: for programs.
        again: when it may be tried again, where that is known.
    """

    status: ClassVar[int] = 422

    def __init__(
        self, what: str, *, code: str, expected: str = "", cause: str = "", again: datetime | None = None
    ) -> None:
        super().__init__(what, expected=expected, cause=cause)
        self.code = code
        self.again = again


class UnknownLoginError(RefusedError):
    """Nobody is logged in, or the login is not known."""

    status = 401


class ForbiddenError(RefusedError):
    """The person may not do that."""

    status = 403


class NotThereError(RefusedError):
    """There is no such thing, or the person may not know that there is."""

    status = 404


class ConflictError(RefusedError):
    """It contradicts what is there."""

    status = 409


class TooLargeError(RefusedError):
    """More bytes than are taken."""

    status = 413


class TooManyError(RefusedError):
    """More often than is allowed."""

    status = 429


class NoRoomError(RefusedError):
    """The disk is nearly full."""

    status = 507
