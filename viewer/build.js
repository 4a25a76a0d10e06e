// Builds the bundle into the Python package, with the licence of what is in it.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";

const target = new URL("../src/cloud_transformers/viewer/static/", import.meta.url).pathname;

await build({
  entryPoints: ["src/index.js"],
  outfile: `${target}viewer.js`,
  bundle: true,
  minify: true,
  format: "iife",
  globalName: "CloudViewer",
  target: "es2022",
  legalComments: "inline",
});
await build({ entryPoints: ["src/viewer.css"], outfile: `${target}viewer.css`, minify: true });

const { version } = JSON.parse(readFileSync("node_modules/three/package.json", "utf8"));
const licence = readFileSync("node_modules/three/LICENSE", "utf8");
writeFileSync(`${target}LICENSES.txt`, `viewer.js contains parts of three.js ${version}:\n\n${licence}`);
