"""What `cloudt doctor` prints as one line."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """A `remedy` says what to do; without `is_problem` it is an offer, not a need."""

    name: str
    value: str
    remedy: str = ""
    is_problem: bool = False


def problem(name: str, value: str, remedy: str) -> Finding:
    return Finding(name, value, remedy, is_problem=True)
