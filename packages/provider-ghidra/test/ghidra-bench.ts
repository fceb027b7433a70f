import { createHash, randomUUID } from "node:crypto";
import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { deepOperations, silentProgress, type DeepOperationName, type OperationContext } from "@rea/core";
import { createLauncher, type ProcessLauncher } from "@rea/lineage";
import type { AnalysisClient, AnalysisProvider, ClientAnswer, Target } from "@rea/provider";
import { expect } from "vitest";
import { createGhidraProvider } from "../src/index.js";
import { programFile, type StubProgram } from "./stub-program.js";
import { makeInstallation, type StubInstallation } from "./stub-installation.js";

/** One test's stand-in for Ghidra with all it may leave behind, and how to see that nothing is left. Close it. */
export class GhidraBench {
  readonly root = mkdtempSync(join(tmpdir(), "rea-ghidra-"));
  readonly mark = `rea-test-${randomUUID()}`;
  readonly launcher: ProcessLauncher = createLauncher({ cgroups: false });
  readonly installation: StubInstallation;
  /** Where private directories are made. */
  readonly parent: string;
  readonly provider: AnalysisProvider;
  #files = 0;

  constructor({ parent = "engines", env = {} }: { readonly parent?: string; readonly env?: Readonly<Record<string, string>> } = {}) {
    this.installation = makeInstallation(this.root, this.mark);
    this.parent = join(this.root, parent);
    mkdirSync(this.parent, { recursive: true });
    this.provider = createGhidraProvider({ env: { ...this.installation.env, ...env }, launcher: this.launcher, parents: [this.parent] });
  }

  target(program: StubProgram, more: Partial<Target> = {}): Target {
    const directory = join(this.root, "a target's place, größer\nthan one line");
    mkdirSync(directory, { recursive: true });
    const path = join(directory, `program ${String((this.#files += 1))}`);
    writeFileSync(path, programFile(program));
    return targetOf(path, more);
  }

  async client(target: Target): Promise<AnalysisClient> {
    const profile = await this.provider.resolveAnalysisProfile(target, { signal: new AbortController().signal });
    return this.provider.createClient(target, profile, { runId: "run" });
  }

  open(program: StubProgram): Promise<AnalysisClient> {
    return this.client(this.target(program));
  }

  /** No process, no socket and no directory of any engine. */
  async expectNothingLeft(): Promise<void> {
    const deadline = Date.now() + 20_000;
    while ((processesWith(this.mark).length > 0 || readdirSync(this.parent).length > 0) && Date.now() < deadline) await sleep(20);
    expect(processesWith(this.mark)).toEqual([]);
    expect(readdirSync(this.parent)).toEqual([]);
  }

  async close(): Promise<void> {
    await this.launcher.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

export function targetOf(path: string, more: Partial<Target> = {}): Target {
  const bytes = readFileSync(path);
  return {
    path,
    name: "program",
    sha256: createHash("sha256").update(bytes).digest("hex"),
    bytes: bytes.length,
    kind: "executable",
    format: "elf",
    architecture: "x86_64",
    available_architectures: [],
    role: null,
    managed: false,
    raw: null,
    note: null,
    bundle_root: null,
    ...more,
  };
}

/** Asks as the host does, its defaults filled in. */
export function ask(client: AnalysisClient, operation: DeepOperationName, question: object = {}, context: Partial<OperationContext> = {}): Promise<ClientAnswer> {
  const { params } = deepOperations[operation];
  return client.execute(operation, params.parse(question), { signal: new AbortController().signal, progress: silentProgress, ...context });
}

/** The result alone, checked against the operation's contract. */
export async function result(client: AnalysisClient, operation: DeepOperationName, question: object = {}): Promise<unknown> {
  return deepOperations[operation].result.parse((await ask(client, operation, question)).result);
}

/** Pids of live processes that carry a text in their environment. */
export function processesWith(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => carries(name, text))
    .map(Number);
}

function carries(pid: string, text: string): boolean {
  try {
    const alive = !/^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
    return alive && readFileSync(`/proc/${pid}/environ`).includes(text);
  } catch {
    return false;
  }
}
