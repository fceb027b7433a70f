import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isReaError } from "@rea/core";
import { artifactOfBytes, inventory, openArtifact, verify, type IntegrityPolicy, type Inventory, type Verification } from "../../src/index.js";

/** True when the programs are on the path; some have no option that only tells their version. */
export function isInstalled(...programs: readonly string[]): boolean {
  return programs.every((program) => {
    try {
      execFileSync("sh", ["-c", 'command -v "$0"', program], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
}

/** A directory of its own for samples, with programs run in it. */
export class Workshop {
  readonly directory = mkdtempSync(path.join(tmpdir(), "rea-integrity-"));

  run(program: string, ...args: readonly string[]): string {
    return execFileSync(program, [...args], { cwd: this.directory, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  }

  /** What a program writes, byte by byte. */
  output(program: string, ...args: readonly string[]): Buffer {
    return execFileSync(program, [...args], { cwd: this.directory, maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  }

  /** True when the program ends without a failure. */
  succeeds(program: string, ...args: readonly string[]): boolean {
    try {
      this.run(program, ...args);
      return true;
    } catch {
      return false;
    }
  }

  write(name: string, content: string | Uint8Array): string {
    const file = path.join(this.directory, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  path(name: string): string {
    return path.join(this.directory, name);
  }

  copy(from: string, to: string): void {
    cpSync(this.path(from), this.path(to), { recursive: true });
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** What is wrong with an artifact: `kind path`, in the order it was found, and contradictions as `contradiction path by whom`. */
export function complaintsOf({ anomalies, graph }: Inventory): readonly string[] {
  const contradictions = graph.integrity_contradictions.map(({ logical_path, provenance }) => `contradiction ${logical_path} by ${provenance}`);
  return [...anomalies.map(({ anomaly, logical_path }) => `${anomaly} ${logical_path}`), ...contradictions.sort()];
}

async function opened<T>(from: string | Uint8Array, use: (artifact: ReturnType<typeof openArtifact>) => Promise<T>): Promise<T> {
  const artifact = typeof from === "string" ? openArtifact(from) : artifactOfBytes(from);
  try {
    return await use(artifact);
  } finally {
    artifact.close();
  }
}

export function recorded(from: string | Uint8Array): Promise<Inventory> {
  return opened(from, (artifact) => inventory(artifact, { integrityPolicy: "record-and-continue" }));
}

export function verified(from: string | Uint8Array, integrityPolicy: IntegrityPolicy = "record-and-continue"): Promise<Verification> {
  return opened(from, (artifact) => verify(artifact, { integrityPolicy }));
}

/** The path whose digest ended the reading under the policy that fails; undefined when nothing did. */
export async function refusedAt(from: string | Uint8Array): Promise<unknown> {
  try {
    await opened(from, (artifact) => inventory(artifact));
    return undefined;
  } catch (error) {
    if (isReaError(error) && error.code === "artifact_integrity_mismatch") return error.toObject().details?.["logical_path"];
    throw error;
  }
}

/** The same bytes with one bit of one byte changed. */
export function flipped(bytes: Uint8Array, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}
