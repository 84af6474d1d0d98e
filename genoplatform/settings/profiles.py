"""Profiles: which pins fill which role, and every declared parameter of the science. No paths, hosts or secrets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, PositiveInt, ValidationError

from genoplatform.errors import SettingsError
from genoplatform.settings.agents import AgentsSettings
from genoplatform.settings.expression import ExpressionSettings, StatisticsSettings
from genoplatform.settings.literature import LiteratureSettings
from genoplatform.settings.llm import LlmSettings, RerankerSettings
from genoplatform.settings.retrieval import EmbeddingSettings, IndexSettings, RetrievalSettings
from genoplatform.settings.section import Section
from genoplatform.settings.yaml_text import read_mapping

PROFILES_FILE = Path(__file__).with_name("profiles.yml")
DIRECTORY_PREFIX = "directory:"
_HINT = "the fields are those of settings/profiles.py"


def _pin_or_directory(value: str) -> str:
    name, _, rest = value.partition("@" if "@" in value else ":")
    if not rest or (name + ":" != DIRECTORY_PREFIX and "@" not in value):
        raise ValueError(f"{value!r} is neither a pin (name@version) nor {DIRECTORY_PREFIX}VARIABLE")
    return value


Slot = Annotated[str, AfterValidator(_pin_or_directory)]
Pair = Annotated[list[str], Field(min_length=2, max_length=2)]
Member = Annotated[list[str], Field(min_length=3, max_length=3)]


class Slots(Section):
    """Role of an input -> pin id, `directory:VARIABLE`, or None where the profile has no use for it.

    `directory:VARIABLE/{partition}` is one package of articles in a directory of packages, or one `Trait|Cohort` in a
    directory of cohorts.
    """

    hp_obo: Slot
    hpoa_knowledge: Slot
    hpoa_current: Slot
    genes_to_phenotype: Slot
    hgnc: Slot
    mondo_terms: Slot
    mondo_mappings: Slot | None
    phenopackets: Slot | None
    pmid_dates: Slot | None
    hpoa_history: Slot | None = None
    released: Slot | None = None
    expression_cohorts: Slot | None = None
    expression_decisions: Slot | None = None
    gene_synonyms: Slot | None = None
    expression_problems: Slot | None = None
    expression_reference: Slot | None = None
    articles: Slot | None = None
    chunk_tokenizer: Slot | None = None
    embedding_model: Slot | None = None
    embedding_tokenizer: Slot | None = None

    def pin_of(self, slot: str, partition: str | None = None) -> str | None:
        """The pin that fills a slot; `{partition}` in it stands for the partition's key."""
        value: str | None = getattr(self, slot)
        return value if value is None or partition is None else value.replace("{partition}", partition)


class CohortSettings(Section):
    """How the cohort is drawn (rare_disease.md section 4)."""

    source: Literal["publication_profiles", "phenopacket_store", "released"]
    min_hpo_terms: PositiveInt
    sample_per_stratum: dict[str, PositiveInt]
    n_distractors: PositiveInt
    recency_boundary: int
    seed: int


class FusionSettings(Section):
    """Two systems fused by reciprocal rank under a name (rare_disease.md section 8, cell N)."""

    name: str
    first: str
    second: str


class RankingSettings(Section):
    """Which systems run, and how the native ones score (rare_disease.md sections 4.9 and 8)."""

    systems: list[str]
    fusions: list[FusionSettings] = []
    formula: Literal["average_of_means", "pooled_mean"]
    knowledge: Literal["hpoa", "genes_to_phenotype"]
    ic_corpus: Literal["genes", "diseases"]
    phenodigm_corpus: Literal["genes", "diseases"]
    counterfactual_scope: Literal["all_diseases", "own_disease"]
    counterfactual_ic: Literal["fixed", "recomputed"]
    tie_rule: Literal["candidate_order", "alphabetical", "mean", "worst", "best"]


class InferenceSettings(Section):
    """Draws and seed of the clustered inference, and what is compared with what.

    `joint_systems` and `density_systems` name the systems that the joint models, and the one adjusted for density,
    are fitted over (default all: a system more or less moves every odds ratio a little). Every system is contrasted
    with its decontaminated counterpart; `contrasts` adds pairs, and `families` groups
    contrasts (difficulty -> family -> subset, system, system) for the multiplicity adjustment.
    """

    bootstrap_draws: PositiveInt
    permutation_draws: PositiveInt
    reference: str
    joint_systems: list[str] = []
    density_systems: list[str] = []
    contrasts: list[Pair] = []
    families: dict[str, dict[str, list[Member]]] = {}
    seed: int


class Profile(Section):
    """One profile; `name` is its key in the settings file."""

    name: str
    title: str
    slots: Slots
    cohort: CohortSettings
    ranking: RankingSettings
    inference: InferenceSettings
    literature: LiteratureSettings | None = None
    embedding: EmbeddingSettings | None = None
    index: IndexSettings | None = None
    retrieval: RetrievalSettings | None = None
    expression: ExpressionSettings | None = None
    expression_statistics: StatisticsSettings | None = None
    llm: LlmSettings | None = None
    reranker: RerankerSettings | None = None
    agents: AgentsSettings | None = None
    claims: str | None = None

    @property
    def source_ids(self) -> list[str]:
        """The catalogue pins this profile needs, sorted."""
        values = [*self.slots.model_dump().values(), *(self.llm.weights if self.llm else [])]
        return sorted({v for v in values if v and not v.startswith(DIRECTORY_PREFIX) and "{" not in v})

    def parameters(self, sections: tuple[str, ...]) -> dict[str, Any]:
        """Plain values of the named sections, as recorded in provenance."""
        return {section: _plain(getattr(self, section)) for section in sections}


def _plain(section: Section | None) -> dict[str, Any] | None:
    return None if section is None else section.model_dump(mode="json")


def parse_profiles(content: Mapping[str, Any], origin: str = PROFILES_FILE.name) -> dict[str, Profile]:
    """Validate the content of a profiles file.

    Raises:
        SettingsError: naming the profile and the field that is wrong.
    """
    profiles = {}
    for name, body in content.items():
        if not isinstance(body, Mapping) or "name" in body:
            raise SettingsError(f"reading {origin}", f"{name}: not the sections of a profile", _HINT)
        try:
            profiles[name] = Profile.model_validate({"name": name, **body})
        except ValidationError as error:
            faults = (f"{'.'.join(map(str, (name, *fault['loc'])))}: {fault['msg']}" for fault in error.errors())
            raise SettingsError(f"reading {origin}", "; ".join(faults), _HINT) from error
    return profiles


def load_profiles(path: Path = PROFILES_FILE) -> dict[str, Profile]:
    """Every profile of a settings file, by name."""
    return parse_profiles(read_mapping(path), path.name)


def load_profile(name: str, path: Path = PROFILES_FILE) -> Profile:
    """The profile called `name`.

    Raises:
        SettingsError: there is none of that name.
    """
    profiles = load_profiles(path)
    if name not in profiles:
        raise SettingsError(f"loading profile {name!r}", "no such profile", f"one of {', '.join(sorted(profiles))}")
    return profiles[name]
