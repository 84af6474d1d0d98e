"""Asset declarations, one module a group. A body reads, calls one domain function, returns value and metadata."""

import dagster as dg

from genoplatform.assets.agent_arms import arm_assets
from genoplatform.assets.agent_evaluation import evaluation_assets
from genoplatform.assets.agents import cell_assets
from genoplatform.assets.baselines import baseline_assets
from genoplatform.assets.cohort import cohort_assets
from genoplatform.assets.expression import expression_assets
from genoplatform.assets.expression_analysis import expression_analysis_assets
from genoplatform.assets.inference import inference_assets
from genoplatform.assets.literature import literature_assets
from genoplatform.assets.ontology import ontology_assets
from genoplatform.assets.prioritisation import prioritisation_assets
from genoplatform.assets.raw import raw_assets
from genoplatform.assets.released import released_assets
from genoplatform.assets.reports import report_assets
from genoplatform.assets.retrieval import retrieval_assets
from genoplatform.assets.time_travel import time_travel_assets


def all_assets() -> list[dg.AssetsDefinition]:
    """Every asset of the code location."""
    return [
        *raw_assets,
        *ontology_assets,
        *cohort_assets,
        *baseline_assets,
        *prioritisation_assets,
        *inference_assets,
        *released_assets,
        *time_travel_assets,
        *literature_assets,
        *retrieval_assets,
        *expression_assets,
        *expression_analysis_assets,
        *cell_assets,
        *evaluation_assets,
        *arm_assets,
        *report_assets,
    ]
