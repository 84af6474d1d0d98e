"""The benchmark report: one self-contained HTML page, its plots, and the headline numbers for the terminal.

Belongs here: looking numbers up in finished tables, and showing them. Does not belong here: computing a statistic
(inference), reading or writing files (the caller does), Dagster. Importing this package loads neither matplotlib nor
jinja2; drawing and rendering do.
"""

from genoplatform.report.headline import headline
from genoplatform.report.images import as_markdown_image
from genoplatform.report.inputs import ReportInputs
from genoplatform.report.page import build_report, figures
from genoplatform.report.plot_calibration import plot_calibration
from genoplatform.report.plot_cohort import plot_cohort
from genoplatform.report.plot_estimates import plot_estimates
from genoplatform.report.plot_lopo import plot_lopo
from genoplatform.report.plot_overlap import plot_overlap
from genoplatform.report.plot_rank_change import plot_rank_change
from genoplatform.report.plot_recall import plot_recall_curves
from genoplatform.report.plot_releases import plot_releases
from genoplatform.report.terminal import headline_text

__all__ = [
    "ReportInputs",
    "as_markdown_image",
    "build_report",
    "figures",
    "headline",
    "headline_text",
    "plot_calibration",
    "plot_cohort",
    "plot_estimates",
    "plot_lopo",
    "plot_overlap",
    "plot_rank_change",
    "plot_recall_curves",
    "plot_releases",
]
