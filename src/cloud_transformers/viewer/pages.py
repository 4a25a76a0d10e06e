"""Pages with a viewer in them: one file that works from disk, and what a notebook shows."""

from __future__ import annotations

import base64
import html
from functools import cache
from importlib.resources import files
from pathlib import Path

from markupsafe import Markup

from cloud_transformers.pages import filled, save_page
from cloud_transformers.remote import located
from cloud_transformers.viewer.scene import Points, Scene

NOTEBOOK_POINTS = 200_000  # they become part of the notebook's file: 3 MB
NOTEBOOK_HEIGHT = 560


@cache
def asset(name: str) -> str:
    """A file of the bundle: "viewer.js", "viewer.css" or "LICENSES.txt"."""
    return (files("cloud_transformers.viewer") / "static" / name).read_text(encoding="utf-8")


def _parts() -> dict[str, str]:
    return {"script": asset("viewer.js"), "style": asset("viewer.css")}


def encoded(scene: Scene) -> str:
    """The scene's bytes in base64, as pages hold them."""
    return base64.b64encode(scene.to_bytes()).decode()


def page(scene: Scene) -> str:
    """One HTML page that shows the scene and needs nothing else; it asks no host for anything."""
    return filled("cloud_transformers.viewer", "page.html", title=scene.title, data=encoded(scene), **_parts())


def save(path: Path, scene: Scene) -> None:
    """The page of a `scene` as a file, written whole or not at all."""
    save_page(path, page(scene))


def embedded(name: str, scene: Scene) -> Markup:
    """For a page of another kind: a button that opens a dialog with the `scene`, by a `name` that the page has once."""
    values = {"id": f"scene-{name}", "title": scene.title, "data": encoded(scene)}
    return Markup(filled("cloud_transformers.viewer", "embedded.html", **values))


def bundle() -> Markup:
    """What such a page needs at its end, behind all that is `embedded`."""
    return Markup(
        filled("cloud_transformers.viewer", "bundle.html", script=asset("viewer.js"), style=asset("viewer.css"))
    )


class Page:
    """A scene that notebooks (Jupyter, VS Code) show by themselves; elsewhere it is saved or opened."""

    def __init__(self, scene: Scene, height: int = NOTEBOOK_HEIGHT) -> None:
        """`height` is that of the frame in a notebook, in pixels."""
        self.scene = scene
        self.height = height

    def __repr__(self) -> str:
        clouds = ", ".join(f"{cloud.name}: {len(cloud.positions):,} points" for cloud in self.scene.clouds)
        return f"Page({clouds}); notebooks show it, elsewhere .save(path) writes it and .open() opens a browser"

    def _repr_html_(self) -> str:
        text = html.escape(page(self.scene), quote=True)
        title = html.escape(self.scene.title, quote=True)
        return (
            f'<iframe srcdoc="{text}" title="{title}" sandbox="allow-scripts allow-downloads" '
            f'style="width:100%;height:{self.height}px;border:0"></iframe>'
        )

    def save(self, path: str | Path) -> None:
        """Writes the page to a file, whole or not at all."""
        save(located(path), self.scene)

    def open(self) -> Path:
        """Opens the page in the browser, from a temporary file, whose path is returned."""
        import tempfile
        import webbrowser

        path = Path(tempfile.mkdtemp(prefix="cloudt-")) / "view.html"
        self.save(path)
        webbrowser.open(path.as_uri())
        return path


def show(clouds: dict[str, Points], **settings: object) -> Page:
    """A page of `clouds` by their names; the `settings` are those of `Scene.of`, and `height` in pixels.

    >>> ct.viewer.show({"three points": ct.PointCloud(positions=np.eye(3, dtype=np.float32))})
    Page(three points: 3 points); notebooks show it, elsewhere .save(path) writes it and .open() opens a browser
    """
    height = settings.pop("height", NOTEBOOK_HEIGHT)
    settings.setdefault("points", NOTEBOOK_POINTS)
    return Page(Scene.of(clouds, **settings), int(str(height)))  # type: ignore[arg-type]
