import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createPackage } from "@electron/asar";
import { output } from "../corpus/programs.js";

const store = new URL("../../../../node_modules/.pnpm", import.meta.url).pathname;
const largest = 4 * 1024 * 1024;

/** Applications to measure on, made of the packages that this workspace has installed. */
export class JavascriptInputs {
  readonly directory = mkdtempSync(join(tmpdir(), "rea-bench-javascript-"));

  /** An archive of so many files of real packages. */
  async archive(files: number): Promise<string> {
    const root = join(this.directory, `app-${String(files)}`);
    const copied = copyPackages(root, files);
    if (copied < files) throw new Error(`Only ${String(copied)} files of packages are installed; ${String(files)} are wanted.`);
    writeFileSync(join(root, "package.json"), JSON.stringify({ name: "bench", version: "1.0.0", main: "main.js" }));
    writeFileSync(join(root, "main.js"), 'require("electron");');
    await createPackage(root, `${root}.asar`);
    return `${root}.asar`;
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

/** Copies files of installed packages, in order of their names, until there are enough; the same packages again under other names when they run out. */
function copyPackages(root: string, wanted: number): number {
  let copied = 0;
  for (let round = 0; copied < wanted && round < 20; round += 1) {
    const before = copied;
    for (const entry of readdirSync(store).sort()) {
      const name = entry.replace(/^(@[^+]+)\+/u, "$1/").replace(/(.)@.*$/u, "$1");
      const source = join(store, entry, "node_modules", name);
      if (copied >= wanted || !existsSync(join(source, "package.json"))) continue;
      copied += copyTree(source, join(root, round === 0 ? "node_modules" : `copy-${String(round)}/node_modules`, name), wanted - copied);
    }
    if (copied === before) break;
  }
  return copied;
}

function copyTree(from: string, to: string, most: number): number {
  let copied = 0;
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (copied >= most) break;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && entry.name !== "node_modules") copied += copyTree(source, target, most - copied);
    if (!entry.isFile() || existsSync(target) || /\.(?:node|wasm|exe|so|dll|d\.[cm]?ts)$/u.test(entry.name) || statSync(source).size > largest) continue;
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(source, target);
    copied += 1;
  }
  return copied;
}
