"""Gene expression: from GEO and TCGA files over curated clinical features and genes to regression and its evaluation."""
