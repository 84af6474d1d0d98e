"""Data-quality checks declared in YAML, as dbt users know them, compiled to Dagster asset checks."""
