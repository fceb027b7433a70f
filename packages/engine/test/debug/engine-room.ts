import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deepOperations, silentProgress, type DeepOperationName, type OperationResult } from "@rea/core";
import type { AnalysisClient } from "@rea/provider";
import { EnginePool } from "../../src/engine-pool.js";
import { createNativeProvider } from "../../src/native-provider.js";
import { fileTarget } from "../file-target.js";

/** Compiles programs and asks the engine about them, each file in a worker of its own where that is wished. */
export class EngineRoom {
  readonly folder = mkdtempSync(join(tmpdir(), "rea-debug-"));
  readonly #clients: AnalysisClient[] = [];

  /** The program's file; undefined when the compiler is missing. */
  build(name: string, source: string, flags: readonly string[]): string | undefined {
    const file = join(this.folder, name);
    writeFileSync(`${file}.c`, source);
    return spawnSync("gcc", [...flags, `${name}.c`, "-o", name], { cwd: this.folder }).status === 0 ? file : undefined;
  }

  async open(file: string, pool = new EnginePool()): Promise<Asker> {
    const provider = createNativeProvider({ stateDirectory: join(this.folder, "state"), clientName: "test", clientVersion: "1", pool });
    const target = fileTarget(file);
    const profile = await provider.resolveAnalysisProfile(target, { signal: new AbortController().signal });
    const client = await provider.createClient(target, profile, { runId: "run" });
    this.#clients.push(client);
    return async (operation: DeepOperationName, question: object) => {
      const context = { signal: new AbortController().signal, progress: silentProgress };
      const { result, limitations } = await client.execute(operation, deepOperations[operation].params.parse(question), context);
      return { result: deepOperations[operation].result.parse(result), limitations };
    };
  }

  async close(): Promise<void> {
    for (const client of this.#clients) await client.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export type Asker = (operation: DeepOperationName, question: object) => Promise<{ readonly result: unknown; readonly limitations: readonly string[] }>;

export function typed<N extends DeepOperationName>(operation: N, value: unknown): OperationResult<N> {
  const found: unknown = deepOperations[operation].result.parse(value);
  if (!isResult(operation, found)) throw new Error("the result is not of the operation");
  return found;
}

function isResult<N extends DeepOperationName>(operation: N, value: unknown): value is OperationResult<N> {
  return deepOperations[operation].result.safeParse(value).success;
}
