// Builds the bundle into the Python package, with the licence of what is in it.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const target = new URL("../src/cloud_transformers/viewer/static/", import.meta.url).pathname;

// A test compares it with the sources, so that no change of theirs stays out of the bundle.
const sources = createHash("sha256");
for (const name of ["package-lock.json", ...readdirSync("src").sort().map((name) => `src/${name}`)]) sources.update(readFileSync(name));

await build({
  entryPoints: ["src/index.js"],
  outfile: `${target}viewer.js`,
  bundle: true,
  minify: true,
  format: "iife",
  globalName: "CloudViewer",
  target: "es2022",
  legalComments: "inline",
  banner: { js: `// sources ${sources.digest("hex")}` },
});
await build({ entryPoints: ["src/viewer.css"], outfile: `${target}viewer.css`, minify: true });

const { version } = JSON.parse(readFileSync("node_modules/three/package.json", "utf8"));
const licence = readFileSync("node_modules/three/LICENSE", "utf8");
writeFileSync(`${target}LICENSES.txt`, `viewer.js contains parts of three.js ${version}:\n\n${licence}`);
