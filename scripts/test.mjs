// `npm test [-- filters]`: set up, build, run every test; the last line is `N passed, N failed, N skipped`.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBundled } from "./ensure-bundled.mjs";
import { ensureInstalled } from "./install.mjs";
import { say } from "./say.mjs";
import { root } from "./workspace.mjs";

try {
  await ensureInstalled();
} catch (error) {
  say(error.message);
  console.log("0 passed, 1 failed, 0 skipped");
  process.exit(1);
}
const failures = [];

// The tests import sources, but the engine's worker thread and the README examples run from dist.
say("compiling");
const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
if (spawnSync(process.execPath, [tsc, "-b", "tsconfig.build.json"], { cwd: root, stdio: "inherit" }).status !== 0) {
  failures.push("the TypeScript build");
}

try {
  await ensureBundled();
} catch (error) {
  say(error.message);
  failures.push("the bundle");
}

// Logs and pipes get plain text.
if (!process.stdout.isTTY) process.env.NO_COLOR = "1";

const { startVitest } = await import("vitest/node");
const { TestSummary } = await import("./test-summary.mjs");
const summary = new TestSummary();
// vitest reads its configuration from the working directory.
process.chdir(root);
const vitest = await startVitest("test", process.argv.slice(2), { run: true, watch: false, reporters: [summary] });
await vitest.close();

for (const failure of failures) console.log(`FAILED ${failure}`);
const { passed, skipped } = summary;
const failed = summary.failed + failures.length;
if (passed + failed === 0) console.log("no test ran");
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
