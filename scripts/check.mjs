// `pnpm check`: everything but the tests, as tasks that turbo skips while their inputs are unchanged.
import { ensureInstalled } from "./install.mjs";
import { runPnpm } from "./pnpm.mjs";
import { say } from "./say.mjs";

try {
  await ensureInstalled();
} catch (error) {
  say(error.message);
  process.exit(1);
}

Object.assign(process.env, { TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1", DO_NOT_TRACK: "1" });
const tasks = ["build", "typecheck", "lint", "boundaries", "dead-code", "docs", "packages"];
const options = ["--continue=always", "--concurrency=2", "--ui=stream", "--output-logs=new-only"];
// turbo starts the tasks with the package manager it finds on PATH; `pnpm exec` puts the pinned one there.
const { status } = runPnpm(["exec", "turbo", "run", ...tasks, ...options, "--log-order=grouped"], {
  stdio: ["ignore", "inherit", "inherit"],
});
console.log(status === 0 ? "check passed" : "check failed");
process.exitCode = status === 0 ? 0 : 1;
