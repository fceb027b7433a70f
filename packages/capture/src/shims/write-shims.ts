import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ShimRoute } from "@rea/core";

/** What every shim becomes: it asks the ledger what to do, does it, and answers like a command that is not there when nobody knows. */
const script = `
const [url, name, ...args] = process.argv.slice(2);
const { setTimeout: sleep } = require("node:timers/promises");
const { request } = require("node:http");
const ask = () => new Promise((resolve, reject) => {
  const out = request(url, { method: "POST", agent: false }, (answer) => {
    let text = "";
    answer.setEncoding("utf8");
    answer.on("data", (part) => (text += part));
    answer.on("end", () => (answer.statusCode === 200 ? resolve(JSON.parse(text)) : reject(new Error("refused"))));
  });
  out.on("error", reject);
  out.end(JSON.stringify({ name, arguments: args }));
});
const say = (stream, data) => new Promise((resolve) => process[stream].write(data, () => resolve()));
const run = async () => {
  const { outputs, exit_code, signal } = await ask();
  const start = performance.now();
  for (const { at_ms, stream, data } of outputs) {
    const wait = at_ms - (performance.now() - start);
    if (wait > 0) await sleep(wait);
    await say(stream, data);
  }
  if (signal !== null) process.kill(process.pid, signal);
  else process.exitCode = exit_code;
};
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
run().catch(() => (process.exitCode = 127));
`;

/** Writes one command for each name of the routes into a directory of ours. */
export function writeShims(directory: string, url: string, routes: readonly ShimRoute[]): void {
  const program = join(directory, ".shim.cjs");
  writeFileSync(program, script, { mode: 0o600 });
  for (const name of new Set(routes.map((route) => route.name))) {
    const words = [process.execPath, program, url, name].map(quoted).join(" ");
    // The program's own NODE_OPTIONS are not meant for us.
    writeFileSync(join(directory, name), `#!/bin/sh\nunset NODE_OPTIONS\nexec ${words} "$@"\n`, { mode: 0o700 });
  }
}

/** A word as the shell reads it literally. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
