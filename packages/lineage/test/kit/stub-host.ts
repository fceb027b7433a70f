import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { silentProgress, z, type JsonObject, type JsonValue, type OperationContext } from "@rea/core";
import { afterEach, expect } from "vitest";
import { openEngine, type Engine, type EngineFrame, type EngineProtocol, type EngineSession, type EngineSpec, type ProcessLauncher } from "../../src/index.js";
import { countSettlesAt } from "../live-processes.js";
import { launcher, mark } from "../run-program.js";

const script = fileURLToPath(new URL("./stub-engine.mjs", import.meta.url));

const anyValue: z.ZodType<JsonValue> = z.json();
const id = z.int().min(0);
const frames: z.ZodType<EngineFrame> = z.union([
  z.strictObject({ id, result: anyValue }).transform((frame) => ({ kind: "answer" as const, ...frame })),
  z
    .strictObject({ id, error: z.strictObject({ code: z.string(), message: z.string(), type: z.string().optional() }) })
    .transform(({ id: of, error: { code, message, type } }) => ({
      kind: "failure" as const,
      id: of,
      failure: { code, message, ...(type === undefined ? {} : { type }) },
    })),
  z
    .strictObject({ id, event: z.strictObject({ phase: z.string(), completed: z.number(), total: z.number().nullable() }) })
    .transform(({ id: of, event }) => ({ kind: "progress" as const, id: of, progress: event })),
]);

export const stubProtocol: EngineProtocol = {
  maximumLineBytes: 1024 * 1024,
  maximumRequestLength: 262_144,
  frames,
  request: ({ id: number, method, params }) => ({ id: number, method, params }),
  cancel: ({ id: number }) => ({ cancel: number }),
};

/** Where one test's engines live, and how it sees that nothing is left of them. */
export class StubHost {
  readonly parent: string;
  readonly mark = mark();
  readonly launcher: ProcessLauncher;
  readonly sessions: EngineSession[] = [];

  /** `name`: of the directory in which engines make their private ones. */
  constructor(name = "engines", starts = launcher()) {
    this.launcher = starts;
    const root = mkdtempSync(join(tmpdir(), "rea-kit-"));
    roots.push(root);
    this.parent = mkdtempSync(join(root, name));
  }

  spec(told: JsonObject = {}, more: Partial<EngineSpec> = {}): EngineSpec {
    return {
      providerId: "stub",
      protocol: stubProtocol,
      startupMs: 30_000,
      parents: [this.parent],
      prepare: async (session) => {
        this.sessions.push(session);
        const { directory, endpoint, token } = session;
        const descriptor = { transport: endpoint.transport, endpoint_path: endpoint.path, token, ...told };
        const path = await directory.writeFile("session.json", JSON.stringify(descriptor));
        return {
          executable: process.execPath,
          arguments: [script, path],
          environment: { PATH: "/usr/bin:/bin", MARK: this.mark },
          workingDirectory: directory.path,
        };
      },
      ...more,
    };
  }

  open(told: JsonObject = {}, more: Partial<EngineSpec> = {}, context: Partial<OperationContext> = {}): Promise<Engine> {
    return openEngine(this.launcher, this.spec(told, more), contextOf(context));
  }

  /** No process, no socket and no directory of any engine. */
  async expectNothingLeft(): Promise<void> {
    expect(await countSettlesAt(this.mark, 0)).toBe(0);
    await expect.poll(() => readdirSync(this.parent), { timeout: 20_000 }).toEqual([]);
  }
}

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

export function contextOf(context: Partial<OperationContext> = {}): OperationContext {
  return { signal: new AbortController().signal, progress: silentProgress, ...context };
}

/** Asks an engine; the deadline is generous unless a test is about it. */
export function ask(engine: Engine, method: string, params: JsonObject = {}, more: Partial<OperationContext> & { readonly timeoutMs?: number } = {}): Promise<JsonValue> {
  const { timeoutMs = 30_000, ...context } = more;
  return engine.call({ operation: `stub_${method}`, method, params, timeoutMs }, contextOf(context));
}
