"""Pages about what a run did: tables, curves and pictures, each in one file that needs nothing else.

`write_page` makes the page of an evaluation, of its results and of the metrics that were recorded in training.
"""

from cloud_transformers.report.page import write_page

__all__ = ["write_page"]
