import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { output } from "../corpus/programs.js";
import { buildMeasured } from "./javascript-build.js";

const store = new URL("../../../../node_modules/.pnpm", import.meta.url).pathname;
const packer = join(dirname(createRequire(import.meta.url).resolve("@electron/asar/package.json")), "bin/asar.js");
const largest = 4 * 1024 * 1024;
const notCode = /\.(?:node|wasm|exe|so|dll|bare|d\.[cm]?ts)$/u;

/** An archive to measure on, with what is in it. */
export interface MeasuredArchive {
  readonly path: string;
  readonly megabytes: number;
  /** Megabytes of what is read as code, and of source maps. */
  readonly scripts: number;
  readonly maps: number;
}

/** Applications to measure on, made of the packages that this workspace has installed. */
export class JavascriptInputs {
  readonly directory = mkdtempSync(join(tmpdir(), "rea-bench-javascript-"));
  #measured: Promise<string> | undefined;

  /**
   * An archive of so many files of real packages, without native files and declarations: packages in the order of their
   * names, or the ones with most bytes first.
   */
  async archive(files: number, order: "by name" | "largest first"): Promise<MeasuredArchive> {
    const root = join(this.directory, `app-${String(files)}`);
    const copied = new Copied();
    copyPackages(root, { files, order, copied });
    if (copied.files < files) throw new Error(`Only ${String(copied.files)} files of packages are installed; ${String(files)} are wanted.`);
    writeFileSync(join(root, "package.json"), JSON.stringify({ name: "bench", version: "1.0.0", main: "main.js" }));
    writeFileSync(join(root, "main.js"), 'require("electron");');
    // In a process of its own: the packer is done before its stream is, and a process ends when everything is written.
    await output([process.execPath, packer, "pack", root, `${root}.asar`]);
    rmSync(root, { recursive: true });
    return { path: `${root}.asar`, ...copied.megabytes() };
  }

  /** The module that a measured process runs. */
  measured(): Promise<string> {
    this.#measured ??= buildMeasured(join(this.directory, "build"));
    return this.#measured;
  }

  /** A package of the registry, unpacked; undefined when it cannot be had. */
  async registryPackage(specifier: string): Promise<string | undefined> {
    const directory = join(this.directory, specifier.replace(/\W/gu, "-"));
    mkdirSync(directory);
    try {
      await output(["npm", "install", "--prefix", directory, "--no-audit", "--no-fund", "--ignore-scripts", "--silent", specifier]);
    } catch {
      // Said by whoever asked: without a registry the figure is skipped.
      return undefined;
    }
    return join(directory, "node_modules", specifier.replace(/@[^@/]*$/u, ""));
  }

  close(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** What was copied so far. */
class Copied {
  files = 0;
  #bytes = 0;
  #scripts = 0;
  #maps = 0;

  add(name: string, bytes: number): void {
    this.files += 1;
    this.#bytes += bytes;
    if (/\.[cm]?[jt]sx?$/u.test(name)) this.#scripts += bytes;
    else if (name.endsWith(".map")) this.#maps += bytes;
  }

  megabytes(): Omit<MeasuredArchive, "path"> {
    return { megabytes: this.#bytes / 1e6, scripts: this.#scripts / 1e6, maps: this.#maps / 1e6 };
  }
}

interface Copying {
  readonly files: number;
  readonly order: "by name" | "largest first";
  readonly copied: Copied;
}

/** Copies files of installed packages until there are enough; the same packages again under other names when they run out. */
function copyPackages(root: string, { files, order, copied }: Copying): void {
  const packages = installedPackages();
  if (order === "largest first") packages.sort((a, b) => b.bytes - a.bytes || (a.entry < b.entry ? -1 : 1));
  for (let round = 0; copied.files < files && round < 20; round += 1) {
    const before = copied.files;
    for (const { name, entry, source } of packages) {
      if (copied.files >= files) return;
      // Two versions of one package stand under two names.
      const target = existsSync(join(root, "node_modules", name)) && round === 0 ? join("nested", entry, "node_modules", name) : join("node_modules", name);
      for (const file of filesOf(source)) {
        if (copied.files >= files) return;
        const to = join(root, round === 0 ? "" : `copy-${String(round)}`, target, file.path);
        if (existsSync(to)) continue;
        mkdirSync(dirname(to), { recursive: true });
        copyFileSync(join(source, file.path), to);
        copied.add(file.path, file.bytes);
      }
    }
    if (copied.files === before) return;
  }
}

interface InstalledPackage {
  readonly entry: string;
  readonly name: string;
  readonly source: string;
  readonly bytes: number;
}

/** In the order of their names. */
function installedPackages(): InstalledPackage[] {
  return readdirSync(store).sort().flatMap((entry) => {
    const name = entry.replace(/^(@[^+]+)\+/u, "$1/").replace(/(.)@.*$/u, "$1");
    const source = join(store, entry, "node_modules", name);
    if (!existsSync(join(source, "package.json"))) return [];
    return [{ entry, name, source, bytes: filesOf(source).reduce((sum, { bytes }) => sum + bytes, 0) }];
  });
}

/** What of a package an application of JavaScript has, with paths below the package. */
function filesOf(source: string, below = ""): { readonly path: string; readonly bytes: number }[] {
  return readdirSync(join(source, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesOf(source, path);
    if (!entry.isFile() || notCode.test(entry.name)) return [];
    const bytes = statSync(join(source, path)).size;
    return bytes > largest ? [] : [{ path, bytes }];
  });
}
