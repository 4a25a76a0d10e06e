"""Pages about what a run did: tables, curves and pictures, each in one file that needs nothing else."""

from cloud_transformers.report.page import write_page

__all__ = ["write_page"]
