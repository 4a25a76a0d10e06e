"""What some tests need and not every machine has: they are skipped, and say why."""

import pytest

from cloud_transformers import native

needs_compiler = pytest.mark.skipif(native.find_compiler() is None, reason="no C++ compiler on this machine")
