"""Phenotype-driven ranking of genes: knowledge bases, similarity, tie rules, ranks and counterfactuals."""
