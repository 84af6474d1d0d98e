"""Setting the time of day of the processes of a test, and of nobody else; see wall_clock.c."""

import shutil
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

DAY_S = 24 * 3600


@dataclass(frozen=True)
class WallClock:
    """A clock that is `ahead` of the machine's; processes with `environment` go by it."""

    file: Path
    library: Path

    @property
    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": str(self.library), "WALL_CLOCK_FILE": str(self.file)}

    def jump(self, seconds: int) -> None:
        """Be so far ahead of the machine's clock from now on (behind, if negative)."""
        with self.file.open("r+b") as handle:
            handle.write(struct.pack("@l", seconds))


def make_clock(folder: Path) -> WallClock | None:
    """A clock that goes right, for now; None where there is no C compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    clock = WallClock(folder / "clock", folder / "wall_clock.so")
    source = Path(__file__).with_suffix(".c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", clock.library, source], check=True, capture_output=True)
    clock.file.write_bytes(struct.pack("@l", 0))
    return clock
