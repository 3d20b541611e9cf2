"""What requests and answers are made of."""

from typing import Annotated, Final, TypeAlias

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field

Slug: TypeAlias = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$", description="Short name.")]
Id: TypeAlias = Annotated[str, Path(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", description="Id.")]
#: An id in a body.
Key: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
#: Texts of a person: the portal's own rules say the rest, in words.
_NO_NUL: Final = r"^[^\x00]*$"
Line: TypeAlias = Annotated[str, Field(max_length=2000, pattern=_NO_NUL)]
Text: TypeAlias = Annotated[str, Field(max_length=20_000, pattern=_NO_NUL)]


class Asked(BaseModel):
    """A request: an unknown field is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Told(BaseModel):
    """An answer, made from what the portal holds."""

    model_config = ConfigDict(extra="forbid", frozen=True, from_attributes=True)


class Reason(Asked):
    """Why something is done; it stands in the audit log."""

    reason: Line


class Published(Asked):
    """Whether everyone sees it."""

    published: bool = True
