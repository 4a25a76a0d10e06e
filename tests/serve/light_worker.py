"""A worker process without torch, which does what the content of the file tells it: it makes tests of the server quick.

"slow" never ends, "long" says too much, "crash" ends the process with a code, "kill" by a signal; all else is answered.
"""

import json
import os
import signal
import sys
import threading
from pathlib import Path

CATALOGUE = {
    "weights": [
        {"name": "light", "path": "light", "task": "segmentation", "classes": ["a"], "score": "", "card": ""},
        {"name": "lighter", "path": "light", "task": "reconstruction", "classes": [], "score": "", "card": ""},
    ],
    "clouds": [".ply", ".xyz"],
    "pictures": [".png"],
    "written": [".ply", ".txt"],
    "samples": [{"name": "room", "title": "A room", "task": "segmentation", "suffix": ".xyz"}],
}
RESULT = {"points": 1, "fields": [], "label": None, "classes": [], "notes": [], "seconds": 0.1}


def say(content):
    print(json.dumps(content), flush=True)


def answer(request):
    place, order = Path(request["place"]), request["order"]
    source = place / f"input{order['suffix']}"
    if order["sample"]:
        source.write_bytes(b"a room")
    say({"progress": 0.5, "step": "working"})
    content = source.read_bytes()
    if content == b"slow":
        threading.Event().wait()
    if content == b"crash":
        os._exit(3)
    if content == b"kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if content == b"long":
        say({"failed": "x" * (5 << 20)})
        return
    if content == b"bad":
        say({"failed": f"{order['name']}: holds no points"})
        return
    (place / "answer.npz").write_bytes(content)
    (place / "scene.bin").write_bytes(b"scene of " + content)
    say({"done": RESULT})


def listen(requests):
    for line in sys.stdin:
        requests.append(json.loads(line))
        arrived.release()
    os._exit(0)


requests, arrived = [], threading.Semaphore(0)
threading.Thread(target=listen, args=(requests,), daemon=True).start()
while arrived.acquire():
    request = requests.pop(0)
    if request["action"] == "catalogue":
        say({"failed": f"{request['names'][0]}: no such weights"} if request["names"] else {"done": CATALOGUE})
    elif request["action"] == "answer":
        answer(request)
    elif request["name"] == "folding.bin":
        say({"failed": "light: folds no sphere"})
    elif request["action"] in ("inspect", "preview"):
        (Path(request["place"]) / request["name"]).write_text('{"notes": [], "blocks": []}')
        say({"done": None})
    elif request["name"].endswith(".txt"):
        say({"failed": "answer.txt: text cannot hold it"})
    else:
        content = (Path(request["place"]) / "answer.npz").read_bytes()
        (Path(request["place"]) / request["name"]).write_bytes(content)
        say({"done": None})
