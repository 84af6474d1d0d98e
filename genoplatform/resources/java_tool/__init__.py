"""External Java programs over many cases: bounded parallelism, time limits, logs, identities, resumption.

Belongs here: processes and their results on disk. Does not belong here: what a case is told to a program and what its
answer means (genoplatform.prioritisation.baselines). Knows no Dagster.
"""

from genoplatform.resources.java_tool.process import Limits
from genoplatform.resources.java_tool.runner import JavaToolRunner, ToolEvent, ToolUnusableError
from genoplatform.resources.java_tool.tool import JavaTool

JAVA_POOL = "java"
"""Dagster pool of the assets that run such programs: one asset's workers fill the machine."""

__all__ = ["JAVA_POOL", "JavaTool", "JavaToolRunner", "Limits", "ToolEvent", "ToolUnusableError"]
