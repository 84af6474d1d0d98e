"""The embedded server: a GGUF model on llama.cpp in a child process (`llamacpp_server.py`).

One slot, greedy, no prompt cache, a fixed number of threads: batching and reuse of a cached prefix change how sums are
split, and with that the last bits of a score.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from genoplatform.resources.llm.address import HOST
from genoplatform.resources.llm.errors import LlmError
from genoplatform.resources.llm.managed import Launch
from genoplatform.settings.llm import ModelSettings

PACKAGE = "xllamacpp"
KEY_VARIABLE = "GENOPLATFORM_LLM_SERVER_KEY"
THREADS = 1  # two halve the time on an idle machine, and wait for each other ten times as long on a busy one
_PROGRAM = Path(__file__).with_name("llamacpp_server.py")


def installed_version() -> str:
    """Version of xllamacpp here, or ""."""
    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return ""


def launch(settings: ModelSettings, gguf: Path, port: int, key: str) -> Launch:
    """The command that serves a GGUF file.

    Raises:
        LlmError: xllamacpp is not installed, or not in the declared version.
    """
    found = installed_version()
    if not found or find_spec(PACKAGE) is None:
        raise LlmError("starting xllamacpp", "it is not installed", "pip install 'genoplatform[llm]'")
    if settings.version not in {None, found}:
        hint = f"pip install {PACKAGE}=={settings.version}"
        raise LlmError("starting xllamacpp", f"version {found}, the profile declares {settings.version}", hint)
    options = {
        "model": str(gguf),
        "alias": settings.model,
        "host": HOST,
        "port": port,
        "context": settings.context_tokens,
        "seed": settings.seed,
        "threads": THREADS,
    }
    return Launch(
        [sys.executable, "-P", str(_PROGRAM), json.dumps(options)],
        settings.model,
        key,
        # A crash would otherwise start a debugger for its back-trace.
        environment={KEY_VARIABLE: key, "GGML_NO_BACKTRACE": "1"},
        facts={"version": found, "context_tokens": settings.context_tokens, "threads": THREADS},
    )
