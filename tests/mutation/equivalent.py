"""Mutants that change nothing that anyone could see, each with the reason: no test can notice them, so they count for
nothing. Only proofs belong here; a change that is merely hard to notice has survived."""

EQUIVALENT: dict[str, str] = {}
