"""Generated panels with publication effects, for tests that compare two implementations."""

import numpy as np
import pandas as pd
from scipy.stats import norm


def generated_panel(
    cases: pd.DataFrame, rates: dict[str, tuple[float, float]], seed: int, shared: float = 0.35, own: float = 0.3
) -> pd.DataFrame:
    """Long panel frame: hits from a latent normal with a publication effect shared by systems and one of each.

    `rates` gives (present, absent) hit rates; `shared` and `own` are variance shares of the two effects.
    """
    rng = np.random.default_rng(seed)
    codes, labels = pd.factorize(cases["cluster"])
    common = rng.normal(size=len(labels))[codes]
    frames = []
    for system, (present, absent) in rates.items():
        each = rng.normal(size=len(labels))[codes]
        noise = rng.normal(size=len(cases))
        latent = np.sqrt(shared) * common + np.sqrt(own) * each + np.sqrt(1 - shared - own) * noise
        level = np.where(cases["exposed"] == 1, present, absent)
        frames.append(cases.assign(system=system, hit=(norm.cdf(latent) < level).astype(int)))
    return pd.concat(frames, ignore_index=True)


def small_cases(seed: int = 7, n_publications: int = 40) -> pd.DataFrame:
    """Cases in publications of 1 to 6, exposure decided per publication, with every covariate."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 7, n_publications)
    code = np.repeat(np.arange(n_publications), sizes)
    n = len(code)
    zero = (rng.random(n_publications) < 0.3)[code] ^ (rng.random(n) < 0.05)
    density = np.where(zero, 0, rng.integers(1, 30, n))
    return pd.DataFrame(
        {
            "case_id": [f"case{i:03d}" for i in range(n)],
            "cluster": [f"PMID:{c}" for c in code],
            "exposed": (rng.random(n_publications) < 0.6).astype(int)[code],
            "category": rng.choice(["a", "b", "c"], n),
            "recent": (rng.random(n_publications) < 0.5).astype(int)[code],
            "weight": rng.choice([1.5, 4.0], n),
            "density": density,
            "log_density": np.log1p(density),
        }
    )


RATES = {"M": (0.95, 0.75), "K": (0.6, 0.75), "S": (0.65, 0.85)}
