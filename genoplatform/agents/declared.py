"""From what a profile declares to what the agents take: limits, and the cases that run.

Belongs here: that translation. Does not belong here: the section's fields (settings.agents), running (campaign).
"""

from __future__ import annotations

import pandas as pd

from genoplatform.agents.case_files import CaseFacts, facts_of
from genoplatform.agents.cells import Limits
from genoplatform.agents.lea import LeaLimits
from genoplatform.agents.llm_critic import LlmCriticLimits
from genoplatform.agents.llm_only import LlmOnlyLimits
from genoplatform.agents.sampling import sample_by_category
from genoplatform.settings.agents import AgentsSettings


def limits_of(settings: AgentsSettings) -> Limits:
    """What the model is shown and may say."""
    return Limits(
        LeaLimits(**settings.lea.model_dump()),
        LlmOnlyLimits(**settings.llm_only.model_dump()),
        LlmCriticLimits(**settings.critic.model_dump()),
        settings.rerank_kept,
    )


def cohort_of(cases: pd.DataFrame, candidates: pd.DataFrame) -> list[CaseFacts]:
    """Every case with a candidate list, sorted by case id.

    Args:
        cases: case_id, hpo_terms, causal_gene, category, source_pmid.
        candidates: case_id, candidate_genes; one row per case.
    """
    columns = ["case_id", "hpo_terms", "causal_gene", "category", "source_pmid"]
    joined = candidates[["case_id", "candidate_genes"]].merge(cases[columns], on="case_id", validate="one_to_one")
    records = joined.sort_values("case_id").to_dict("records")
    return facts_of({str(name): value for name, value in record.items()} for record in records)


def cases_to_run(cohort: list[CaseFacts], settings: AgentsSettings) -> list[CaseFacts]:
    """The declared part of the cohort, sorted by case id."""
    if settings.cases_per_category is None:
        return cohort[: settings.most_cases]
    drawn = sample_by_category(cohort, settings.cases_per_category, settings.seed)
    by_category = sorted(drawn, key=lambda each: (each.category, each.case_id))
    return sorted(by_category[: settings.most_cases], key=lambda each: each.case_id)


def cells_to_run(settings: AgentsSettings, difficulty: str) -> list[str]:
    """Cells of a list, without the fused one, in the order declared."""
    return [name for name in settings.cells if name != "N" and difficulty not in settings.lists_without.get(name, [])]
