import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/** What another disassembler prints: instruction starts, and direct calls as from → to. */
export interface Listing {
  readonly starts: ReadonlySet<number>;
  readonly calls: ReadonlyMap<number, number>;
}

/** Disassembles with `objdump` or `llvm-objdump`; addresses below 2^53. */
export function listWith(tool: string, file: string): Listing {
  const text = execFileSync(tool, ["-d", file], { maxBuffer: 1 << 30, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const starts = new Set<number>();
  const calls = new Map<number, number>();
  for (const line of text.split("\n")) {
    const row = /^\s*([0-9a-f]+):\s(.*)$/.exec(line);
    if (row === null) continue;
    const at = Number.parseInt(row[1] ?? "", 16);
    const columns = (row[2] ?? "").split("\t");
    // GNU prints the rest of a long instruction's bytes on a line without text.
    if (columns.length < 2) continue;
    starts.add(at);
    const call = /^(?:.*\t)?(?:bnd |notrack )*(?:callq?|bl)\s+(?:0x)?([0-9a-f]+)\b/.exec(row[2] ?? "");
    if (call !== null) calls.set(at, Number.parseInt(call[1] ?? "", 16));
  }
  return { starts, calls };
}

/** True when a program of this name can be run. */
export function isInstalled(program: string): boolean {
  return (process.env["PATH"] ?? "").split(":").some((directory) => existsSync(`${directory}/${program}`));
}
