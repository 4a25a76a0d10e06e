"""Verbs that answer: segment, classify, complete, reconstruct."""
