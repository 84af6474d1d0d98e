"""Gene expression: from GEO and TCGA files over curated clinical features to regression and its evaluation."""
