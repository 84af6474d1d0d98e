"""What this machine can run, looked at part by part: each lack with the command that mends it.

Belongs here: looking. Does not belong here: mending, downloading or starting anything. A look that fails is a finding
of its own: a broken driver is not the absence of a card.
"""

from genoplatform.runner.health.finding import Finding
from genoplatform.runner.health.look import look

__all__ = ["Finding", "look"]
