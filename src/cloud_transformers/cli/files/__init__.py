"""Verbs about cloud files: info, convert."""
