"""Exomiser as a Dagster resource: where it is installed, how much of the machine it may take."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import dagster as dg

from genoplatform.errors import SettingsError
from genoplatform.prioritisation.baselines.tool import ToolJob, ToolOutcome
from genoplatform.resources.java_tool import JavaTool, JavaToolRunner, Limits
from genoplatform.resources.java_tool.installation import find_home, find_jar, require_data
from genoplatform.resources.java_tool.properties import read_properties, with_property
from genoplatform.resources.platform import PlatformResource

HOME_VARIABLE = "GENOPLATFORM_EXOMISER_HOME"
PROPERTIES = "application.properties"
DATA_KEY = "exomiser.data-directory"

Value = TypeVar("Value")


class ExomiserResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Runs Exomiser over cases; a `ToolRunner` for `run_exomiser`.

    Attributes:
        home: directory of exomiser-cli-<version>.jar with `lib` and application.properties; empty takes what
            `GENOPLATFORM_EXOMISER_HOME` names when a run starts.
        version: release that must be there.
        data_dir: data directory; empty takes `exomiser.data-directory` of application.properties, else `data` in home.
        java: Java launcher.
        heap: largest heap of one process.
        workers: processes at a time.
        timeout: seconds a case may take.
        batch_size: cases a process, which starts Java and opens the database once.
        results: directory of the results; empty means `tools/exomiser` below the platform's home.
    """

    home: str = ""
    version: str = "14.0.2"
    data_dir: str = ""
    java: str = "java"
    heap: str = "4g"
    workers: int = 1
    timeout: float = 300.0
    batch_size: int = 25
    results: str = ""

    def runner(self) -> JavaToolRunner:
        """The runner behind this resource.

        Raises:
            SettingsError: the program or its data are not where they are said to be.
        """
        root = Path(self.results) if self.results else PlatformResource().home_path / "tools" / "exomiser"
        return JavaToolRunner(
            self.tool(), root.absolute(), self.workers, Limits(self.timeout), batch_size=self.batch_size
        )

    def tool(self) -> JavaTool:
        """The installed program. Raises as `runner`."""
        what = f"Exomiser {self.version}"
        advice = f"unpack exomiser-cli-{self.version} with its phenotype and genome data into a directory"
        home = find_home(self.home, HOME_VARIABLE, what, advice)
        jar = find_jar(home, f"exomiser-cli-{self.version}.jar", HOME_VARIABLE, advice)
        settings = home / PROPERTIES
        if not settings.is_file():
            raise SettingsError(f"configuring {what}", f"no {PROPERTIES} in {home}", "restore it from the release")
        text = settings.read_text(encoding="utf-8", errors="replace")
        given = read_properties(text)
        data = home / (self.data_dir or given.get(DATA_KEY, "data"))
        require_data(data, [], what, f"unpack the data there, or set {DATA_KEY} in {settings}")
        # Exomiser finds its settings in the working directory. Its copy there names the very data that are hashed.
        pinned = with_property(text, DATA_KEY, str(data))
        return JavaTool(
            "exomiser",
            self.version,
            jar,
            data,
            java=self.java,
            heap=self.heap,
            cwd_files={PROPERTIES: pinned},
            settings={key: value for key, value in given.items() if key != DATA_KEY},
            batch_option="--batch",
        )

    def identity(self) -> Mapping[str, str]:
        """Version of the program, sha256 of jar, libraries, settings and data."""
        return self.runner().identity()

    def run(self, jobs: Sequence[ToolJob], read: Callable[[ToolJob, Path], Value]) -> Sequence[ToolOutcome[Value]]:
        """Run every job; see `JavaToolRunner.run`."""
        return self.runner().run(jobs, read)
