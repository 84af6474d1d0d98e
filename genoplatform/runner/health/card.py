"""The graphics card: model, memory, budget and who holds what of it."""

from __future__ import annotations

from genoplatform.resources.gpu import GpuResource, installed_gpus
from genoplatform.resources.gpu.driver import GpuDriverError
from genoplatform.runner.health.finding import Finding
from genoplatform.settings.profiles import Profile


def card(settings: Profile) -> list[Finding]:
    """Findings of the cards. Without one everything runs on the processor, slowly where the profile embeds a corpus."""
    wanted = settings.embedding is not None and settings.embedding.embedder.backend == "torch"
    try:
        if not installed_gpus():
            advice = "a machine with an NVIDIA card, or days of patience" if wanted else "this profile needs none"
            return [Finding("GPU", not wanted, "none", False, advice)]
        facts = GpuResource().facts()
    except GpuDriverError as error:
        return [Finding("GPU", False, f"the driver does not answer: {error.found}", wanted, error.hint)]
    holders = "; ".join(facts["holders"]) or "nobody"
    found = f"{facts['model']}, {facts['free_mb']} MiB free, budget {facts['budget_mb']} MiB, held by {holders}"
    needs = settings.embedding.embedder.vram_mib if wanted and settings.embedding else 0
    enough = facts["budget_mb"] >= needs
    return [Finding("GPU", enough, found, False, f"a card with {needs} MiB, or a smaller batch in the profile")]
