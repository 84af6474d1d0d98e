"""Prompts stay on the machine unless the server is external."""

import pytest

from genoplatform.resources.llm.address import Endpoint, external_endpoint, free_port, is_loopback
from genoplatform.resources.llm.errors import AddressError


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "::1", "localhost"])
def test_loopback(host):
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["10.0.0.5", "192.168.1.2", "localhost.example.org", "model", "2001:db8::1"])
def test_not_loopback(host):
    assert not is_loopback(host)
    shown = f"[{host}]" if ":" in host else host
    with pytest.raises(AddressError, match="external"):
        Endpoint(f"http://{shown}:8000/v1", "m")
    assert Endpoint(f"http://{shown}:8000/v1", "m", remote=True).remote


@pytest.mark.parametrize("url", ["", "file:///etc/passwd", "//127.0.0.1", "http://user:secret@127.0.0.1/v1"])
def test_what_is_no_address(url):
    with pytest.raises(AddressError) as caught:
        Endpoint(url, "m", remote=True)
    assert "secret" not in str(caught.value)


def test_the_external_server_comes_from_the_environment(monkeypatch):
    monkeypatch.delenv("LLM_URL", raising=False)
    with pytest.raises(AddressError, match="LLM_URL is not set"):
        external_endpoint("LLM_URL", None, "m")
    monkeypatch.setenv("LLM_URL", "https://models.example.org/v1/")
    monkeypatch.setenv("LLM_KEY", "secret")
    endpoint = external_endpoint("LLM_URL", "LLM_KEY", "m")
    assert (endpoint.url, endpoint.key, endpoint.remote) == ("https://models.example.org/v1", "secret", True)
    assert "secret" not in repr(endpoint)


def test_a_free_port_can_be_bound():
    assert 1024 <= free_port() < 65536
