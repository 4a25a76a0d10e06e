"""Programs that mypy checks with the package: what a type checker, and so an editor, knows of the public API."""
