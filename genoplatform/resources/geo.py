"""GEO as a Dagster resource: the files of a series, by accession, over https into the benchmark's layout.

What GEO serves is regenerated now and then, so nothing here is pinned: the raw asset records the hash of what came.
"""

import re
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from http.client import HTTPException
from pathlib import Path
from typing import IO, TypeVar
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import dagster as dg

from genoplatform.errors import GenoplatformError
from genoplatform.provenance.atomic import atomic_path
from genoplatform.resources.sources.retry import RetryPlan

Value = TypeVar("Value")
OpenUrl = Callable[[str, float], AbstractContextManager[IO[bytes]]]
_TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504})
_ACCESSION = re.compile(r"GSE\d+")


class GeoError(GenoplatformError):
    """GEO did not deliver a series."""


def open_url(url: str, timeout: float) -> AbstractContextManager[IO[bytes]]:
    """Open an https address for reading."""
    request = Request(url, headers={"User-Agent": "genoplatform"})  # noqa: S310 - `base` is a declared address
    opened: AbstractContextManager[IO[bytes]] = urlopen(request, timeout=timeout)  # noqa: S310
    return opened


def series_address(base: str, accession: str) -> str:
    """Address of a series' folder: GSE781 lies under GSEnnn, GSE30550 under GSE30nnn."""
    return f"{base.rstrip('/')}/{accession[:-3] if len(accession) > 6 else 'GSE'}nnn/{accession}"


class GeoResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Obtains series from GEO.

    Attributes:
        base: address of GEO's series folder; a mirror of the same layout may stand in.
        timeout: seconds without a byte before a connection counts as dead.
        attempts: tries of one file against transient faults.
    """

    base: str = "https://ftp.ncbi.nlm.nih.gov/geo/series"
    timeout: float = 60.0
    attempts: int = 4

    def obtain(
        self, accession: str, folder: Path, *, opener: OpenUrl = open_url, plan: RetryPlan | None = None
    ) -> Path:
        """Bring the matrix files and the family SOFT file of a series to `folder`; what is there already stays.

        Each file appears under its name only when it is whole.

        Args:
            accession: GSE number.
            folder: made if need be.
            opener: how an address is opened; tests replace it.
            plan: how transient faults are tried again.

        Raises:
            GeoError: no such series, or GEO cannot be reached.
        """
        if not _ACCESSION.fullmatch(accession):
            raise GeoError(f"obtaining {accession!r}", "it is not a GSE accession")
        plan = plan or RetryPlan(attempts=self.attempts, timeout=self.timeout)
        address = series_address(self.base, accession)
        listing = _retried(lambda: _read(f"{address}/matrix/", opener, plan.timeout), plan)
        names = sorted(set(re.findall(rf'href="({accession}[^"/]*_series_matrix[^"/]*\.txt\.gz)"', listing)))
        wanted = [f"matrix/{name}" for name in names] + [f"soft/{accession}_family.soft.gz"]
        for path in wanted:
            target = folder / path.partition("/")[2]
            if not target.exists():
                _retried(partial(_save, f"{address}/{path}", target, opener, plan.timeout), plan)
        return folder


def _read(url: str, opener: OpenUrl, timeout: float) -> str:
    with opener(url, timeout) as response:
        return response.read().decode("utf-8", errors="replace")


def _save(url: str, target: Path, opener: OpenUrl, timeout: float) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with atomic_path(target) as temporary, opener(url, timeout) as response, temporary.open("wb") as out:
        shutil.copyfileobj(response, out)
        announced = getattr(response, "headers", {}).get("Content-Length")
        if announced is not None and out.tell() != int(announced):
            raise ConnectionError(f"{out.tell()} of {announced} bytes of {target.name}")


def _retried(work: Callable[[], Value], plan: RetryPlan) -> Value:
    for failures in range(1, plan.attempts + 1):
        try:
            return work()
        except HTTPError as error:
            if error.code not in _TRANSIENT or failures == plan.attempts:
                hint = "look the accession up on GEO" if error.code == 404 else ""
                raise GeoError(f"obtaining {error.url}", f"HTTP {error.code} {error.reason}", hint) from error
        except (URLError, HTTPException, OSError) as error:
            if failures == plan.attempts:
                raise GeoError("obtaining a series from GEO", str(error), "check the network") from error
        plan.wait(failures)
    raise AssertionError("a plan has at least one try")
