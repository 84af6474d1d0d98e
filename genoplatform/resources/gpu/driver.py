"""What the NVIDIA driver says of the cards. No deep-learning library is loaded for that."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass

from genoplatform.errors import GenoplatformError

_QUERY = ["--query-gpu=index,name,memory.total,memory.free", "--format=csv,noheader,nounits"]
_TIMEOUT_S = 20


class GpuDriverError(GenoplatformError):
    """The driver's tool is there and does not answer as it should: not the same as having no card."""


@dataclass(frozen=True)
class Gpu:
    """One card; memory in MiB, `free_mb` as of now."""

    index: int
    model: str
    total_mb: int
    free_mb: int


def installed_gpus() -> list[Gpu]:
    """The cards of this machine, by index; none where the driver's tool is not installed.

    Raises:
        GpuDriverError: `nvidia-smi` fails, hangs or prints what cannot be read.
    """
    program = shutil.which("nvidia-smi")
    if program is None:
        return []
    try:
        answer = subprocess.run(  # noqa: S603
            [program, *_QUERY], capture_output=True, text=True, timeout=_TIMEOUT_S, check=True
        )
        return [_gpu(line) for line in answer.stdout.splitlines() if line.strip()]
    except subprocess.TimeoutExpired as error:
        raise _failure(f"no answer within {_TIMEOUT_S} s") from error
    except subprocess.CalledProcessError as error:
        raise _failure((error.stderr or error.stdout or f"exit code {error.returncode}").strip()) from error
    except ValueError as error:
        raise _failure(f"cannot read its answer ({error})") from error


def _gpu(line: str) -> Gpu:
    index, rest = line.split(",", 1)
    model, total, free = rest.rsplit(",", 2)
    return Gpu(int(index), model.strip(), int(total), int(free))


def _failure(found: str) -> GpuDriverError:
    return GpuDriverError("asking nvidia-smi for the cards", found, "run nvidia-smi by hand; the driver may be broken")
