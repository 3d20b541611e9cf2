"""What every answer carries and every request must be: headers, host and origin."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from affectcheck.server.settings import Settings

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
#: Bytes of all headers together, and of the path with its query.
MOST_HEADER_BYTES: Final = 32 * 1024
MOST_HEADERS: Final = 100
MOST_PATH: Final = 4096
_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
_POLICY: Final = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
_YEAR: Final = 365 * 24 * 3600


def headers_of(settings: Settings) -> tuple[tuple[bytes, bytes], ...]:
    """Headers of every answer."""
    found = {
        "content-security-policy": _POLICY,
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=(), browsing-topics=()",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
    }
    if settings.https:
        found["strict-transport-security"] = f"max-age={_YEAR}"
    return tuple((name.encode(), value.encode()) for name, value in found.items())


def hosts_of(settings: Settings) -> frozenset[str]:
    """Values of ``Host`` that are answered: that of the address, and on one machine its other spellings."""
    parts = urlsplit(settings.address)
    names = _LOOPBACK if parts.hostname in {"127.0.0.1", "localhost", "::1"} else (_bracketed(parts.hostname or ""),)
    standard = 443 if settings.https else 80
    port = parts.port or standard
    return frozenset({f"{name}:{port}" for name in names} | (set(names) if port == standard else set()))


def _bracketed(name: str) -> str:
    return f"[{name}]" if ":" in name else name


def client_of(peer: str, forwarded: str, proxies: tuple[str, ...]) -> str:
    """Where a request comes from: its peer, or whom a proxy that is believed names, from the nearest one on.

    Args:
        peer: address of the connection.
        forwarded: value of ``X-Forwarded-For``, which anybody can send.
        proxies: addresses that are believed.
    """
    found = peer
    for named in reversed([name.strip() for name in forwarded.split(",")]):
        if found not in proxies or not _is_address(named):
            break
        found = named
    return found


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def header_fault(headers: Iterable[tuple[bytes, bytes]], path: bytes) -> str:
    """Why headers are too large; empty where they are not."""
    pairs = list(headers)
    if len(pairs) > MOST_HEADERS:
        return f"more than {MOST_HEADERS} headers"
    if sum(len(name) + len(value) for name, value in pairs) > MOST_HEADER_BYTES:
        return f"headers of more than {MOST_HEADER_BYTES} bytes"
    return f"a path of more than {MOST_PATH} characters" if len(path) > MOST_PATH else ""


def origin_fault(method: str, headers: Mapping[str, str], *, scheme: str) -> str:
    """Why a request that changes something does not come from our own pages; empty where it does, or from a program.

    A browser says where a request comes from. A program that says nothing and sends no cookie cannot be a page of others.

    Args:
        method: of HTTP.
        headers: names in lower case; ``host`` has been checked.
        scheme: by which browsers come.
    """
    if method in SAFE_METHODS:
        return ""
    if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        return "a form that another site sent"
    origin = headers.get("origin", "")
    if origin:
        return "" if origin == f"{scheme}://{headers.get('host', '')}" else f"a form from {origin[:100]!r}"
    referrer = headers.get("referer", "")
    if referrer and not referrer.startswith(f"{scheme}://{headers.get('host', '')}/"):
        return "a form from another site"
    return ""
