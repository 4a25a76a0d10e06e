"""Stages of a long way that work at the same time: each in a thread, a bounded number of steps ahead of the next.

Reading, cutting, scoring and writing spend their time in code that releases Python's lock, so threads are enough.
"""

from __future__ import annotations

import contextvars
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from queue import SimpleQueue
from typing import Any, TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def ahead(items: Iterable[Item], depth: int = 1) -> Generator[Item, None, None]:
    """The items in their order, made by a thread that is at most `depth` items ahead of what was asked for.

    An error in the making is raised where the items are used. Closing the generator ends the thread, and closes `items`
    if that is a generator too, once the item in work is done.
    """
    room, stopped = threading.Semaphore(depth), threading.Event()
    ready: SimpleQueue[tuple[Any, BaseException | None, bool]] = SimpleQueue()  # item, error, whether that was all

    def make() -> None:
        try:
            with closing(_as_generator(items)) as made:
                while room.acquire() and not stopped.is_set():
                    try:
                        item = next(made)
                    except StopIteration:
                        break
                    ready.put((item, None, False))
                    del item  # what was handed over must not stay in memory while the next is made
            ready.put((None, None, True))
        except BaseException as error:
            ready.put((None, error, True))

    # The thread sees the scopes of its caller, such as `use_backend`.
    thread = threading.Thread(target=contextvars.copy_context().run, args=(make,), daemon=True)
    thread.start()
    try:
        while True:
            item, error, is_last = ready.get()
            if error is not None:
                raise error
            if is_last:
                return
            room.release()
            yield item
            del item
    finally:
        stopped.set()
        room.release()
        thread.join()


def spread(
    function: Callable[[Item], Answer],
    items: Iterable[Item],
    workers: int,
    begin: Callable[[], object] = lambda: None,
) -> Generator[Answer, None, None]:
    """`map` in the order of the items, with as many threads at work and two items waiting for each.

    Every thread calls `begin` first. Closing the generator gives up what has not begun.
    """
    waiting: deque[Future[Answer]] = deque()
    with ThreadPoolExecutor(workers, initializer=begin) as pool:
        try:
            for item in items:
                waiting.append(pool.submit(contextvars.copy_context().run, function, item))
                del item
                if len(waiting) > 3 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for each in waiting:
                each.cancel()


def _as_generator(items: Iterable[Item]) -> Generator[Item, None, None]:
    yield from items
