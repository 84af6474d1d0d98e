"""Progress of a run: one bar over the planned assets, and a line for each that is made."""

from __future__ import annotations

import logging
from types import TracebackType
from typing import TYPE_CHECKING, Any

from genoplatform.resources.events import LOGGER

if TYPE_CHECKING:
    from genoplatform.runner.plan import Task


class RunProgress(logging.Handler):
    """Shows what the platform's own events tell; quiet shows nothing."""

    def __init__(self, quiet: bool) -> None:
        super().__init__()
        self._quiet = quiet
        self._bar: Any = None
        self._task: Any = None

    def planned(self, tasks: list[Task]) -> None:
        """Start the bar."""
        if self._bar is not None:
            self._task = self._bar.add_task("", total=sum(1 for task in tasks if task.reason))

    def emit(self, record: logging.LogRecord) -> None:
        """Move the bar on an event."""
        from rich.markup import escape

        event, label = getattr(record, "event", ""), getattr(record, "label", "")
        if self._bar is None or self._task is None or not event:
            return
        if event == "made":
            self._bar.advance(self._task)
            self._bar.console.print(f"  [green]made[/] {escape(label)}", highlight=False)
        else:
            self._bar.update(self._task, description=escape(f"{event} {label}"))

    def __enter__(self) -> RunProgress:
        if not self._quiet:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

            columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
            console = Console(stderr=True)
            self._bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
            self._bar.start()
        LOGGER.addHandler(self)
        LOGGER.setLevel(logging.INFO)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        LOGGER.removeHandler(self)
        if self._bar is not None:
            self._bar.stop()
