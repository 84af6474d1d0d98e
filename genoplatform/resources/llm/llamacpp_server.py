"""Run as a program: xllamacpp's HTTP server with one GGUF model, until it is terminated. Imports nothing of ours.

`python -P llamacpp_server.py OPTIONS`: JSON with model, alias, host, port, context, seed and threads. The API key comes
in the environment, where other users of the machine do not see it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any


def parameters(options: dict[str, Any], key: str) -> Any:
    """llama.cpp's parameters for deterministic answers to one request at a time."""
    import xllamacpp

    chosen = xllamacpp.CommonParams()
    chosen.model.path = options["model"]
    chosen.model_alias = {options["alias"]}
    chosen.hostnames = [options["host"]]
    chosen.port = options["port"]
    chosen.api_keys = [key]
    chosen.n_ctx = options["context"]
    chosen.n_parallel = 1
    chosen.n_gpu_layers = 0
    chosen.cpuparams.n_threads = chosen.cpuparams_batch.n_threads = options["threads"]
    chosen.sampling.seed = options["seed"]
    chosen.cache_prompt = False
    chosen.cache_ram_mib = 0
    chosen.offline = True
    chosen.ui = False
    chosen.endpoint_slots = False  # it shows prompts
    return chosen


def main() -> None:
    """Serve."""
    import xllamacpp

    server = xllamacpp.Server(parameters(json.loads(sys.argv[1]), os.environ.pop("GENOPLATFORM_LLM_SERVER_KEY")))
    print("listening on", server.listening_address, file=sys.stderr, flush=True)  # noqa: T201
    signal.pause()


if __name__ == "__main__":
    main()
