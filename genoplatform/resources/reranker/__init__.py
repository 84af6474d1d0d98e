"""Rerankers: the cross-encoder of the method, and a declared stand-in that needs no model.

Belongs here: weights, devices, scoring pairs. Does not belong here: which chunks are reranked and how many are kept
(genoplatform.agents). Only `resource` knows Dagster.
"""
