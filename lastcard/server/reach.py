"""The address by which others reach this server, for links, invitations and QR codes."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

EVERYWHERE = ("0.0.0.0", "::")
# Domains that nobody can register, so no stranger's page has one.
PRIVATE = (".localhost", ".local", ".lan", ".internal", ".home.arpa")
LONGEST_LABEL = 63


@dataclass(frozen=True)
class Reach:
    """`public_url` is the operator's; `listening` is where the server listens, if known."""

    public_url: str | None = None
    listening: tuple[str, int] | None = None

    def goes_by(self, host: str) -> bool:
        """Whether this is a name of this server: the operator's, an IP address, or a name with no
        meaning outside the local network."""
        try:
            name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        except ValueError:
            return False
        if self.public_url is not None and name == urlsplit(self.public_url).hostname:
            return True
        if not name or any(len(label) > LONGEST_LABEL for label in name.split(".")):
            return False
        return "." not in name or name.endswith(PRIVATE) or _is_address(name)

    def base(self, scheme: str, host: str) -> tuple[str, bool]:
        """The start of links for a client that used this host, and whether others can reach it."""
        if self.public_url is not None:
            return self.public_url.rstrip("/"), True
        came_by = f"{scheme}://{host}"
        if not _is_own(urlsplit(came_by).hostname or ""):
            return came_by, True
        if self.listening is None:
            return came_by, False
        listens_at, port = self.listening
        if listens_at in EVERYWHERE:
            listens_at = own_address(listens_at) or ""
        if not listens_at or _is_own(listens_at):
            return came_by, False
        return f"{scheme}://{written(listens_at)}:{port}", True


def own_address(wildcard: str = EVERYWHERE[0]) -> str | None:
    """This machine's address on the network; sends nothing to find out."""
    version_6 = ":" in wildcard
    nobody = "2001:db8::1" if version_6 else "192.0.2.1"  # reserved for documentation
    family = socket.AF_INET6 if version_6 else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((nobody, 9))
            found = str(probe.getsockname()[0])
    except OSError:
        return None
    return None if _is_own(found) else found


def written(host: str) -> str:
    """A host as URLs write it."""
    return f"[{host}]" if ":" in host else host


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _is_own(host: str) -> bool:
    """Whether this is a loopback name, which means another device on each device."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
