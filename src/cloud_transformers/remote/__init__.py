"""URLs in the place of paths: s3://, gs://, https://, http://, memory:// and file://, through fsspec.

Only what a user typed is ever taken for a URL: `located` makes a `Url` of text, and a `Path` that came from a file or a
folder never becomes one. There are three seams. Readers get a local copy, or the URL itself where they read in ranges
(`at_hand`); `files.whole_file` sends what was written (`upload`); verbs list folders and patterns as those of a disk.

Credentials and endpoints are those of the user's own configuration of fsspec, boto or gcloud.
"""

from cloud_transformers.remote.copies import at_hand, held_copy, holding, scratch_folder, scratch_in
from cloud_transformers.remote.sending import require_writable, upload
from cloud_transformers.remote.url import Url, as_url, is_url, located

__all__ = [
    "Url",
    "as_url",
    "at_hand",
    "held_copy",
    "holding",
    "is_url",
    "located",
    "require_writable",
    "scratch_folder",
    "scratch_in",
    "upload",
]
