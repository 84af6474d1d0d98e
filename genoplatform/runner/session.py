"""One command's view of the platform: home, profile, definitions and the planner's nodes, opened together."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path

import dagster as dg

from genoplatform.resources.platform import PlatformResource
from genoplatform.runner.execute import prepare_home
from genoplatform.runner.nodes import Node, read_nodes, select


@dataclass(frozen=True)
class Session:
    """What a command works with."""

    platform: PlatformResource
    defs: dg.Definitions
    nodes: dict[str, Node]

    def select(self, selection: str | None) -> set[str]:
        """Asset names a selection string means; all of them for None."""
        return select(self.defs, selection)


def open_session(home: Path, profile: str) -> Session:
    """Prepare the home and load the definitions for one profile.

    Raises:
        SettingsError: there is no such profile.
    """
    warnings.filterwarnings("ignore", category=dg.BetaWarning)
    warnings.filterwarnings("ignore", category=dg.PreviewWarning)
    platform = PlatformResource(home=str(home.resolve()), profile=profile)
    platform.settings()
    prepare_home(home, profile)
    from genoplatform.definitions import build_defs

    defs = build_defs(platform=platform)
    return Session(platform, defs, read_nodes(defs, platform))
