// Makes sure that dependencies and bundle are current, then becomes the CLI: same process, the user's directory and argv.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureBundled } from "./ensure-bundled.mjs";
import { ensureInstalled } from "./install.mjs";
import { say } from "./say.mjs";
import { root } from "./workspace.mjs";

export async function runCli(args) {
  try {
    await ensureInstalled();
    await ensureBundled();
  } catch (error) {
    say(error.message);
    process.exitCode = 1;
    return;
  }
  // npm runs scripts in the package root; paths on the command line are relative to where the user is.
  if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
  const main = join(root, "apps", "cli", "dist", "main.js");
  process.argv = [process.argv[0], main, ...args];
  await import(pathToFileURL(main).href);
}
