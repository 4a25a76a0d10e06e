"""Ctrl-C between two steps instead of within one."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any


class Interrupt:
    """While entered, the first SIGINT or SIGTERM is only noted; a second SIGINT interrupts at once.

    Elsewhere than in the main thread Python cannot do this, and signals stay as they are.
    """

    def __init__(self) -> None:
        self.noted = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Interrupt:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.noted and number == signal.SIGINT:
            raise KeyboardInterrupt
        self.noted = True
