"""Statistics of expression: from linked cohorts and a problem to genes, with a penalty chosen and its error known.

Belongs here: cohort choice, regressors, models, tuning and results. Does not belong here: preprocessing (readers,
curation, preprocess) and comparison with a reference (evaluation). Every entry point takes arrays or `LinkedCohort`s
and returns plain values; nothing reads files.
"""
