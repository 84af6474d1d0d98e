"""Problems, and the catalogue of them: which traits, under which conditions, with which known genes.

Reads the benchmark's `task_info` shape (expression.md A.2): trait -> related genes, best first, and conditions. Can
also propose pairs by the benchmark's rules. Belongs here: what is asked. Does not belong here: which cohorts answer it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from genoplatform.errors import BadInputError

NO_CONDITION = "None"
DEMOGRAPHIC = ("Age", "Gender")
ALWAYS_CONDITIONS = ("Hypertension", "Obesity")
_HINT = 'the shape is {trait: {"related_genes": [...], "conditions": [...]}}'


@dataclass(frozen=True)
class Problem:
    """Which genes go with a trait, beside a condition: None, `Age`, `Gender`, or another trait.

    Attributes:
        trait: name. condition: name, or None.
    """

    trait: str
    condition: str | None = None

    @property
    def key(self) -> str:
        """`Trait|Condition`, `None` for no condition: partition key and file name part."""
        return f"{self.trait}|{self.condition or NO_CONDITION}"

    @property
    def kind(self) -> str:
        """unconditional, demographic (one step) or two_step."""
        if self.condition is None:
            return "unconditional"
        return "demographic" if self.condition in DEMOGRAPHIC else "two_step"

    @classmethod
    def of(cls, key: str) -> Problem:
        """The problem of a key.

        Raises:
            BadInputError: it is not `Trait|Condition`.
        """
        trait, bar, condition = key.partition("|")
        if not trait or not bar or not condition or "|" in condition or trait == condition:
            raise BadInputError(f"reading the problem {key!r}", "it is not Trait|Condition", "e.g. Asthma|None")
        return cls(trait, None if condition == NO_CONDITION else condition)


@dataclass(frozen=True)
class Catalogue:
    """Known genes and conditions of traits.

    Attributes:
        related: trait -> known genes, best first. conditions: trait -> conditions, in order.
    """

    related: Mapping[str, Sequence[str]]
    conditions: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, task_info: Mapping[str, Any]) -> Catalogue:
        """Read a `task_info` object.

        Raises:
            BadInputError: a trait's entry has not the shape.
        """
        for trait, entry in task_info.items():
            lists = [entry.get(name) for name in ("related_genes", "conditions")] if isinstance(entry, Mapping) else []
            if len(lists) != 2 or not all(_strings(one) for one in lists):
                raise BadInputError("reading the problem catalogue", f"entry {trait!r}", _HINT)
        return cls(
            {trait: list(dict.fromkeys(entry["related_genes"])) for trait, entry in task_info.items()},
            {trait: list(entry["conditions"]) for trait, entry in task_info.items()},
        )

    def genes(self, trait: str) -> list[str]:
        """Known genes of a trait, best first; none of an unknown one."""
        return list(self.related.get(trait, ()))

    def problems(self) -> list[Problem]:
        """Every problem: traits sorted, without a condition first, then conditions in list order."""
        return [
            Problem(trait, condition)
            for trait in sorted(self.conditions)
            for condition in (None, *self.conditions[trait])
        ]


def read_catalogue(path: Path) -> Catalogue:
    """The catalogue of a `task_info` file.

    Raises:
        BadInputError: it is not JSON, or has not the shape.
    """
    try:
        content = json.loads(path.read_bytes())
    except ValueError as error:
        raise BadInputError(f"reading the problem catalogue {path.name}", str(error), _HINT) from error
    if not isinstance(content, dict):
        raise BadInputError(f"reading the problem catalogue {path.name}", "not an object of traits", _HINT)
    return Catalogue.of(content)


def catalogue_table(catalogue: Catalogue) -> pd.DataFrame:
    """A row a problem: trait, condition ("None" for none), kind, known genes of both, shared, Jaccard."""
    rows = []
    for problem in catalogue.problems():
        mine, other = set(catalogue.genes(problem.trait)), set(catalogue.genes(problem.condition or ""))
        two_step = problem.kind == "two_step"
        rows.append(
            {
                "trait": problem.trait,
                "condition": problem.condition or NO_CONDITION,
                "kind": problem.kind,
                "trait_genes": len(mine),
                "condition_genes": len(other) if two_step else 0,
                "shared_genes": len(mine & other),
                "jaccard": jaccard(mine, other) if two_step else float("nan"),
            }
        )
    columns = ["trait", "condition", "kind", "trait_genes", "condition_genes", "shared_genes", "jaccard"]
    table = pd.DataFrame(rows, columns=columns)
    kinds = dict.fromkeys(columns[:3], "str") | dict.fromkeys(columns[3:6], "int64") | {"jaccard": "float64"}
    return table.astype(kinds)


def jaccard(a: Collection[str], b: Collection[str]) -> float:
    """Shared over all; 0 of two empty sets."""
    either = len(set(a) | set(b))
    return len(set(a) & set(b)) / either if either else 0.0


@dataclass(frozen=True)
class PairRules:
    """When a condition is worth asking of a trait (expression.md A.2, second release).

    Attributes:
        minimum_jaccard: of known genes. always: conditions kept whatever their genes.
        male, female: traits of one sex: no Gender condition, and no pair across.
        cancers: no pair of two of them. not_traits: entities that are conditions only.
    """

    minimum_jaccard: float = 0.2
    always: Collection[str] = ALWAYS_CONDITIONS
    male: Collection[str] = ()
    female: Collection[str] = ()
    cancers: Collection[str] = ()
    not_traits: Collection[str] = ()

    def keeps(self, trait: str, condition: str, related: Mapping[str, Collection[str]]) -> bool:
        """Whether a pair is kept."""
        sexes = {
            sex for sex, names in (("male", self.male), ("female", self.female)) if {trait, condition} & set(names)
        }
        if trait == condition or trait in self.not_traits or len(sexes) == 2:
            return False
        if condition in DEMOGRAPHIC:
            return condition != "Gender" or not sexes
        if trait in self.cancers and condition in self.cancers:
            return False
        shared = jaccard(related.get(trait, ()), related.get(condition, ()))
        return condition in self.always or shared >= self.minimum_jaccard


def propose_pairs(related: Mapping[str, Collection[str]], rules: PairRules) -> list[Problem]:
    """Every pair of traits, and trait with Age or Gender, that the rules keep; sorted by trait, then condition."""
    names: Iterable[str] = sorted({*related, *DEMOGRAPHIC})
    conditions = list(names)
    traits = [name for name in conditions if name not in DEMOGRAPHIC]
    return [Problem(t, c) for t in traits for c in conditions if rules.keeps(t, c, related)]


def _strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def catalogue_of_problems(keys: Iterable[str]) -> Catalogue:
    """A catalogue of declared problems, without known genes; each trait without a condition too."""
    conditions: dict[str, list[str]] = {}
    for problem in map(Problem.of, keys):
        mine = conditions.setdefault(problem.trait, [])
        if problem.condition is not None and problem.condition not in mine:
            mine.append(problem.condition)
    return Catalogue({}, conditions)


def known_gene_table(catalogue: Catalogue) -> pd.DataFrame:
    """A row a known gene: trait, rank from 1, gene; by trait and rank."""
    traits = sorted(catalogue.related)
    rows = [(trait, i, gene) for trait in traits for i, gene in enumerate(catalogue.genes(trait), 1)]
    return pd.DataFrame(rows, columns=["trait", "rank", "gene"]).astype(
        {"trait": "str", "rank": "int64", "gene": "str"}
    )
