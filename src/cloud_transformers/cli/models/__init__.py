"""Verbs about weight files: which there are, export, import of released ones."""
