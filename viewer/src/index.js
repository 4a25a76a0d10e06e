// The global `CloudViewer` of the bundle; the contract is in src/cloud_transformers/viewer/__init__.py.
import { element } from "./dom.js";
import { decode, parse } from "./scene.js";
import { Viewer } from "./viewer.js";

export { decode, parse };

/** Fills an element with a viewer of the scene. The `options` are those of a Viewer. */
export function mount(root, scene, options) {
  root.cloudViewer = new Viewer(root, scene, options);
  return root.cloudViewer;
}

/** Buttons with data-cloud-viewer="ID" open a dialog with the scene of <script id="ID">. */
export function dialogs() {
  for (const opener of document.querySelectorAll("[data-cloud-viewer]"))
    opener.addEventListener("click", () => {
      const place = element("div", { class: "cv-in-dialog" });
      const close = element("button", { type: "button", class: "cv-close", "aria-label": "Close the 3D view" }, "×");
      const dialog = element("dialog", { class: "cv-dialog", "aria-label": opener.getAttribute("aria-label") ?? opener.textContent }, close, place);
      document.body.append(dialog);
      dialog.showModal();
      const viewer = mount(place, decode(opener.dataset.cloudViewer));
      close.addEventListener("click", () => dialog.close());
      dialog.addEventListener("close", () => {
        viewer.dispose();
        dialog.remove();
      });
    });
}
