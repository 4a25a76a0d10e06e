"""What servers and their libraries complain about, as one sentence that names the URL and holds no secret.

Their own texts are not shown: they repeat addresses with signatures in them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from cloud_transformers.errors import InputError

_LIBRARIES = ("aiobotocore", "aiohttp", "botocore", "fsspec", "gcsfs", "google", "s3fs", "yarl")
_CHANGED = "was changed or replaced while it was being read; run it again"
_DENIED = "access is denied; see whether your credentials are those for it, and may do this"
_ENDPOINTS = {  # variables by scheme, those that count more first
    "s3": ("FSSPEC_S3_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"),
    "gs": ("FSSPEC_GS_ENDPOINT_URL", "STORAGE_EMULATOR_HOST"),
}


@contextmanager
def explained(url: object, task: str = "read") -> Iterator[None]:
    """Turns what goes wrong between here and a server into an `InputError`; our own mistakes stay what they are."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        if not (isinstance(error, (OSError, ValueError)) or _is_library(error)):
            raise
        # Not "from error": its text and its chain may show what the URL hides.
        raise InputError(sentence(error, task, endpoint_of(url)), path=url) from None


def is_missing(error: OSError) -> bool:
    """Whether the server answered, the bucket is there, and what was asked for is not in it."""
    return isinstance(error, FileNotFoundError) and sentence(error) == _no_such("file")


def sentence(error: BaseException, task: str = "read", endpoint: str = "") -> str:
    """What an exception means to a user; `task` is what could not be done: read, written, listed.

    `endpoint` is where requests go, in words, if that is not where the URL says.
    """
    cause = error.__cause__
    if isinstance(error, FileNotFoundError) and cause is not None and _is_library(cause) and not _response(cause):
        error = cause  # fsspec calls a web server that does not answer a missing file
    names = {each.__name__ for each in type(error).__mro__}
    status = getattr(error, "status", None)
    if isinstance(error, FileNotFoundError) or status in (404, 410):
        return _no_such("bucket" if "bucket" in str(error).lower() else "file")
    if "FileExpired" in names or status == 412:
        return _CHANGED
    if isinstance(error, PermissionError) or status in (401, 403):
        code = _response(cause).get("Code") or _response(error).get("Code") or status
        return f"{_DENIED} ({code})" if code else _DENIED
    if names & {"NoCredentialsError", "PartialCredentialsError", "ProfileNotFound", "DefaultCredentialsError"}:
        return (
            "no credentials were found; set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (for gs:// log "
            "in with gcloud); what is public is read with FSSPEC_S3_ANON=true"
        )
    if names & {"NonHttpUrlRedirectClientError", "InvalidUrlRedirectClientError"}:
        return "its server redirects to what is no web address, which is not followed"
    if "TooManyRedirects" in names:
        return "its server redirects in circles"
    if names & {"ClientConnectorCertificateError", "ClientSSLError", "SSLError", "SSLCertVerificationError"}:
        return "the certificate of its server is not trusted here"
    if isinstance(error, TimeoutError) or any(name.endswith(("TimeoutError", "Timeout")) for name in names):
        return f"its server did not answer in time{endpoint}; try again"
    if isinstance(error, ConnectionError) or any("Connect" in name or "HTTPClientError" in name for name in names):
        return f"its server could not be reached{endpoint}; look at the name and the network"
    if names & {"InvalidURL", "ParamValidationError"}:
        return "is no URL that could be asked for; look at its spelling"
    if isinstance(error, ValueError) and "endpoint" in str(error).lower():
        return f"the endpoint in your settings is no URL{endpoint}"
    if status is not None:
        return f"its server answered {status}; try again later"
    code = _response(cause).get("Code") or type(error).__name__
    return f"could not be {task} ({code})"


def _no_such(what: str) -> str:
    return f"there is no such {what}"


def _is_library(error: BaseException) -> bool:
    return type(error).__module__.split(".")[0] in _LIBRARIES


def _response(error: BaseException | None) -> dict[str, Any]:
    """The answer of an S3 server inside an exception of botocore's."""
    answer = getattr(error, "response", None)
    return answer.get("Error", {}) if isinstance(answer, dict) else {}


def endpoint_of(url: object) -> str:
    """Where requests go if not to the usual place, without a password in it."""
    for name in _ENDPOINTS.get(getattr(url, "scheme", ""), ()):
        if chosen := os.environ.get(name):
            parts = urlsplit(chosen)
            shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if parts.netloc else repr(parts.path)
            return f" ({name} is {shown})"
    return ""
