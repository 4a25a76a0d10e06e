"""CLOUD -> SAMPLE: one module per benchmark, and your own folder."""
