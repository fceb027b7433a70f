// The long form of tests that run small in the suite: damaged programs through the whole engine, by the thousand, captures in
// a row, and captures whose owner is killed.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./workspace.mjs";

const runs = process.argv[2] ?? "5000";
const files = ["packages/engine/test/damaged-files.test.ts", "packages/capture/test/many-captures.test.ts", "packages/capture/test/killed.test.ts"];
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const { status } = spawnSync(process.execPath, [vitest, "run", ...files, "--testTimeout", "86400000"], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, REA_FUZZ_RUNS: runs, REA_CAPTURE_ROUNDS: "200", REA_KILL_ROUNDS: "50" },
});
process.exitCode = status ?? 1;
