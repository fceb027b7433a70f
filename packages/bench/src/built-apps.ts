import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Contender } from "./benchmark.js";

const root = join(import.meta.dirname, "..", "..", "..");
export const cliMain = join(root, "apps", "cli", "dist", "main.js");
export const serverMain = join(root, "apps", "mcp-server", "dist", "main.js");
export const startScript = join(root, "scripts", "start.mjs");

/** The contender, or the reason why it cannot run. */
export function needing(file: string, contender: Contender): Contender {
  return existsSync(file) ? contender : { ...contender, unavailable: `${file.split("/").pop() ?? file} is not there` };
}
