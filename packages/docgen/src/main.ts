import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createNativeProvider } from "@rea/engine";
import { createLauncher } from "@rea/lineage";
import { createGhidraProvider } from "@rea/provider-ghidra";
import { createHopperProvider } from "@rea/provider-hopper";
import { toMarkdown } from "@rea/tool";
import { tools } from "@rea/tools";
import { errorsPage } from "./errors-page.js";
import { formatsPage } from "./formats-page.js";
import { providersPage } from "./providers-page.js";
import { scenarioPages } from "./scenario-page.js";
import { referencePage, type ReferencePage } from "./reference-page.js";

const directory = join(import.meta.dirname, "..", "..", "..", "docs", "reference");
// Only described, never asked to open or start anything.
const engines = { env: {}, launcher: createLauncher() };
const native = createNativeProvider({ stateDirectory: directory, clientName: "docgen", clientVersion: "0" });
const pages: readonly ReferencePage[] = [
  referencePage("tools.md", toMarkdown(tools)),
  errorsPage(),
  await formatsPage(),
  providersPage([createGhidraProvider(engines), createHopperProvider(engines), native]),
  ...scenarioPages(),
];

if (process.argv.includes("--check")) check();
else write();

function write(): void {
  mkdirSync(directory, { recursive: true });
  for (const { name, text } of pages) writeFileSync(join(directory, name), text);
}

function check(): void {
  const stale = pages.filter(({ name, text }) => committed(name) !== text);
  for (const { name } of stale) console.log(`docs/reference/${name} differs from the definitions; run pnpm docs:write`);
  if (stale.length > 0) process.exitCode = 1;
}

function committed(name: string): string | null {
  try {
    return readFileSync(join(directory, name), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
