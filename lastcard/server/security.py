"""Security headers, hosts, origins, and the addresses that limits apply to."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lastcard.table.refusals import Code, Refused

from .reach import Reach

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",  # rules in the browser are WebAssembly
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
OPENER = "cross-origin-opener-policy"
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    OPENER: "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}


class SecurityHeaders:
    """ASGI middleware: adds the headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    if name != OPENER or is_trustworthy(scope):
                        headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        await self.app(scope, receive, guarded if scope["type"] == "http" else send)


def is_trustworthy(scope: Scope) -> bool:
    """As browsers mean it: not plain HTTP, but from the same machine. They complain of some headers
    elsewhere."""
    if scope["scheme"] == "https":
        return True
    try:
        name = urlsplit(f"//{Headers(scope=scope).get('host', '')}").hostname or ""
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def check_origin(headers: Headers, allowed: Iterable[str]) -> None:
    """A page of another site must not act for its visitors. Programs send no origin."""
    origin = headers.get("origin")
    if origin is None:
        return
    if origin.rstrip("/").lower() in allowed:
        return
    parts = urlsplit(origin)
    if parts.scheme not in ("http", "https") or parts.netloc.lower() != headers.get("host", ""):
        raise Refused(Code.WRONG_ORIGIN, "This request comes from a page of another site.")


def check_host(headers: Headers, reach: Reach) -> None:
    """Stops DNS rebinding: another site could give this machine a name of its own, and its page
    would pass for ours."""
    if not reach.goes_by(headers.get("host", "")):
        why = "This server does not go by that name. Start it with --public-url to add one."
        raise Refused(Code.WRONG_ORIGIN, why)


def client_address(scope: Scope) -> str:
    """The address that limits apply to."""
    client = scope.get("client")
    return limited_address(client[0]) if client else ""


@lru_cache(1024)
def limited_address(address: str) -> str:
    """The address itself, or its /64 network for IPv6, where everybody has many addresses."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(known, ipaddress.IPv4Address):
        return address
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    return str(ipaddress.ip_network(f"{known}/64", strict=False))
