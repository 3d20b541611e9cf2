"""Accounts, logins and tokens."""

from datetime import datetime, timedelta
from typing import Final, Literal

from starlette.requests import Request

from affectcheck.server.accounts import first_run, people, throttle, tokens
from affectcheck.server.accounts.actors import SCOPES
from affectcheck.server.web.api.forms import Asked, Id, Line, Told
from affectcheck.server.web.api.routing import router
from affectcheck.server.web.api.who import OPEN, Anyone, Organiser, Reader, ThePortal, address_of

ROUTES = router("account")
REGISTERED_AN_HOUR: Final = 20
_HOUR: Final = timedelta(hours=1)
Scope = Literal["read", "submit", "organise"]


class NewPerson(Asked):
    """Somebody who wants an account."""

    email: Line
    name: Line
    password: Line


class Person(Told):
    """An account as its owner sees it."""

    id: str
    email: str
    name: str
    role: Literal["member", "organiser"]


class NewOrganiser(NewPerson):
    """Somebody who has the code of the first run, or of an invitation."""

    code: Line


class PasswordChange(Asked):
    """The password until now, and the new one."""

    old: Line
    new: Line


class Email(Asked):
    """An e-mail address."""

    email: Line


class NewPassword(Asked):
    """A code that was sent, and the new password."""

    code: Line
    password: Line


class Login(Asked):
    """An address and a password, for which a token is given."""

    email: Line
    password: Line
    name: Line = "a login by the API"
    scope: Scope | None = None
    days: int | None = None


class Secret(Told):
    """A token; it is shown this once."""

    token: str


class Token(Told):
    """A token, without its secret."""

    id: str
    name: str
    scope: Scope
    created: datetime
    used: datetime | None
    expires: datetime | None


class Invitation(Told):
    """A code by which somebody becomes organiser; it is shown this once, and sent to the address."""

    code: str


@ROUTES.post("/account", status_code=201, openapi_extra=OPEN)
def register(asked: NewPerson, portal: ThePortal, request: Request, _actor: Anyone) -> Person:
    """Make an account."""
    throttle.hit(portal, f"register {address_of(request)}", limit=REGISTERED_AN_HOUR, window=_HOUR)
    made = people.register(portal, asked.email, asked.name, asked.password)
    return Person.model_validate(people.person_of(portal, made))


@ROUTES.get("/account")
def show_account(actor: Reader, portal: ThePortal) -> Person:
    """Whose token it is."""
    return Person.model_validate(people.person_of(portal, actor))


@ROUTES.post("/account/password", status_code=204)
def change_password(asked: PasswordChange, actor: Reader, portal: ThePortal) -> None:
    """Change the password; every login in a browser ends, tokens stay."""
    done = people.change_password(portal, actor, asked.old, asked.new)
    people.sign_out(portal, done.secret)


@ROUTES.post("/account/reset", status_code=202, openapi_extra=OPEN)
def ask_reset(asked: Email, portal: ThePortal, request: Request, _actor: Anyone) -> None:
    """Send a code for a new password, where the address has an account; nobody is told whether it has."""
    people.ask_reset(portal, asked.email, address=address_of(request))


@ROUTES.post("/account/new-password", status_code=204, openapi_extra=OPEN)
def set_new_password(asked: NewPassword, portal: ThePortal, request: Request, _actor: Anyone) -> None:
    """Set a new password by a code; every login and token of the account ends."""
    throttle.hit(portal, f"reset-from {address_of(request)}", limit=REGISTERED_AN_HOUR, window=_HOUR)
    people.reset(portal, asked.code, asked.password)


@ROUTES.post("/login", status_code=201, openapi_extra=OPEN)
def login(asked: Login, portal: ThePortal, request: Request, _actor: Anyone) -> Secret:
    """A token for an address and a password; without a scope, one that reaches as far as the account does.

    This is how tokens are made: none makes another one.
    """
    actor = people.check_login(portal, asked.email, asked.password, address=address_of(request))
    scope = asked.scope or (SCOPES[2] if actor.role == "organiser" else SCOPES[1])
    return Secret(token=tokens.make_token(portal, actor, asked.name, scope, asked.days))


@ROUTES.get("/tokens")
def list_tokens(actor: Reader, portal: ThePortal) -> list[Token]:
    """Tokens of one's account that hold."""
    with portal.database.read() as connection:
        return [Token.model_validate(one) for one in tokens.tokens_of(connection, actor, portal.now())]


@ROUTES.delete("/tokens/{token}", status_code=204)
def revoke_token(token: Id, actor: Reader, portal: ThePortal) -> None:
    """End a token."""
    tokens.revoke_token(portal, actor, token)


@ROUTES.post("/organisers", status_code=201, openapi_extra=OPEN)
def become_organiser(asked: NewOrganiser, portal: ThePortal, request: Request, _actor: Anyone) -> Person:
    """Become organiser by the code of the first run, or of an invitation."""
    throttle.hit(portal, f"organiser-from {address_of(request)}", limit=REGISTERED_AN_HOUR, window=_HOUR)
    made = first_run.make_organiser(portal, asked.code, asked.email, asked.name, asked.password)
    return Person.model_validate(people.person_of(portal, made))


@ROUTES.post("/organisers/invitations", status_code=201)
def invite_organiser(asked: Email, actor: Organiser, portal: ThePortal) -> Invitation:
    """Invite somebody to organise."""
    return Invitation(code=first_run.invite_organiser(portal, actor, asked.email))
