"""What the platform says of itself while it runs: `making`, `made`, `checking`, on one standard logger."""

from __future__ import annotations

import logging

LOGGER = logging.getLogger("genoplatform.events")
LOGGER.propagate = False
LOGGER.addHandler(logging.NullHandler())


def tell(event: str, asset: str, partition: str | None = None) -> None:
    """Tell whoever listens that `event` happened to an asset."""
    label = asset if partition is None else f"{asset}[{partition}]"
    LOGGER.info("%s %s", event, label, extra={"event": event, "label": label})
