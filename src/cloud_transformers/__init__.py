"""Deep learning on point clouds with cloud transforms. Importing this compiles, downloads and prints nothing."""

__version__ = "0.1.0"
