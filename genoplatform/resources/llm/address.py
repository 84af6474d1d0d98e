"""Where prompts may go. One rule: this machine, unless the profile's server is `external`."""

from __future__ import annotations

import ipaddress
import os
import socket
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from genoplatform.resources.llm.errors import AddressError

HOST = "127.0.0.1"


@dataclass(frozen=True)
class Endpoint:
    """An OpenAI-compatible server.

    Attributes:
        url: its base, up to and including `/v1`.
        model: the name the server knows the model by.
        key: its API key, never shown.
        remote: whether prompts sent there may leave the machine.
    """

    url: str
    model: str
    key: str = field(default="", repr=False)
    remote: bool = False

    def __post_init__(self) -> None:
        require_allowed(self.url, remote=self.remote)


def require_allowed(url: str, *, remote: bool) -> None:
    """Raise AddressError unless prompts may be sent to `url`."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise AddressError("reading the server's address", f"{url!r} is no http address", "https://host[:port]/v1")
    if parts.username or parts.password:
        raise AddressError("reading the server's address", "it carries a password", "use the key's variable")
    if not remote and not is_loopback(parts.hostname):
        raise AddressError(
            f"sending a prompt to {parts.hostname}",
            "prompts leave this machine only with the server `external`",
            "declare `server: external` in the profile's section llm",
        )


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, by its literal address: names other than localhost could be anybody's."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def external_endpoint(url_variable: str, key_variable: str | None, model: str) -> Endpoint:
    """The server that the environment names.

    Raises:
        AddressError: the variable is not set, or holds no address.
    """
    url = os.environ.get(url_variable, "")
    if not url:
        hint = f"set {url_variable} to the server's base address, like https://host/v1"
        raise AddressError("looking for the external language model", f"{url_variable} is not set", hint)
    key = os.environ.get(key_variable, "") if key_variable else ""
    return Endpoint(url.rstrip("/"), model, key, remote=True)


def free_port() -> int:
    """A port of the loopback interface that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
    return port
