"""LIRICAL as a Dagster resource: where it is installed, how much of the machine it may take."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import dagster as dg

from genoplatform.prioritisation.baselines.tool import ToolJob, ToolOutcome
from genoplatform.resources.java_tool import JavaTool, JavaToolRunner, Limits
from genoplatform.resources.java_tool.installation import find_home, find_jar, require_data
from genoplatform.resources.platform import PlatformResource

if TYPE_CHECKING:
    import pandas as pd

    from genoplatform.prioritisation.baselines.disease_genes import DiseaseGenes

HOME_VARIABLE = "GENOPLATFORM_LIRICAL_HOME"
REQUIRED = ["hp.json", "phenotype.hpoa", "mim2gene_medgen", "en_product6.xml"]

Value = TypeVar("Value")


class LiricalResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Runs LIRICAL over cases; a `ToolRunner` for `run_lirical`.

    Attributes:
        home: directory of lirical-cli-<version>.jar with `lib`; empty takes what `GENOPLATFORM_LIRICAL_HOME` names
            when a run starts.
        version: release that must be there.
        data_dir: data directory, absolute or relative to home.
        java: Java launcher.
        heap: largest heap of one process.
        workers: processes at a time; the published comparison ran 8.
        timeout: seconds a case may take.
        results: directory of the results; empty means `tools/lirical` below the platform's home.
    """

    home: str = ""
    version: str = "2.4.0"
    data_dir: str = "data"
    java: str = "java"
    heap: str = "4g"
    workers: int = 8
    timeout: float = 180.0
    results: str = ""

    def runner(self) -> JavaToolRunner:
        """The runner behind this resource.

        Raises:
            SettingsError: the program or its data are not where they are said to be.
        """
        root = Path(self.results) if self.results else PlatformResource().home_path / "tools" / "lirical"
        return JavaToolRunner(self.tool(), root.absolute(), self.workers, Limits(self.timeout))

    def tool(self) -> JavaTool:
        """The installed program. Raises as `runner`."""
        what = f"LIRICAL {self.version}"
        advice = f"unpack lirical-cli-{self.version} with its data into a directory"
        home = find_home(self.home, HOME_VARIABLE, what, advice)
        jar = find_jar(home, f"lirical-cli-{self.version}.jar", HOME_VARIABLE, advice)
        data = home / self.data_dir
        require_data(data, REQUIRED, what, f"run LIRICAL's `download` into {data}")
        return JavaTool("lirical", self.version, jar, data, java=self.java, heap=self.heap)

    def disease_genes(self, hgnc: pd.DataFrame) -> DiseaseGenes:
        """Genes of the diseases it lists, from its own data directory.

        Args:
            hgnc: of `read_hgnc`, used where the data directory has no hgnc_complete_set.txt of its own.
        """
        from genoplatform.prioritisation.baselines.disease_genes import read_disease_genes

        return read_disease_genes(self.tool().data_dir, hgnc)

    def identity(self) -> Mapping[str, str]:
        """Version of the program, sha256 of jar, libraries and data."""
        return self.runner().identity()

    def run(self, jobs: Sequence[ToolJob], read: Callable[[ToolJob, Path], Value]) -> Sequence[ToolOutcome[Value]]:
        """Run every job; see `JavaToolRunner.run`."""
        return self.runner().run(jobs, read)
