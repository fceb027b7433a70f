import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export function hasProgram(name: string): boolean {
  try {
    execFileSync("which", [name], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

export function runIn(directory: string, program: string, args: readonly string[]): Buffer {
  return execFileSync(program, args, { cwd: directory, maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Repeats itself and does not, so that every method has something to do. */
export function mixedText(length: number): Buffer {
  const lines: string[] = [];
  let state = 12345;
  for (let total = 0; total < length; ) {
    state = (state * 1103515245 + 12345) % 2147483648;
    const line = `line ${String(state)} of some text that comes again and again\n`;
    lines.push(line);
    total += line.length;
  }
  return Buffer.from(lines.join("")).subarray(0, length);
}

/** A directory with a tree of small files in `tree`; `done` removes it. */
export function smallTree(): { readonly directory: string; readonly done: () => void } {
  const directory = mkdtempSync(path.join(tmpdir(), "rea-zip-test-"));
  const tree = path.join(directory, "tree");
  mkdirSync(path.join(tree, "inner/deep"), { recursive: true });
  writeFileSync(path.join(tree, "empty"), "");
  writeFileSync(path.join(tree, "short.txt"), "hello\n");
  writeFileSync(path.join(tree, "inner/text.txt"), mixedText(120_000));
  writeFileSync(path.join(tree, "inner/deep/zeros.bin"), Buffer.alloc(200_000));
  writeFileSync(path.join(tree, "inner/deep/program"), mixedText(5000), { mode: 0o755 });
  writeFileSync(path.join(tree, "grüße €.txt"), "non-ASCII name\n");
  symlinkSync("../short.txt", path.join(tree, "inner/link"));
  return {
    directory,
    done: () => {
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
