// The long form of tests that run small in the suite: `pnpm soak [NAME] [RUNS]`. Damaged programs go through the whole
// engine and damaged archives of every format are read, by the thousand; extractions are killed and cancelled, and captures
// made in a row and killed, by the hundred.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./workspace.mjs";

const entries = {
  // Random programs are taken apart function by function, written as C and built again.
  pseudocode: { test: "packages/engine/test/rebuild/random-programs.test.ts", variable: "REA_FUZZ_RUNS", often: "500" },
  csmith: { test: "packages/engine/test/rebuild/csmith-programs.test.ts", variable: "REA_FUZZ_RUNS", often: "200" },
  // Each small function by each compiler at each level.
  functions: { test: "packages/engine/test/rebuild/small-functions.test.ts", variable: "REA_SMALL_FUNCTIONS", often: "1" },
  programs: { test: "packages/engine/test/damaged-files.test.ts", variable: "REA_FUZZ_RUNS", often: "5000" },
  // Each sample is cut so often, and changed so often.
  archives: { test: "packages/artifact/test/soak/damaged-archives.test.ts", variable: "REA_FUZZ_RUNS", often: "5000" },
  // Random ordinary archives, and as many damaged ones, as tar-stream and the engine read them.
  tar: { test: "packages/artifact/test/tar/tar-streaming.test.ts", variable: "REA_FUZZ_RUNS", often: "10000" },
  // Killed so often, and cancelled so often. Needs the built library.
  threads: { test: "packages/artifact/test/reading/threads.test.ts", variable: "REA_FUZZ_RUNS", often: "1000" },
  inventories: { test: "packages/artifact/test/reading/threads.test.ts", variable: "REA_INVENTORIES", often: "200" },
  interruptions: { test: "packages/artifact/test/soak/interrupted-extraction.test.ts", variable: "REA_INTERRUPTIONS", often: "200" },
  captures: { test: "packages/capture/test/many-captures.test.ts", variable: "REA_CAPTURE_ROUNDS", often: "200" },
  // The one who captures is killed.
  kills: { test: "packages/capture/test/killed.test.ts", variable: "REA_KILL_ROUNDS", often: "50" },
  cycles: { test: "packages/lineage/test/kit/cycles.test.ts", variable: "REA_ENGINE_ROUNDS", often: "500" },
  // Needs a JDK.
  ghidra: { test: "packages/provider-ghidra/test/cycles.test.ts", variable: "REA_GHIDRA_ROUNDS", often: "500" },
  // Targets that are opened, asked and closed with an engine of their own, and cancelled at random.
  sessions: { test: "packages/runtime/test/engine-session.test.ts", variable: "REA_SESSION_ROUNDS", often: "500" },
};

const words = process.argv.slice(2);
const runs = words.find((word) => /^\d+$/.test(word));
const name = words.find((word) => word !== runs);
const chosen = Object.entries(entries).filter(([entry]) => name === undefined || entry === name);
if (chosen.length === 0) throw new Error(`There is no soak of that name; there are ${Object.keys(entries).join(", ")}.`);

const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
for (const [entry, { test, variable, often }] of chosen) {
  console.log(`${entry}: ${runs ?? often} runs`);
  const { status } = spawnSync(process.execPath, [vitest, "run", test, "--testTimeout", "86400000"], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, [variable]: runs ?? often },
  });
  if (status !== 0) process.exitCode = status ?? 1;
}
