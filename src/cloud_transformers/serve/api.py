"""The HTTP API: submit, status, events, result, answer, scene, inspect, cancel, delete; offer, health, metrics."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path, PurePosixPath
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse

from cloud_transformers import __version__
from cloud_transformers.serve.catalogue import Catalogue
from cloud_transformers.serve.crew import Worker, WorkerFailed
from cloud_transformers.serve.foreman import Foreman, Progress
from cloud_transformers.serve.jobs import UNFINISHED, Job, Order, State
from cloud_transformers.serve.metrics import metrics_text
from cloud_transformers.serve.openapi import describe
from cloud_transformers.serve.settings import Settings
from cloud_transformers.serve.store import Store
from cloud_transformers.serve.uploads import Refused, declared_size, drain, receive_file

RETRY_AFTER = {"Retry-After": "5"}
BYTES = "application/octet-stream"
SCENE = "scene.bin"


class Api:
    """The endpoints, over a store of jobs, a foreman who has them done, and a worker for what is quick."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings, self.limits, self.store = settings, settings.limits, store
        self.statuses: dict[int, int] = {}  # how often each was sent
        self.helper = Worker(settings.limits)
        self.catalogue: Catalogue
        self.foreman: Foreman

    async def start(self) -> None:
        """Finds out what there is to offer, and begins to work; what an earlier server left comes first."""
        try:
            found = await self.helper.ask("catalogue", names=list(self.settings.weights))
        except WorkerFailed:
            await self.helper.kill()
            raise
        self.catalogue = Catalogue.of(found)
        self.openapi = describe(self.catalogue, self.settings)
        self.store.recover()
        paths = {name: each["path"] for name, each in self.catalogue.weights.items()}
        self.foreman = Foreman(self.store, self.limits, paths, self.settings.workers)
        self.foreman.start()

    async def stop(self) -> None:
        await self.foreman.stop()
        await self.helper.kill()
        self.store.close()

    # What there is

    async def health(self, request: Request) -> Response:
        jobs = {state: self.store.count(state) for state in UNFINISHED}
        return JSONResponse({"status": "ok", "version": __version__, "jobs": jobs})

    async def metrics(self, request: Request) -> Response:
        workers = [self.helper, *self.foreman.workers]
        text = metrics_text(self.store, self.foreman.tally, self.statuses, sum(each.starts for each in workers))
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4")

    async def schema(self, request: Request) -> Response:
        return JSONResponse(self.openapi)

    async def offer(self, request: Request) -> Response:
        """Weights, samples, formats and limits: what a page needs to know."""
        weights = [
            {key: value for key, value in each.items() if key != "path"} for each in self.catalogue.weights.values()
        ]
        return JSONResponse(
            {
                "weights": weights,
                "samples": list(self.catalogue.samples.values()),
                "clouds": self.catalogue.clouds,
                "pictures": self.catalogue.pictures,
                "written": [suffix[1:] for suffix in self.catalogue.written],
                "limits": {"upload_bytes": self.limits.upload_bytes, "points": self.limits.points},
            }
        )

    # Submitting

    async def submit(self, request: Request) -> Response:
        """A file, as the body of the request."""
        task = request.path_params["task"]
        if task not in self.catalogue.tasks():
            raise Refused(404, f"there are no weights for {task[:50]!r}")
        order = self.catalogue.uploaded(task, request.query_params)
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != BYTES:
            raise Refused(415, f"the file must come as the body of the request, as {BYTES}")
        job = self._reserve(request, order, declared_size(request, self.limits), "uploading")
        try:
            await receive_file(request, self.store.place(job) / f"input{order.suffix}", self.limits)
        except BaseException:
            self.store.delete(job.id)
            raise
        self.store.measure(job.id)
        self.store.change(job.id, state="queued")
        return self._accepted(job.id)

    async def submit_sample(self, request: Request) -> Response:
        sample = request.path_params["sample"]
        if sample not in self.catalogue.samples or not self.catalogue.weights_for(
            self.catalogue.samples[sample]["task"]
        ):
            raise Refused(404, f"there is no sample {sample[:50]!r}")
        order = self.catalogue.made(sample, request.query_params)
        return self._accepted(self._reserve(request, order, 0, "queued").id)

    def _reserve(self, request: Request, order: Order, size: int, state: State) -> Job:
        client = request.client.host if request.client else ""
        if self.store.count(*UNFINISHED, client=client) >= self.limits.per_client:
            raise Refused(429, f"you have {self.limits.per_client} unfinished jobs, wait for one", RETRY_AFTER)
        if self.store.count(*UNFINISHED) >= self.limits.queue:
            raise Refused(503, f"{self.limits.queue} jobs wait already, come back later", RETRY_AFTER)
        if self.store.make_room(results=self.limits.results, disk_bytes=self.limits.disk_bytes - size):
            raise Refused(507, "the unfinished jobs take all the disk that this server may use", RETRY_AFTER)
        job = self.store.add(client, order, state)
        self.store.change(job.id, size=size)
        return job

    def _accepted(self, job_id: str) -> Response:
        self.foreman.announce()
        return JSONResponse(self._status(self._existing(job_id)), 202, {"Location": f"/api/jobs/{job_id}"})

    # One job

    async def one(self, request: Request) -> Response:
        """The status, or the end of it."""
        if request.method == "DELETE":
            return await self.delete(request)
        return JSONResponse(self._status(self._job(request)))

    async def events(self, request: Request) -> Response:
        """The status after every change, as server-sent events, until the job is finished."""
        job = self._job(request)

        async def lines() -> AsyncIterator[str]:
            async for now in self.foreman.watch(job.id):
                yield ": still here\n\n" if now is None else f"data: {json.dumps(self._status(now))}\n\n"

        return StreamingResponse(lines(), media_type="text/event-stream")

    async def result(self, request: Request) -> Response:
        return JSONResponse(self._done(request).facts)

    async def scene(self, request: Request) -> Response:
        """What the viewer draws."""
        return FileResponse(self.store.place(self._done(request)) / SCENE, media_type=BYTES)

    async def input(self, request: Request) -> Response:
        """The file as it was uploaded or made."""
        job = self._job(request)
        return FileResponse(self._given(job), media_type=BYTES, filename=job.order.name)

    async def preview(self, request: Request) -> Response:
        """What the viewer draws of the input, while its answer is not there yet."""
        job = self._job(request)
        self._given(job)
        return FileResponse(await self._made(job, "preview.bin", "preview"), media_type=BYTES)

    def _given(self, job: Job) -> Path:
        path = self.store.place(job) / f"input{job.order.suffix}"
        if job.state == "uploading" or not path.is_file():
            raise Refused(409, "the input is not there yet")
        return path

    async def answer(self, request: Request) -> Response:
        """The answer as a file of the format that the path names."""
        job, kind = self._done(request), request.path_params["format"]
        if f".{kind}" not in self.catalogue.written:
            raise Refused(404, f"answers are written as {', '.join(self.catalogue.written)}")
        path = await self._made(job, f"answer.{kind}", "convert")
        name = f"{PurePosixPath(job.order.name).stem}-answer.{kind}"
        return FileResponse(path, media_type=BYTES, filename=name)

    async def inspect(self, request: Request) -> Response:
        """Numbers of all heads of all blocks while the model worked on the input."""
        job = self._done(request)
        path = await self._made(job, "heads.json", "inspect")
        return FileResponse(path, media_type="application/json")

    async def heads(self, request: Request) -> Response:
        """The head inspector, for the viewer."""
        return FileResponse(await self._made(self._done(request), "heads.bin", "inspect"), media_type=BYTES)

    async def folding(self, request: Request) -> Response:
        """How the sphere became the shape, for the viewer."""
        return FileResponse(await self._made(self._done(request), "folding.bin", "inspect"), media_type=BYTES)

    async def _made(self, job: Job, name: str, action: str) -> Path:
        """A file in a job's folder that is made when someone first asks for it."""
        path = self.store.place(job) / name
        if not path.is_file():
            try:
                await self.helper.ask(action, place=str(path.parent), name=name, **self.foreman.asked(job))
            except WorkerFailed as error:
                raise Refused(409, str(error)) from error
            except asyncio.TimeoutError:
                raise Refused(503, "this takes longer than a job may", RETRY_AFTER) from None
            self._existing(job.id)  # it may have been deleted meanwhile
            self.store.measure(job.id)
        return path

    async def cancel(self, request: Request) -> Response:
        job = self._job(request)
        if job.state == "uploading":
            raise Refused(409, "the file is still being uploaded; break off that request instead")
        await self.foreman.cancel(job)
        return JSONResponse(self._status(self._existing(job.id)))

    async def delete(self, request: Request) -> Response:
        """Cancels the job if need be, and removes all of it."""
        job = self._job(request)
        if job.state == "uploading":
            raise Refused(409, "the file is still being uploaded; break off that request instead")
        await self.foreman.cancel(job)
        self.store.delete(job.id)
        self.foreman.announce()
        return Response(status_code=204)

    def _job(self, request: Request) -> Job:
        return self._existing(request.path_params["id"])

    def _existing(self, job_id: str) -> Job:
        job = self.store.get(job_id)
        if job is None:
            raise Refused(404, "there is no such job; it may have been deleted to make room for others")
        return job

    def _done(self, request: Request) -> Job:
        job = self._job(request)
        if job.state != "done":
            raise Refused(409, f"the job is {job.state}: {job.message}" if job.message else f"the job is {job.state}")
        return job

    def _status(self, job: Job) -> dict[str, Any]:
        progress = self.foreman.progress.get(job.id, Progress(step="waiting"))
        return {
            "id": job.id,
            "state": job.state,
            "task": job.order.task,
            "weights": job.order.weights,
            "name": job.order.name,
            "ahead": self.store.ahead_of(job) if job.state == "queued" else 0,
            "progress": 1.0 if job.state == "done" else progress.share,
            "step": progress.step if job.state in UNFINISHED else job.state,
            "message": job.message,
            "created": job.created,
            "started": job.started,
            "finished": job.finished,
        }


async def refuse(request: Request, error: Exception) -> Response:
    """The response to a request that is not done."""
    assert isinstance(error, Refused)
    await drain(request)
    return JSONResponse({"error": error.sentence}, error.status, error.headers)
