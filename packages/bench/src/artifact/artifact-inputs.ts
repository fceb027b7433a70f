import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildMeasured } from "./artifact-build.js";

/** Inputs of the figures, made for one run and removed after it. Contents repeat from run to run. */
export class ArtifactInputs {
  readonly home = mkdtempSync(join(tmpdir(), "rea-bench-artifact-"));
  readonly #made = new Map<string, string>();
  #script: string | undefined;

  /** 20,000 files of 0 to 4 KiB in 200 directories. */
  smallFiles(): string {
    return this.#once("small", (path) => writeTree(path, { files: 20_000, perDirectory: 100, bytes: (index) => (index * 37) % 4096 }));
  }

  /** One file of 2 GB; its blocks are holes, so that the disk is not what is measured. */
  largeFile(): string {
    return this.#once("large.bin", (path) => {
      writeFileSync(path, "");
      truncateSync(path, 2_000_000_000);
    });
  }

  /** 1,300 files of 100 KB, every third of it noise. */
  mixedTree(): string {
    return this.#once("mixed", (path) => writeTree(path, { files: 1300, perDirectory: 100, bytes: () => 100_000 }));
  }

  zip(): string {
    return this.#once("mixed.zip", (path) => run("zip", ["-q", "-r", path, "."], this.mixedTree()));
  }

  tar(): string {
    return this.#once("mixed.tar", (path) => run("tar", ["-cf", path, "."], this.mixedTree()));
  }

  /** 5,000 files. */
  asar(): string {
    return this.#once("app.asar", (path) => {
      const tree = this.#once("app", (app) => writeTree(app, { files: 5000, perDirectory: 50, bytes: (index) => 1000 + ((index * 97) % 20_000) }));
      run(process.execPath, [asarCommand, "pack", tree, path], this.home);
    });
  }

  /** A tar archive of so many members, 10 GB together, each a hole but for its start. */
  sparseTar(members: number): string {
    return this.#once(`sparse-${String(members)}.tar`, (path) => {
      const names = Array.from({ length: members }, (_, index) => `sparse-${String(index)}.bin`);
      for (const name of names) {
        writeFileSync(join(this.home, name), `start of ${name}`);
        truncateSync(join(this.home, name), 10_000_000_000 / members);
      }
      run("tar", ["-S", "-cf", path, ...names], this.home);
      for (const name of names) rmSync(join(this.home, name));
    });
  }

  /** What a measured process runs. */
  get script(): string {
    if (this.#script === undefined) throw new Error("The measured script is not built yet.");
    return this.#script;
  }

  async build(): Promise<void> {
    this.#script = await buildMeasured(join(this.home, "build"));
  }

  close(): Promise<void> {
    rmSync(this.home, { recursive: true, force: true });
    return Promise.resolve();
  }

  #once(name: string, make: (path: string) => void): string {
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const path = join(this.home, name);
    make(path);
    this.#made.set(name, path);
    return path;
  }
}

/** The library's own command. */
export const asarCommand = join(import.meta.dirname, "..", "..", "node_modules", "@electron", "asar", "bin", "asar.js");

interface TreeShape {
  readonly files: number;
  readonly perDirectory: number;
  bytes(index: number): number;
}

function writeTree(top: string, { files, perDirectory, bytes }: TreeShape): void {
  mkdirSync(top);
  for (let index = 0; index < files; index += 1) {
    const directory = join(top, `d${String(Math.floor(index / perDirectory))}`);
    if (index % perDirectory === 0) mkdirSync(directory);
    writeFileSync(join(directory, `file-${String(index)}.txt`), content(index, bytes(index)));
  }
}

/** Two thirds words, one third noise, different in every file. */
function content(seed: number, size: number): Uint8Array {
  const bytes = Buffer.alloc(size, `file ${String(seed)} holds words that repeat and compress as text does; `);
  for (let at = 0; at + 96 <= size; at += 96) {
    createHash("sha256").update(`${String(seed)}:${String(at)}`).digest().copy(bytes, at);
  }
  return bytes;
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, error, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr}`);
}
