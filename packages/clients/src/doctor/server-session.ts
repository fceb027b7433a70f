import { setTimeout as delay } from "node:timers/promises";
import { escapeUntrusted, isJsonObject, type JsonObject } from "@rea/core";
import type { OwnedProcess, ProcessLauncher } from "@rea/lineage";

const outputBytes = 16 * 1024 * 1024;
const stderrBytes = 64 * 1024;
const pollMs = 5;
const exitMs = 10_000;
/** For what comes after `initialize`, which the client's limit is about. */
const callMs = 60_000;

export interface ServerStart {
  /** Absolute. */
  readonly executable: string;
  readonly arguments: readonly string[];
  readonly environment: { readonly [name: string]: string };
  readonly workingDirectory: string;
  /** Time to answer `initialize`. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** Input of `binary_session`. */
  readonly expectations: JsonObject;
}

/** One bounded session with a server, as a client has it. */
export interface ServerSession {
  /** What went wrong first, one sentence; null when nothing did. */
  readonly failure: string | null;
  /** From the start to the answer to `initialize`; null without one. */
  readonly initialize_ms: number | null;
  readonly server: JsonObject | null;
  readonly tools: readonly JsonObject[] | null;
  /** Result of `binary_session`. */
  readonly session: JsonObject | null;
  /** The first line on standard output that is no message of the protocol; null when there is none. */
  readonly stray_output: string | null;
  /** It ended by itself with status 0 when its input ended. */
  readonly clean_exit: boolean;
  readonly stderr: string;
}

/** Starts a server, initialises, lists tools, asks `binary_session`, ends its input and waits for its end. Never throws for what the server does. */
export async function serverSession(launcher: ProcessLauncher, start: ServerStart): Promise<ServerSession> {
  const run = await launcher.start({
    executable: start.executable,
    arguments: start.arguments,
    environment: start.environment,
    workingDirectory: start.workingDirectory,
    stdin: "pipe",
    signal: start.signal,
    deadlineMs: start.limitMs + 2 * callMs + exitMs,
    outputBytes,
    byGivenName: true,
  });
  const talk = new Conversation(run);
  const started = Date.now();
  const initialized = await talk.request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "rea doctor", version: "1" } }, start.limitMs);
  const initialize_ms = initialized === null ? null : Date.now() - started;
  let tools: readonly JsonObject[] | null = null;
  let session: JsonObject | null = null;
  if (initialized !== null) {
    talk.notify("notifications/initialized");
    const listed = (await talk.request("tools/list", {}, callMs))?.["tools"];
    tools = Array.isArray(listed) && listed.every(isJsonObject) ? listed : null;
    const called = await talk.request("tools/call", { name: "binary_session", arguments: start.expectations }, callMs);
    const structured = called?.["structuredContent"];
    const result = isJsonObject(structured) ? structured["result"] : undefined;
    session = isJsonObject(result) ? result : null;
  }
  run.stdin?.end();
  const ended = await Promise.race([run.ended, delay(exitMs, null, { ref: false })]);
  const last = ended ?? (await run.close());
  const clean_exit = ended !== null && ended.reason === "exited" && ended.exit.code === 0;
  return {
    failure: talk.failure ?? (initialized === null ? "It did not answer initialize." : null),
    initialize_ms,
    server: isJsonObject(initialized?.["serverInfo"]) ? initialized["serverInfo"] : null,
    tools,
    session,
    stray_output: talk.stray(last.stdout.bytes),
    clean_exit,
    stderr: escapeUntrusted(last.stderr.bytes.subarray(0, stderrBytes).toString("utf8"), { multiline: true }),
  };
}

class Conversation {
  readonly #run: OwnedProcess;
  #id = 0;
  #ended = false;
  failure: string | null = null;

  constructor(run: OwnedProcess) {
    this.#run = run;
    void run.ended.then(() => {
      this.#ended = true;
    });
    run.stdin?.on("error", () => {
      this.failure ??= "It closed its input.";
    });
  }

  notify(method: string): void {
    this.#run.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", method })}\n`);
  }

  /** The result, or null when there was none in time. */
  async request(method: string, params: JsonObject, limitMs: number): Promise<JsonObject | null> {
    this.#id += 1;
    const id = this.#id;
    this.#run.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const until = Date.now() + limitMs;
    let seen = -1;
    for (;;) {
      const wasEnded = this.#ended;
      const { bytes, totalBytes } = this.#run.output().stdout;
      const reply = totalBytes === seen ? undefined : messages(bytes).find((message) => message["id"] === id);
      seen = totalBytes;
      if (reply !== undefined) {
        const { result } = reply;
        if (isJsonObject(result)) return result;
        this.failure ??= `It answered ${method} with an error.`;
        return null;
      }
      if (wasEnded) {
        this.failure ??= `It ended before it answered ${method}.`;
        return null;
      }
      if (Date.now() > until) {
        this.failure ??= `It did not answer ${method} within ${String(limitMs)} ms.`;
        return null;
      }
      await delay(pollMs);
    }
  }

  /** The first line that is no message of the protocol, escaped and cut. */
  stray(bytes: Buffer): string | null {
    const line = linesOf(bytes).find((text) => text.trim() !== "" && messageOf(text) === null);
    return line === undefined ? null : escapeUntrusted(line.slice(0, 200));
  }
}

function linesOf(bytes: Buffer): string[] {
  return bytes.toString("utf8").split("\n");
}

/** Complete lines only. */
function messages(bytes: Buffer): JsonObject[] {
  const end = bytes.lastIndexOf(0x0a);
  return end === -1 ? [] : linesOf(bytes.subarray(0, end)).map(messageOf).filter((message) => message !== null);
}

function messageOf(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) && value["jsonrpc"] === "2.0" ? value : null;
  } catch {
    return null;
  }
}
