"""Progress of transfers on a terminal. Implements `genoplatform.resources.sources.progress.Progress` with rich."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import TransferSpeedColumn as Speed


class DownloadProgress:
    """A bar on stderr while a transfer runs, gone when it ends; off a terminal only the notes are printed."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True)
        self._running: tuple[Progress, TaskID] | None = None

    def begin(self, label: str, total: int | None) -> None:
        """Show a bar; it pulses until the first byte, or throughout where `total` is unknown."""
        bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            DownloadColumn(),
            Speed(),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
            redirect_stdout=False,  # results go to stdout even while the bar is on a terminal
            redirect_stderr=False,
            disable=not self._console.is_terminal,
        )
        self._running = bars, bars.add_task(label, total=total)
        bars.start()

    def update(self, done: int) -> None:
        """Move the bar to `done` bytes."""
        if self._running is not None:
            bars, task = self._running
            bars.update(task, completed=done)

    def end(self) -> None:
        """Remove the bar."""
        if self._running is not None:
            self._running[0].stop()
        self._running = None

    def note(self, message: str) -> None:
        """Print a line above the bar."""
        self._console.print(message, style="yellow", highlight=False, markup=False, soft_wrap=True)
