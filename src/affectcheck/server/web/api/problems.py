"""What programs are told when something is refused: one model, of the media type of RFC 9457."""

from collections.abc import Callable, Coroutine
from datetime import datetime
from http import HTTPStatus
from typing import Any, ClassVar, Final

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from affectcheck.errors import InputError
from affectcheck.server.faults import RefusedError

MEDIA: Final = "application/problem+json"
_SHOWN: Final = 10
_NUL: Final = rb"\u0000"


class Problem(BaseModel):
    """Why a request was not carried out."""

    status: int = Field(description="The status of HTTP.")
    title: str = Field(default="", description="The status in words.")
    code: str = Field(description="For programs, such as E_CLOSED; it does not change.")
    what: str = Field(description="What is wrong, in a sentence.")
    where: str = Field(default="", description="File, line, row, field: as exact as is known.")
    expected: str = Field(default="", description="What would have been right.")
    cause: str = Field(default="", description="The likely cause, and what to do.")
    again: datetime | None = Field(default=None, description="When it may be tried again, where that is known.")


def problem_of(error: InputError) -> Problem:
    """What is told of an error of ours."""
    status = error.status if isinstance(error, RefusedError) else 422
    return Problem(
        status=status,
        title=HTTPStatus(status).phrase,
        code=error.code or "E_INPUT",
        what=_text(error.what),
        where=_text(error.where),
        expected=_text(error.expected),
        cause=_text(error.cause),
        again=getattr(error, "again", None),
    )


def invalid(error: RequestValidationError) -> Problem:
    """What is told of a request that is not of the form that is documented; values are not repeated."""
    faults = [(".".join(str(step) for step in one["loc"]), str(one["msg"])) for one in error.errors()]
    told = "; ".join(f"{place}: {message.removeprefix('Value error, ')}" for place, message in faults[:_SHOWN])
    more = f"; and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
    return Problem(
        status=422,
        title=HTTPStatus(422).phrase,
        code="E_REQUEST",
        what=_text(told[:4000]) + more,
        where=_text(faults[0][0][:200]) if faults else "",
        expected="a request as /api/v1/openapi.json documents it",
    )


def _text(found: str) -> str:
    """A text that can be sent; halves of characters, which JSON may bring along, cannot."""
    return found.encode("utf-8", "replace").decode()


def _unread() -> Problem:
    """What is told of a body that is not even text, or has a character that no database keeps."""
    return Problem(
        status=422,
        title=HTTPStatus(422).phrase,
        code="E_REQUEST",
        what="a body that cannot be read",
        where="body",
        expected="JSON in UTF-8, without the character U+0000",
    )


def answer_of(problem: Problem) -> Response:
    """The answer that tells a problem."""
    headers = {"cache-control": "no-store"}
    if problem.again is not None:
        headers["retry-after"] = f"{problem.again:%a, %d %b %Y %H:%M:%S} GMT"
    if problem.status == 401:
        headers["www-authenticate"] = 'Bearer realm="affectcheck"'
    return JSONResponse(problem.model_dump(mode="json"), problem.status, headers, media_type=MEDIA)


class ProblemRoute(APIRoute):
    """A route that tells every refusal as a ``Problem``, whatever application it is a part of."""

    #: Path to the methods of all its routes, which a refused method is told.
    known: ClassVar[dict[str, set[str]]] = {}

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, endpoint, **options)
        self.known.setdefault(self.path, set()).update(self.methods or ())

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or say which methods the path has."""
        methods = self.known[self.path]
        if scope["method"] not in methods:
            raise HTTPException(405, headers={"Allow": ", ".join(sorted(methods))})
        await super().handle(scope, receive, send)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, with its refusals told."""
        handle = super().get_route_handler()

        async def told(request: Request) -> Response:
            try:
                if self.body_field is not None and _NUL in await request.body():
                    return answer_of(_unread())
                return await handle(request)
            except RequestValidationError as error:
                return answer_of(invalid(error))
            except InputError as error:
                return answer_of(problem_of(error))
            except HTTPException as error:
                if error.status_code != 400:
                    raise
                return answer_of(_unread())

        return told


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The documented refusals of a route; 422 is every route's."""
    shown = {"schema": {"$ref": "#/components/schemas/Problem"}}  # there by ``health.example_problem``
    return {
        status: {"description": HTTPStatus(status).phrase, "content": {MEDIA: shown}}
        for status in sorted({422, *statuses})
    }
