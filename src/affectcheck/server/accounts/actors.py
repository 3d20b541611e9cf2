"""Who asks: a person, a visitor or the portal itself, and what they may do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from affectcheck.server.faults import ForbiddenError, UnknownLoginError

Role: TypeAlias = Literal["visitor", "member", "organiser", "system"]
#: ``session``: all that the role may; the others are scopes of tokens, each of which holds those before it.
Scope: TypeAlias = Literal["session", "read", "submit", "organise"]
Right: TypeAlias = Literal["read", "submit", "organise"]

#: Scopes of tokens, the narrowest first.
SCOPES: Final[tuple[Right, ...]] = ("read", "submit", "organise")


@dataclass(frozen=True)
class Actor:
    """Who asks.

    Attributes:
        id: of the account; "visitor" or "system".
        name: for people.
        role: what the account is.
        scope: how far the login or token reaches.
    """

    id: str
    name: str
    role: Role
    scope: Scope = "session"

    @property
    def known(self) -> bool:
        """Whether somebody is logged in."""
        return self.role != "visitor"

    @property
    def organises(self) -> bool:
        """Whether it may do what organisers do."""
        return self.role == "system" or (self.role == "organiser" and self.scope in ("session", "organise"))

    def reaches(self, right: Right) -> bool:
        """Whether the login or token reaches so far, whatever the role."""
        return self.scope == "session" or SCOPES.index(self.scope) >= SCOPES.index(right)


VISITOR: Final = Actor("visitor", "", "visitor")
SYSTEM: Final = Actor("system", "the portal", "system")


def require(actor: Actor, right: Right) -> None:
    """Let only those pass who may.

    Raises:
        UnknownLoginError: nobody is logged in.
        ForbiddenError: the role or the token does not allow it.
    """
    if not actor.known:
        raise UnknownLoginError(
            "nobody is logged in", code="E_LOGIN", expected="a login, or a token as `Authorization: Bearer afc_…`"
        )
    if not actor.reaches(right):
        raise ForbiddenError(
            f"a token of the scope {actor.scope!r}", code="E_SCOPE", expected=f"one of the scope {right!r}"
        )
    if right == "organise" and not actor.organises:
        raise ForbiddenError("only organisers may do that", code="E_ROLE", expected="the login of an organiser")
