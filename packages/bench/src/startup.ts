import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Benchmark, Contender } from "./benchmark.js";

const root = join(import.meta.dirname, "..", "..", "..");
const cli = join(root, "apps", "cli", "dist", "main.js");
const start = join(root, "scripts", "start.mjs");
const server = join(root, "apps", "mcp-server", "dist", "main.js");

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
};

/** Start-up of the built commands against a Node process that does nothing. */
export const startup: Benchmark = {
  name: "start-up",
  rounds: 9,
  reference: { label: "node -e 0", run: () => finish(["-e", "0"], "") },
  contenders: [
    built(cli, { label: "rea --version", run: () => finish([cli, "--version"], "") }),
    built(cli, { label: "npm start's script, --version", run: () => finish([start, "--version"], "") }),
    built(server, { label: "rea-mcp, initialize", run: () => answer(`${JSON.stringify(initialize)}\n`) }),
  ],
};

function built(file: string, contender: Contender): Contender {
  return existsSync(file) ? contender : { ...contender, unavailable: "not built" };
}

function finish(args: readonly string[], input: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ["pipe", "ignore", "inherit"] });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${args.join(" ")} ended with exit code ${code}`));
    });
    child.stdin.end(input);
  });
}

/** Until the first answer; the server's orderly end is not part of the measurement but waited for. */
function answer(request: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [server], { stdio: ["pipe", "pipe", "ignore"] });
    child.on("error", reject);
    child.stdout.once("data", () => {
      resolve();
      child.stdin.end();
    });
    child.on("close", () => reject(new Error("the server ended before it answered")));
    child.stdin.write(request);
  });
}
