"""The workstation's graphics cards: what they are, what is free, and who may use how much of them in turn.

Belongs here: asking the driver, and the ledger of leases that processes share. Does not belong here: computing on a
card (the embedder, the reranker and the model server do), and Dagster's pools, which only count runs.
"""

from genoplatform.resources.gpu.driver import Gpu, installed_gpus
from genoplatform.resources.gpu.ledger import GpuBudgetError, GpuLedger, Lease
from genoplatform.resources.gpu.resource import GpuResource

__all__ = ["Gpu", "GpuBudgetError", "GpuLedger", "GpuResource", "Lease", "installed_gpus"]
