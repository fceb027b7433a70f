import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";

const packer = path.join(path.dirname(createRequire(import.meta.url).resolve("@electron/asar/package.json")), "bin/asar.js");

/**
 * Packs a directory with Electron's own tool, in a process of its own: the tool says that it is done before its stream is, and a
 * process ends when everything is written.
 */
export function packAsar(source: string, archive: string, ...options: readonly string[]): void {
  execFileSync(process.execPath, [packer, "pack", source, archive, ...options]);
}
