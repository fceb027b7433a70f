import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { serverMain } from "./built-apps.js";

const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } };

/** The built server over stdio, spoken to frame by frame. */
export class ServerProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, (line: string) => void>();
  readonly #ended: Promise<void>;
  #id = 0;

  /** `env` comes on top of the environment of this process. */
  constructor(env: NodeJS.ProcessEnv = {}) {
    this.#child = spawn(process.execPath, [serverMain], { stdio: "pipe", env: { ...process.env, REA_LOG_LEVEL: "silent", ...env } });
    this.#child.stderr.resume();
    this.#ended = new Promise((resolve) => this.#child.once("close", () => { resolve(); }));
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      const id = /"id":(\d+)/.exec(line.slice(-40))?.[1] ?? /"id":(\d+)/.exec(line)?.[1];
      this.#waiting.get(Number(id))?.(line);
    });
  }

  /** The reply as it arrived; its content is not looked at. */
  async request(method: string, params: object = {}): Promise<string> {
    this.#id += 1;
    const id = this.#id;
    const arrived = new Promise<string>((resolve) => {
      this.#waiting.set(id, resolve);
    });
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const line = await Promise.race([arrived, this.#ended.then(() => { throw new Error(`the server ended before it answered ${method}`); })]);
    this.#waiting.delete(id);
    return line;
  }

  initialize(): Promise<string> {
    return this.request("initialize", initialize);
  }

  call(name: string, input: object): Promise<string> {
    return this.request("tools/call", { name, arguments: input });
  }

  /** Resident memory in MiB, or undefined where the host does not tell. */
  residentMiB(): number | undefined {
    try {
      const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${this.#child.pid ?? 0}/status`, "utf8"))?.[1];
      return kib === undefined ? undefined : Math.round(Number(kib) / 1024);
    } catch {
      return undefined;
    }
  }

  async end(): Promise<void> {
    this.#child.stdin.end();
    await this.#ended;
  }
}
