"""How much memory a piece of work takes at its peak."""

from __future__ import annotations

import sys
from pathlib import Path

_STATUS, _REFERENCES = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class Growth:
    """The highest point of this process's memory since here, above what it had before."""

    def __init__(self) -> None:
        if _REFERENCES.exists():
            _REFERENCES.write_text("5")  # Linux: the peak is what is used now, so that no earlier one hides this
            self.before = _linux("VmRSS")
        else:
            self.before = _peak()

    def bytes(self) -> int:
        return (_linux("VmHWM") if _REFERENCES.exists() else _peak()) - self.before


def _linux(name: str) -> int:
    line = next(line for line in _STATUS.read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) * 1024


def _peak() -> int:
    """Since the process began: less is noticed."""
    try:
        import resource
    except ImportError:  # Windows: time and outcome are checked all the same
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
