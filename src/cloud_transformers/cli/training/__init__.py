"""Verbs about experiments: recipes, train, evaluate, ablate."""
