"""Verbs about cloud files: info, convert, view."""
