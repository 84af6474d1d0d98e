"""Every gene tested: in a mixed model that knows who is related to whom, and plainly, to see what that changes.

A person counts once. Where the trait is the same in all samples of a person, samples are averaged by person before
anything is tested: repeats of a person are no further evidence. Where the trait varies within persons, being the same
person is a kernel of its own beside that of the genes, in the proportion that is most likely.
Belongs here: which kernel, and the two screens. Does not belong here: the test itself, or choosing by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from genoplatform.expression.statistics.arrays import Floats, Indices, Samples, Scaling
from genoplatform.expression.statistics.kernel import Kernel, gene_kernel, group_kernel
from genoplatform.expression.statistics.linear_model import independent, with_intercept
from genoplatform.expression.statistics.mixed_test import GeneTests, lmm_test
from genoplatform.expression.statistics.null_model import NullModel, fit_null

# Share of the genes' kernel against that of persons.
_SHARES = (1.0, 0.75, 0.5, 0.25, 0.0)
_FEWEST_PERSONS = 6

Unit = Literal["sample", "person"]


@dataclass(frozen=True)
class Screen:
    """Tests of every gene, per standard deviation of the gene.

    Attributes:
        tests: effects and p-values. null: the null model they rest on.
        unit: what was counted: samples, or persons.
        units: how many.
        gene_share: share of the genes' kernel; the rest is that of persons.
    """

    tests: GeneTests
    null: NullModel
    unit: Unit
    units: int
    gene_share: float


def screen_genes(samples: Samples, *, reml: bool = True) -> Screen:
    """Test every gene in a mixed model with the kernel of the genes, and of persons where they repeat."""
    unit: Unit = "sample"
    if samples.groups is not None and trait_is_of_persons(samples):
        samples, unit = by_person(samples), "person"
    x, covariates = _scaled(samples)
    kernels = _kernels(gene_kernel(x), samples.groups)
    fitted = [(fit_null(kernel, samples.y, covariates, reml=reml), kernel, share) for share, kernel in kernels]
    null, kernel, share = max(fitted, key=lambda one: one[0].log_likelihood)
    tests = lmm_test(kernel, null.delta, x, samples.y, covariates)
    return Screen(tests, null, unit, len(samples.y), share)


def screen_plainly(samples: Samples) -> GeneTests:
    """Test every gene by ordinary least squares, as if all samples were independent."""
    x, covariates = _scaled(samples)
    n = len(samples.y)
    return lmm_test(Kernel(np.ones(n), np.eye(n)), 1.0, x, samples.y, covariates)


def _scaled(samples: Samples) -> tuple[Floats, Floats]:
    covariates = independent(with_intercept(Scaling.of(samples.z).apply(samples.z)))
    return Scaling.of(samples.x).apply(samples.x), covariates


def trait_is_of_persons(samples: Samples) -> bool:
    """Whether persons repeat, none has two values of the trait, and there are enough of them to test between."""
    names, codes = _persons(samples)
    if len(names) == len(samples.y) or len(names) < _FEWEST_PERSONS + samples.z.shape[1]:
        return False
    first = np.array([samples.y[np.argmax(codes == i)] for i in range(len(names))])
    return bool((samples.y == first[codes]).all())


def by_person(samples: Samples) -> Samples:
    """Genes, trait and covariates averaged by person; persons by name."""
    names, codes = _persons(samples)
    member = (codes[None, :] == np.arange(len(names))[:, None]).astype(np.float64)
    member /= member.sum(axis=1, keepdims=True)
    # A mean of equal values can be off in the last digit, which would make a third value of a binary trait.
    y = np.array([samples.y[np.argmax(codes == i)] for i in range(len(names))])
    return Samples(member @ samples.x, y, member @ samples.z, None)


def _persons(samples: Samples) -> tuple[Sequence[str], Indices]:
    names, codes = np.unique(np.asarray(samples.groups), return_inverse=True)
    return [str(name) for name in names], np.asarray(codes, dtype=np.intp)


def _kernels(genes: Floats, groups: Sequence[str] | None) -> list[tuple[float, Kernel]]:
    if groups is None or len(set(groups)) == len(groups):
        return [(1.0, Kernel.of(genes))]
    persons = group_kernel(groups)
    return [(share, Kernel.of(share * genes + (1.0 - share) * persons)) for share in _SHARES]
