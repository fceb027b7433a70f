import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Beside the bundled program, or beside the package's sources and its build. */
const places = ["./hopper-bridge/", "../../bridge/", "../bridge/"];

/** The directory that holds the bridge's Python package. Throws when this package is not whole. */
export function bridgeDirectory(): string {
  for (const place of places) {
    const directory = fileURLToPath(new URL(place, import.meta.url));
    if (existsSync(join(directory, "rea_hopper", "start.py"))) return directory;
  }
  throw new Error("the bridge's Python package is missing from this package");
}
