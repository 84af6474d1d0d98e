"""Where a session's server comes from: managed ones by their launcher, the external one by its address."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import Any, Protocol

from genoplatform.resources.llm import llamacpp, vllm
from genoplatform.resources.llm.address import Endpoint, external_endpoint
from genoplatform.resources.llm.errors import LlmError
from genoplatform.resources.llm.managed import Launch, ManagedServer
from genoplatform.settings.llm import ModelSettings

Weights = Callable[[str], Path]
GpuLease = Callable[[], AbstractContextManager[vllm.Budget | None]]


def no_gpu() -> AbstractContextManager[None]:
    """The lease of a machine without a GPU."""
    return nullcontext()


class Server(Protocol):
    """Something that answers once it is started. `ManagedServer` says what each method does."""

    def start(self) -> tuple[Endpoint, dict[str, Any]]:
        """Be up, and say where."""
        ...

    def alive(self) -> bool:
        """Whether it can still be up."""
        ...

    def stop(self) -> None:
        """Be gone."""
        ...


class ExternalServer:
    """A server that somebody else runs; there is nothing to start, to watch or to stop."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings

    def start(self) -> tuple[Endpoint, dict[str, Any]]:
        """Its address. Raises AddressError where the environment names none."""
        settings = self._settings
        return external_endpoint(settings.url_variable or "", settings.key_variable, settings.model), {}

    def alive(self) -> bool:
        """Always: that it does not answer is a fault of connection."""
        return True

    def stop(self) -> None:
        """Nothing."""


class VllmServer(ManagedServer):
    """A managed vLLM, whose running version must be the declared one, and which holds a lease on its GPU's memory.

    Args:
        settings: the model's.
        place: where vLLM is.
        home: the platform's home.
        lease: reserves GPU memory for as long as a server runs.
    """

    def __init__(self, settings: ModelSettings, place: vllm.VllmPlace, home: Path, lease: GpuLease = no_gpu) -> None:
        super().__init__(self._launch, home, settings.start_timeout_s, "vLLM")
        self._settings, self._place, self._lease = settings, place, lease
        self._budget: vllm.Budget | None = None
        self._held = ExitStack()

    def start(self) -> tuple[Endpoint, dict[str, Any]]:
        """As `ManagedServer.start`."""
        self.stop()
        try:
            self._budget = self._held.enter_context(self._lease())
            endpoint, facts = super().start()
            vllm.require_version(facts["version"], self._settings.version)
        except BaseException:
            self.stop()
            raise
        return endpoint, facts

    def stop(self) -> None:
        """As `ManagedServer.stop`; gives the GPU back."""
        super().stop()
        self._held.close()

    def _launch(self, port: int, key: str) -> Launch:
        return vllm.launch(self._settings, self._place, self._budget, port, key)


def server_for(
    settings: ModelSettings, home: Path, weights: Weights, place: vllm.VllmPlace, lease: GpuLease = no_gpu
) -> Server:
    """The server that the settings name, not started.

    Args:
        settings: the model's.
        home: the platform's home.
        weights: path of a pinned file by its id; obtained only when the server starts.
        place: where vLLM is.
        lease: reserves GPU memory while vLLM runs.
    """
    if settings.server == "external":
        return ExternalServer(settings)
    if settings.server == "vllm":
        return VllmServer(settings, place, home, lease)

    def launcher(port: int, key: str) -> Launch:
        return llamacpp.launch(settings, weights(settings.model), port, key)

    return ManagedServer(launcher, home, settings.start_timeout_s, f"xllamacpp with {settings.model}")


def identity_of(settings: ModelSettings, revision: str, place: vllm.VllmPlace) -> dict[str, str]:
    """Who answers, known without starting anything, so that a cache can replay where nothing can be started.

    Args:
        settings: the model's.
        revision: of the weights.
        place: where vLLM is, asked for its version if the profile declares none.

    Raises:
        LlmError: the version can be known only by starting the server.
    """
    known = settings.version
    if known is None and settings.server == "xllamacpp":
        known = llamacpp.installed_version()
    if known is None and settings.server == "vllm":
        known = vllm.installed_version(place.python) if place.python else None
        if known is None:
            hint = f"declare `version` in the profile, or set {vllm.PYTHON_VARIABLE}"
            raise LlmError("naming the language model", "the version of vLLM is not declared", hint)
    return {
        "server": settings.server,
        "version": known or "",
        "model": settings.model,
        "revision": revision,
        "evidence": settings.evidence,
    }
