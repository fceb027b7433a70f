import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface BridgeFile {
  /** Relative to the scripts' directory, with `/`. */
  readonly path: string;
  readonly content: Buffer;
}

/** Beside the bundled program, or beside the package's sources. */
const places = ["./ghidra-bridge/", "../../bridge/", "../bridge/"];

/** The bridge script with its classes, as the package brings them. Throws when the package is not whole. */
export function bridgeFiles(): readonly BridgeFile[] {
  for (const place of places) {
    const directory = fileURLToPath(new URL(place, import.meta.url));
    const files = javaFiles(directory, "");
    if (files.length > 0) return files;
  }
  throw new Error("the bridge's sources are missing from this package");
}

function javaFiles(directory: string, under: string): BridgeFile[] {
  return entriesOf(join(directory, under)).flatMap((entry) => {
    const path = under === "" ? entry.name : `${under}/${entry.name}`;
    if (entry.isDirectory()) return javaFiles(directory, path);
    return entry.name.endsWith(".java") ? [{ path, content: readFileSync(join(directory, path)) }] : [];
  });
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
