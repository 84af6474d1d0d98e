"""All looks in the order that people read them."""

from __future__ import annotations

from genoplatform.resources.platform import PlatformResource
from genoplatform.runner.health.card import card
from genoplatform.runner.health.finding import Finding
from genoplatform.runner.health.instance import instance
from genoplatform.runner.health.machine import machine
from genoplatform.runner.health.pins import pins
from genoplatform.runner.health.programs import programs
from genoplatform.runner.health.vectors import vectors


def look(platform: PlatformResource) -> list[Finding]:
    """Findings of a home and the profile in force in it."""
    return [
        *machine(platform.home_path),
        *pins(platform),
        *instance(platform.home_path),
        *programs(platform.settings()),
        *card(platform.settings()),
        *vectors(platform),
        *_models(platform),
    ]


def _models(platform: PlatformResource) -> list[Finding]:
    from genoplatform.resources.llm.facts import facts

    # Small models and caches are not needed by the demo's ranking: the facts say themselves what figures need them.
    found = [Finding(fact.what, fact.ok, fact.found, fact.needed, fact.fix) for fact in facts(platform)]
    return [finding for finding in found if not finding.what.startswith("GPU memory")]
