// The long form of tests that run small in the suite: damaged programs through the whole engine, by the thousand.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./workspace.mjs";

const runs = process.argv[2] ?? "5000";
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const { status } = spawnSync(process.execPath, [vitest, "run", "packages/engine/test/damaged-files.test.ts", "--testTimeout", "86400000"], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, REA_FUZZ_RUNS: runs },
});
process.exitCode = status ?? 1;
