"""ARRAYS -> A PAGE THAT TURNS: one viewer for files, notebooks, reports, the head inspector and the server.

A `Scene` holds what is shown: one or more clouds in a common frame, classes, notes. `Scene.of` makes one of clouds.

    scene = Scene.of({"room.ply": cloud})
    scene.to_bytes()                      what the viewer is fed with: header and arrays in one piece
    page(scene)                           the text of an .html page that needs nothing else
    embedded("a", scene), bundle()        a button with a dialog, for pages of another kind
    asset("viewer.js")                    a file of the bundle, for a server

How a page uses the bundle (`static/viewer.js` defines a global, `static/viewer.css` goes with it; no request is made):

    const scene = CloudViewer.parse(arrayBuffer)             of scene.to_bytes(), fetched or decoded
    const viewer = CloudViewer.mount(element, scene)         fills the element, which needs a height; {byCard: false} as
                                                             a third argument draws without WebGL, as it does by itself
                                                             where there is no graphics card
    viewer.show(otherScene); viewer.dispose()
    element.addEventListener("cloudviewer:pick", event => event.detail)   {cloud, row, position, label, ...}
    CloudViewer.dialogs()                                    buttons with data-cloud-viewer="ID" open a dialog with the
                                                             scene that <script id="ID"> holds in base64

The bytes: 8 of magic, "CTVIEW01"; the header's length as a little-endian uint32; the header, JSON in UTF-8, padded with
blanks so that the data behind it begins at a multiple of 8. `packing` has the header's fields. Points come in an order
whose every beginning is spread evenly over the file: what is thinned, or drawn while the camera moves, is a beginning.
Positions have 16 bits per axis by default: a 65,535th of the cloud's extent. JavaScript sources and their build are in
the folder viewer/ of the repository.

This part knows arrays only, so that everything else, `PointCloud.show` included, may use it.
"""

from cloud_transformers.viewer.packing import Start
from cloud_transformers.viewer.pages import Page, asset, bundle, embedded, page, save, show
from cloud_transformers.viewer.scene import Points, Scene, ShownCloud

__all__ = ["Page", "Points", "Scene", "ShownCloud", "Start", "asset", "bundle", "embedded", "page", "save", "show"]
