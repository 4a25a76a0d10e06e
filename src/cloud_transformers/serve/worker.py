"""The process that does the work: one request a line on standard input, answers a line each on standard output.

    {"action": "answer", "place": "...", "order": {...}}   ->   {"progress": 0.4, "step": "segmenting"} ...
                                                                {"done": {...}} or {"failed": "a sentence"}

It ends when its input does, so that it never outlives its server. Files that strangers sent are read in here, under
limits of memory and of the size of any file that is written (an archive may unpack to anything).
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any, TextIO

from cloud_transformers.errors import InputError


def main() -> None:
    replies = _own_stdout()
    memory, file = (int(word) for word in sys.argv[1:3])
    _limit(memory, file)
    requests: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_listen, args=(requests,), daemon=True).start()
    from cloud_transformers.serve import answering

    while True:
        request = json.loads(requests.get())
        reply = answered(answering.ACTIONS[request.pop("action")], request, replies)
        _say(replies, reply)


def answered(action: Callable[..., Any], request: dict[str, Any], replies: TextIO) -> dict[str, Any]:
    """What an action returns, or why it could not; mistakes in files are the user's, others are ours."""

    def tell(share: float, step: str) -> None:
        _say(replies, {"progress": round(share, 3), "step": step})

    try:
        return {"done": action(tell=tell, **request)}
    except InputError as error:
        return {"failed": str(error)}
    except MemoryError:
        return {"failed": "memory ran out; give fewer points, or allow the server more with --memory"}
    except OSError as error:
        return {"failed": f"could not be read or written ({error.strerror or error})"}
    except Exception as error:
        from cloud_transformers.predict.batches import is_out_of_memory

        if is_out_of_memory(error):
            return {"failed": "memory ran out; give fewer points, or allow the server more with --memory"}
        traceback.print_exc()
        return {"failed": f"an error in the program: {type(error).__name__}; the server's terminal says more"}


def _own_stdout() -> TextIO:
    """Standard output for replies alone; what libraries print goes to standard error."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return replies


def _say(replies: TextIO, content: dict[str, Any]) -> None:
    replies.write(json.dumps(content) + "\n")
    replies.flush()


def _listen(requests: queue.Queue[str]) -> None:
    for line in sys.stdin:
        requests.put(line)
    os._exit(0)  # the server is gone, whatever is being computed


def _limit(memory: int, file: int) -> None:
    """Where the system can (not on Windows): a bound on memory, and who is to be killed first if it runs out."""
    try:
        import resource
    except ImportError:
        return
    if sys.platform == "linux":  # elsewhere it counts otherwise, or not at all
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        with open("/proc/self/oom_score_adj", "w") as score:
            score.write("1000")
    resource.setrlimit(resource.RLIMIT_FSIZE, (file, file))


if __name__ == "__main__":
    main()
