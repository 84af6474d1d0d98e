"""Java, and the two programs that run on it."""

from __future__ import annotations

import re
import shutil
import subprocess

from genoplatform.runner.health.finding import Finding, explained
from genoplatform.settings.profiles import Profile

JAVA_VERSION = 17  # what Exomiser 14 and LIRICAL 2.4 want
_TIMEOUT_S = 20
_INSTALL_JAVA = "apt-get install openjdk-17-jre-headless"


def programs(settings: Profile) -> list[Finding]:
    """Findings of Java, Exomiser and LIRICAL; needed where the profile has them among its systems."""
    from genoplatform.resources.exomiser import ExomiserResource
    from genoplatform.resources.lirical import LiricalResource

    systems = set(settings.ranking.systems)
    return [
        java(needed=bool(systems & {"exomiser", "lirical"})),
        explained("Exomiser", lambda: str(ExomiserResource().tool().jar), needed="exomiser" in systems),
        explained("LIRICAL", lambda: str(LiricalResource().tool().jar), needed="lirical" in systems),
    ]


def java(*, needed: bool) -> Finding:
    """Whether Java starts, and is new enough."""
    program = shutil.which("java")
    if program is None:
        return Finding("Java", False, "none", needed, _INSTALL_JAVA)
    try:
        done = subprocess.run(  # noqa: S603 - the program found on the path
            [program, "-version"], capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding("Java", False, f"{program} does not start: {error}", needed, _INSTALL_JAVA)
    told = (done.stderr or done.stdout).strip()
    match = re.search(r'version "(?:1\.)?(\d+)', told)
    if done.returncode != 0 or match is None:
        return Finding("Java", False, f"{program} fails: {told[:200] or done.returncode}", needed, _INSTALL_JAVA)
    first = told.splitlines()[0]
    return Finding("Java", int(match[1]) >= JAVA_VERSION, f"{first} ({program})", needed, _INSTALL_JAVA)
