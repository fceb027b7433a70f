// Runs the pinned pnpm through npx, so that nobody has to install it.
import { spawnSync } from "node:child_process";
import { readManifest, root } from "./workspace.mjs";

const { packageManager } = readManifest(".");

/** Runs `pnpm …args`; returns `{ status, output }`. `stdio: "inherit"` shows the output instead of collecting it. */
export function runPnpm(args, { cwd = root, stdio = ["ignore", "pipe", "pipe"] } = {}) {
  const [command, first] = npx();
  const result = spawnSync(command, [...first, packageManager, ...args], {
    cwd,
    stdio,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === "win32" && command.startsWith("np"),
  });
  if (result.error) throw result.error;
  return { status: result.status ?? 1, output: `${result.stdout ?? ""}${result.stderr ?? ""}` };
}

function npx() {
  const [command, first] = npmCommand();
  return command === "npm" ? ["npx", ["--yes"]] : [command, [...first, "exec", "--yes", "--"]];
}

/** Under `npm start` and `npm test`, npm tells where it lives; that copy is used, whatever PATH says. */
export function npmCommand() {
  const npm = process.env.npm_execpath;
  return npm?.endsWith("npm-cli.js") ? [process.execPath, [npm]] : ["npm", []];
}
