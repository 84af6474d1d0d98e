"""Evaluation of ranked results when cases share a publication: metrics, intervals, tests.

Belongs here: everything computed from an item table (item, cluster, exposed, system, rank or hit) and from case
covariates. Does not belong here: how ranks are made (prioritisation) or how results are shown (report, cli).
Import the modules; nothing is re-exported, so that a light one does not load statsmodels.
"""
