"""The API in OpenAPI 3.1, and exact: what the description allows is accepted, what it forbids is refused."""

from __future__ import annotations

from typing import Any

from cloud_transformers import __version__
from cloud_transformers.serve.catalogue import AXES, MOST_SEED, Catalogue
from cloud_transformers.serve.jobs import FINISHED, ID_PATTERN, UNFINISHED
from cloud_transformers.serve.settings import Settings

Schema = dict[str, Any]

TEXT, NUMBER, COUNT = {"type": "string"}, {"type": "number"}, {"type": "integer", "minimum": 0}
MAYBE_TEXT, MAYBE_NUMBER = {"type": ["string", "null"]}, {"type": ["number", "null"]}


def _object(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _named(schema: str) -> Schema:
    return {"$ref": f"#/components/schemas/{schema}"}


def _json(description: str, schema: Schema) -> Schema:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _bytes(description: str) -> Schema:
    return {"description": description, "content": {"application/octet-stream": {"schema": {}}}}


SCHEMAS = {
    "Error": _object(error=TEXT),
    "Job": _object(
        id={"type": "string", "pattern": ID_PATTERN},
        state={"enum": [*UNFINISHED, *FINISHED]},
        task=TEXT,
        weights=TEXT,
        name=TEXT,
        ahead={**COUNT, "description": "Jobs that come before this one."},
        progress={"type": "number", "minimum": 0, "maximum": 1},
        step={**TEXT, "description": "What is being done, in words."},
        message={**MAYBE_TEXT, "description": "Why the job failed, in a sentence."},
        created={**NUMBER, "description": "Seconds since 1970, as all times."},
        started=MAYBE_NUMBER,
        finished=MAYBE_NUMBER,
    ),
    "Result": _object(
        points=COUNT,
        fields=_list(TEXT),
        label={**MAYBE_TEXT, "description": "The class of the whole cloud, of classification."},
        classes=_list(
            {
                "type": "object",
                "properties": {
                    "name": TEXT,
                    "points": COUNT,
                    "probability": {"type": "number", "minimum": 0, "maximum": 1},
                },
                "required": ["name"],
                "additionalProperties": False,
            }
        ),
        notes=_list(TEXT),
        seconds=NUMBER,
    ),
    "Offer": _object(
        weights=_list(_object(name=TEXT, task=TEXT, classes=_list(TEXT), score=TEXT, card=TEXT)),
        samples=_list(_object(name=TEXT, title=TEXT, task=TEXT, suffix=TEXT)),
        clouds=_list(TEXT),
        pictures=_list(TEXT),
        written=_list(TEXT),
        limits=_object(upload_bytes=COUNT, points=COUNT),
    ),
    "Heads": _object(
        notes=_list(TEXT),
        blocks=_list(_object(part=TEXT, block=COUNT, cascade=COUNT, heads=_list({"type": "object"}))),
    ),
    "Health": _object(status={"const": "ok"}, version=TEXT, jobs=_object(**dict.fromkeys(UNFINISHED, COUNT))),
}

# status -> when it is sent
ERRORS = {
    400: "The request is not understood.",
    401: "The token is missing or wrong.",
    403: "A page of another origin asks.",
    404: "There is no such thing.",
    408: "The upload took too long.",
    409: "The job is not so far, or has failed; or the format cannot hold its answer.",
    413: "The file is too large.",
    415: "The file comes in another content type.",
    421: "The server is not known by this name.",
    429: "Too many unfinished jobs of one client.",
    503: "The queue is full.",
    507: "The disk budget is used up.",
}
ALWAYS = (401, 403, 421)


def _errors(*statuses: int) -> Schema:
    return {str(status): _json(ERRORS[status], _named("Error")) for status in sorted({*statuses, *ALWAYS})}


def describe(catalogue: Catalogue, settings: Settings) -> Schema:
    """The description of a server with these weights, formats and samples."""
    secured: Schema = {"security": [{"token": []}]} if settings.token is not None else {}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "cloud-transformers",
            "version": __version__,
            "description": "Segments, classifies, completes and reconstructs point clouds.",
        },
        "paths": {**_general(), **_submitting(catalogue), **_jobs(catalogue)},
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        **secured,
    }


def _general() -> Schema:
    return {
        "/api/health": _get("health", "Whether the server works", _json("It does.", _named("Health")), security=[]),
        "/api/offer": _get("offer", "Weights, samples, formats, limits", _json("All of them.", _named("Offer"))),
        "/metrics": _get(
            "metrics",
            "Counters for Prometheus",
            {"description": "Text.", "content": {"text/plain": {"schema": TEXT}}},
        ),
    }


def _get(name: str, summary: str, found: Schema, *errors: int, **more: Any) -> Schema:
    return {"get": {"operationId": name, "summary": summary, "responses": {"200": found, **_errors(*errors)}, **more}}


def _query(name: str, schema: Schema, description: str, *, required: bool = False) -> Schema:
    return {"name": name, "in": "query", "required": required, "schema": schema, "description": description}


def _weights(catalogue: Catalogue, task: str) -> Schema:
    names = catalogue.weights_for(task)
    return _query("weights", {"enum": names}, f"Which weights answer; {names[0]} unless another is named.")


def _submitting(catalogue: Catalogue) -> Schema:
    accepted: Schema = {
        **_json("The job is in the queue.", _named("Job")),
        "headers": {"Location": {"required": True, "schema": TEXT}},
        "links": {
            operation: {"operationId": operation, "parameters": {"id": "$response.body#/id"}}
            for operation in (
                "status",
                "events",
                "result",
                "answer",
                "scene",
                "input",
                "preview",
                "inspect",
                "cancel",
                "delete",
            )
        },
    }
    paths: Schema = {}
    for task in catalogue.tasks():
        paths[f"/api/tasks/{task}"] = {
            "post": {
                "operationId": f"submit_{task}",
                "summary": f"Submit a file for {task}",
                "parameters": [
                    _query(
                        "name",
                        {"type": "string", "pattern": catalogue.name_pattern(task)},
                        "The name of the file; its suffix says the format.",
                        required=True,
                    ),
                    _weights(catalogue, task),
                    _query("up", {"enum": list(AXES)}, "The axis that points up."),
                ],
                "requestBody": {"required": True, "content": {"application/octet-stream": {"schema": {}}}},
                "responses": {"202": accepted, **_errors(400, 408, 413, 415, 429, 503, 507)},
            }
        }
    for name, sample in catalogue.samples.items():
        if catalogue.weights_for(sample["task"]):
            paths[f"/api/samples/{name}"] = {
                "post": {
                    "operationId": f"sample_{name}",
                    "summary": f"{sample['title']}, made on the spot, for {sample['task']}",
                    "parameters": [
                        _weights(catalogue, sample["task"]),
                        _query("seed", {"type": "integer", "minimum": 0, "maximum": MOST_SEED}, "Which one is made."),
                    ],
                    "responses": {"202": accepted, **_errors(400, 429, 503, 507)},
                }
            }
    return paths


def _jobs(catalogue: Catalogue) -> Schema:
    job = {"name": "id", "in": "path", "required": True, "schema": {"type": "string", "pattern": ID_PATTERN}}
    kinds = [suffix[1:] for suffix in catalogue.written]
    kind = {"name": "format", "in": "path", "required": True, "schema": {"enum": kinds}}
    status = _json("The job.", _named("Job"))
    event = {"type": "object", "properties": {"data": {**TEXT, "contentMediaType": "application/json"}}}
    events = {"description": "A job after every change.", "content": {"text/event-stream": {"schema": event}}}
    one = _get("status", "How far a job is", status, 404)
    one["delete"] = {
        "operationId": "delete",
        "summary": "Cancel a job and remove all of it",
        "responses": {"204": {"description": "It is gone."}, **_errors(404, 409)},
    }
    cancel = {
        "operationId": "cancel",
        "summary": "Stop a job that waits or runs; of one that is finished nothing changes",
        "responses": {"200": status, **_errors(404, 409)},
    }
    paths = {
        "": one,
        "/events": _get("events", "The job's status as server-sent events, until it is finished", events, 404),
        "/cancel": {"post": cancel},
        "/result": _get("result", "What there is to say of the answer", _json("It.", _named("Result")), 404, 409),
        "/scene": _get("scene", "What the viewer draws", _bytes("Header and arrays."), 404, 409),
        "/input": _get("input", "The file that was given", _bytes("The file."), 404, 409),
        "/preview": _get("preview", "What the viewer draws of the input", _bytes("Header and arrays."), 404, 409, 503),
        "/inspect": _get(
            "inspect", "Numbers of all heads of all blocks", _json("Them.", _named("Heads")), 404, 409, 503
        ),
        "/heads": _get("heads", "The head inspector, for the viewer", _bytes("Header and arrays."), 404, 409, 503),
        "/folding": _get("folding", "The sphere's way to the shape, for the viewer", _bytes("It."), 404, 409, 503),
        "/answer/{format}": _get("answer", "The answer as a file", _bytes("The file."), 404, 409, 503),
    }
    for ending, path in paths.items():
        path["parameters"] = [job, kind] if "{format}" in ending else [job]
    return {f"/api/jobs/{{id}}{ending}": path for ending, path in paths.items()}
