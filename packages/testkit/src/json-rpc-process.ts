import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { createInterface } from "node:readline";
import { z } from "@rea/core";

const frame = z.looseObject({
  jsonrpc: z.literal("2.0"),
  /** Null in an error about a message whose id could not be read. */
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
  params: z.record(z.string(), z.unknown()).optional(),
});
export type Frame = z.infer<typeof frame>;

/** A client of our own: frames written by hand, one line each, no client library. */
export class JsonRpcProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: string[] = [];
  readonly exit: Promise<number | null>;
  stderr = "";
  readonly #waiting = new Map<string | number, (frame: Frame) => void>();
  readonly #seen: Frame[] = [];
  #nextId = 1;

  constructor(argv: readonly string[], options: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string } = {}) {
    this.child = spawn(process.execPath, [...argv], { stdio: "pipe", ...options });
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    createInterface({ input: this.child.stdout }).on("line", (line) => {
      this.#take(line);
    });
    this.exit = new Promise((resolve) => this.child.once("exit", (code) => resolve(code)));
  }

  get notifications(): readonly Frame[] {
    return this.#seen.filter((item) => item.id === undefined);
  }

  send(message: object): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  /** Sends a request and waits for the reply with its id. */
  request(method: string, params: object = {}, id: string | number = this.#nextId++): Promise<Frame> {
    const reply = new Promise<Frame>((resolve, reject) => {
      this.#waiting.set(id, resolve);
      void this.exit.then((code) => {
        reject(new Error(`the server exited with ${code} before it answered ${method}: ${this.stderr}`));
      });
    });
    this.send({ id, method, params });
    return reply;
  }

  async initialize(protocolVersion = "2025-06-18"): Promise<Frame> {
    const reply = await this.request("initialize", {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "hand-written", version: "1" },
    });
    this.send({ method: "notifications/initialized" });
    return reply;
  }

  /** Calls a tool and returns its `tools/call` result. */
  async call(name: string, input: object = {}): Promise<ToolResult> {
    const reply = await this.request("tools/call", { name, arguments: input });
    return toolResult.parse(reply.result);
  }

  async end(): Promise<number | null> {
    this.child.stdin.end();
    return this.exit;
  }

  #take(line: string): void {
    this.lines.push(line);
    const parsed = frame.parse(JSON.parse(line));
    this.#seen.push(parsed);
    if (parsed.id !== undefined && parsed.id !== null && parsed.method === undefined) {
      this.#waiting.get(parsed.id)?.(parsed);
      this.#waiting.delete(parsed.id);
    }
  }
}

const toolResult = z.looseObject({
  isError: z.boolean().optional(),
  content: z.array(z.strictObject({ type: z.literal("text"), text: z.string() })).length(1),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
});
export type ToolResult = z.infer<typeof toolResult>;

/** The JSON of the text block. */
export function textOf(result: ToolResult): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(result.content[0]?.text ?? ""));
}
