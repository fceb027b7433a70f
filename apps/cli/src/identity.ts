import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Who this installation is, as `binary_session` and annotations name it. */
export const identity = {
  package_name: "@rea/cli",
  package_version: process.env.REA_PACKAGE_VERSION ?? "0.0.0",
  server_path: process.argv[1] ?? fileURLToPath(import.meta.url),
};

/** Digest of the engine's sources, which the build puts here; analyses are kept only under it. */
export const engineBuild = process.env.REA_ENGINE_BUILD;

/** Text of the catalogue the build wrote beside this bundle. */
export function catalogueText(): string {
  return readFileSync(new URL("./catalogue.json", import.meta.url), "utf8");
}
