"""The language models of a run, as a Dagster resource. A server is up only between the first new call and the end."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg
from pydantic import PrivateAttr

from genoplatform.errors import SettingsError
from genoplatform.resources.gpu import GpuResource, installed_gpus
from genoplatform.resources.llm.server import identity_of, server_for
from genoplatform.resources.llm.session import LlmSession
from genoplatform.resources.llm.vllm import Budget, VllmPlace
from genoplatform.resources.platform import PlatformResource
from genoplatform.settings.llm import LlmSettings, ModelSettings


class LlmResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """The models that the profile's section `llm` declares.

    Attributes:
        platform: home and profile.
        replay_only: answer from the cache alone; what is not there is an answer `not_cached`.
        gpu: the card of a managed vLLM.
        vram_mb: memory of the card vLLM may take, MiB; 0 takes nine tenths of it.
    """

    platform: PlatformResource
    gpu: GpuResource
    replay_only: bool = False
    vram_mb: int = 0
    _sessions: dict[str, LlmSession] = PrivateAttr(default_factory=dict)

    def model(self, name: str = "") -> LlmSession:
        """The run's session with the profile's model, or with one of its `alternatives` by name.

        One managed server runs at a time: starting one stops those of the other sessions.

        Raises:
            SettingsError: the profile declares no such model.
            LlmError: the server's version cannot be known.
        """
        if name not in self._sessions:
            self._sessions[name] = self._session(name)
        return self._sessions[name]

    @contextmanager
    def opened(self, name: str = "") -> Iterator[LlmSession]:
        """A session outside of a run; the server is gone afterwards."""
        with self._session(name) as session:
            yield session

    def declared(self, name: str = "") -> ModelSettings:
        """The settings of a model.

        Raises:
            SettingsError: the profile declares no such model.
        """
        profile = self.platform.settings()
        section: LlmSettings | None = profile.llm
        if section is None:
            raise SettingsError("opening a language model", f"profile {profile.name} has no section llm")
        if name and name not in section.alternatives:
            known = ", ".join(sorted(section.alternatives)) or "none"
            raise SettingsError("opening a language model", f"no alternative {name!r}", f"declared: {known}")
        return section.alternatives[name] if name else section

    def teardown_after_execution(self, context: dg.InitResourceContext) -> None:
        """Stop servers and close logs at the end of a run."""
        while self._sessions:
            self._sessions.popitem()[1].close()

    def _session(self, name: str) -> LlmSession:
        settings, place = self.declared(name), VllmPlace.of_environment()
        home = self.platform.home_path
        return LlmSession(
            settings,
            identity_of(settings, self._revision(settings), place),
            server_for(settings, home, self._weights, place, self._lease),
            home,
            replay_only=self.replay_only,
            before_start=lambda: self._stop_others(name),
        )

    @contextmanager
    def _lease(self) -> Iterator[Budget | None]:
        if not installed_gpus():
            yield None
            return
        card = self.gpu.card()
        wanted = self.vram_mb or card.total_mb * 9 // 10
        with self.gpu.reserve("vLLM", wanted) as lease:
            yield Budget(lease.gpu, wanted, round(wanted / card.total_mb, 4))

    def _stop_others(self, name: str) -> None:
        for other, session in self._sessions.items():
            if other != name:
                session.stop_server()

    def _revision(self, settings: ModelSettings) -> str:
        if settings.server == "xllamacpp":
            return f"sha256:{self.platform.sources().catalogue.get(settings.model).sha256}"
        return settings.revision or ""

    def _weights(self, pin: str) -> Path:
        return self.platform.sources().fetch(pin).path
