"""Forms as people send them: texts by field, kept when something is wrong, each fault at its field."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl

import anyio.from_thread

from affectcheck.server.faults import ForbiddenError, RefusedError
from affectcheck.server.web.sessions import form_code_fits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    from affectcheck.server.portal import Portal

#: The field of the code that shows whose form it is.
CODE: Final = "form_code"
_MOST_FIELDS: Final = 200
_NOT_KEPT: Final = ("password", "secret", "token")


@dataclass
class Form:
    """What was sent.

    Attributes:
        values: text by field; of several of one name the last.
        faults: what is wrong, by field; under the empty name what is wrong with the whole.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """A text, without blanks around it."""
        return self.values.get(name, "").strip()

    def raw(self, name: str) -> str:
        """A text as sent: a password may begin with a blank."""
        return self.values.get(name, "")

    def flag(self, name: str) -> bool:
        """Whether a box is ticked."""
        return name in self.values

    def number(self, name: str, *, least: int = 0, most: int = 10**9) -> int | None:
        """A whole number; None where the field is empty or at fault."""
        text = self.text(name)
        if not text:
            return None
        if not (text.isascii() and text.isdigit() and len(text) <= 10 and least <= int(text) <= most):
            self.faults[name] = f"A whole number from {least} to {most} is expected, not {text[:20]!r}."
            return None
        return int(text)

    def needs(self, *names: str) -> None:
        """Fields that may not be empty."""
        for name in names:
            if not self.text(name):
                self.faults[name] = "This is needed."

    def refuse(self, error: Exception, fields: Mapping[str, str] | None = None, *, otherwise: str = "") -> None:
        """Tell what was refused at the field that it is about.

        Args:
            error: what was raised.
            fields: field by code of the error.
            otherwise: the field for any other code; none for the form as a whole.
        """
        code = error.code if isinstance(error, RefusedError) else ""
        self.faults[(fields or {}).get(code, otherwise)] = sentence_of(error)

    def kept(self, name: str, default: object = "") -> str:
        """What stands in a field when the form is shown again; secrets never."""
        if any(part in name for part in _NOT_KEPT):
            return ""
        return self.values.get(name, "" if default is None else str(default))

    def ticked(self, name: str, *, default: bool = False) -> bool:
        """Whether a box is ticked when the form is shown again."""
        return name in self.values if self.values else default


def sentence_of(error: Exception) -> str:
    """An error in sentences: what is wrong, what was expected, the likely cause, and when to try again."""
    what = str(getattr(error, "what", "") or error)
    where = str(getattr(error, "where", ""))
    parts = [f"{where}: {what}" if where else what]
    parts.extend(
        f"{title}: {text}"
        for title, text in (
            ("expected", getattr(error, "expected", "")),
            ("likely cause", getattr(error, "cause", "")),
        )
        if text
    )
    again = getattr(error, "again", None)
    if again is not None:
        parts.append(f"again from {again:%Y-%m-%d %H:%M:%S} UTC on")
    told = "; ".join(part.rstrip(".") for part in parts)
    return f"{told[:1].upper()}{told[1:]}."


def read_form(request: Request, portal: Portal) -> Form:
    """The form of a request whose body the guard has read; called on a thread of its own.

    Raises:
        RefusedError: no form, or too many fields.
        ForbiddenError: it was not made for this browser.
    """
    form = Form(_parsed(request))
    if not form_code_fits(request, portal, form.raw(CODE)):
        raise stale_form()
    return form


def stale_form() -> ForbiddenError:
    """What is told of a form that was made for another login."""
    return ForbiddenError(
        "this form was not made for this login",
        code="E_FORM_CODE",
        expected="the form as the page shows it",
        cause="you logged in or out since it was opened, or cookies are off; open the page again",
    )


def _parsed(request: Request) -> dict[str, str]:
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != "application/x-www-form-urlencoded":
        raise RefusedError("not a form", code="E_NOT_A_FORM", expected="application/x-www-form-urlencoded")
    body: bytes = anyio.from_thread.run(request.body)
    try:
        pairs = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, encoding="utf-8", errors="strict", max_num_fields=_MOST_FIELDS
        )
    except ValueError as error:
        raise RefusedError("a form that cannot be read", code="E_NOT_A_FORM", expected="UTF-8") from error
    return {name: value.replace("\r\n", "\n").replace("\0", "") for name, value in pairs}
