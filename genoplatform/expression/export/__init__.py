"""Results in the benchmark's own file layout, for its evaluator and for whoever wants CSV."""

from genoplatform.expression.export.preprocessed import ExportedCohort, export_trait

__all__ = ["ExportedCohort", "export_trait"]
