import { ReaError, type HostProgramProvenance, type OperationContext, type SwiftDemangling } from "@rea/core";
import type { HostProgramAnswer, HostProgramRequest } from "@rea/lineage";
import { findProgram } from "./find-program.js";

const tool = "swift-demangle";
const operation = "demangle_swift";

/** Where Swift's own installers put it beside PATH: Xcode, the command line tools, toolchains of swift.org. */
const candidates = [
  "/usr/bin/swift-demangle",
  "/Applications/Xcode.app/Contents/Developer/Toolchains/XcodeDefault.xctoolchain/usr/bin/swift-demangle",
  "/Library/Developer/CommandLineTools/usr/bin/swift-demangle",
  "/Library/Developer/Toolchains/swift-latest.xctoolchain/usr/bin/swift-demangle",
  "/usr/libexec/swift/bin/swift-demangle",
  "/opt/swift/usr/bin/swift-demangle",
];

/** The demangler on this host, or null. */
export function findSwiftDemangler(path: string | undefined): string | null {
  return findProgram({ name: tool, path, candidates });
}

/** Runs one program of the host to its end. */
export type AskProgram = (request: HostProgramRequest) => Promise<HostProgramAnswer>;

/**
 * Asks the demangler for the readable names of symbols, one a line on its input: without arguments it copies its input and
 * replaces the mangled names in it. Throws `unreadable_output` when the lines of the answer are not those of the question.
 */
export async function demangleSwift(
  ask: AskProgram,
  executable: string,
  { symbols, context: { signal } }: { readonly symbols: readonly string[]; readonly context: OperationContext },
): Promise<SwiftDemangling> {
  const asked = symbols.filter(isLine);
  const { stdout, provenance } = await ask({
    tool,
    executable,
    arguments: [],
    stdin: Buffer.from(asked.map((symbol) => `${withoutExtraUnderscore(symbol)}\n`).join("")),
    signal,
    operation,
  });
  const lines = linesOf(stdout, provenance);
  requireAll(lines.length, asked.length, provenance);
  const known = asked.slice(0, lines.length);
  const names = new Map(known.map((symbol, index) => [symbol, changed(symbol, lines[index] ?? "")]));
  const cut = symbols.findIndex((symbol) => isLine(symbol) && !names.has(symbol));
  const kept = cut < 0 ? symbols : symbols.slice(0, cut);
  return { names: kept.map((symbol) => names.get(symbol) ?? null), program: provenance };
}

/** What the program says of its version in one line; null when it does not know the question. */
export async function swiftDemanglerVersion(ask: AskProgram, executable: string, signal: AbortSignal): Promise<string | null> {
  const { stdout, provenance } = await ask({
    tool,
    executable,
    arguments: ["--version"],
    signal,
    operation,
    timeoutMs: 10_000,
    maximumOutputBytes: 4_096,
  });
  if (provenance.exit.code !== 0) return null;
  const line = stdout.toString("utf8").split("\n").map((text) => text.trim()).find((text) => text !== "");
  return line === undefined ? null : [...line].slice(0, 200).join("");
}

/** Text that stays one line on its way to the program and back; everything else is no mangled name. */
function isLine(symbol: string): boolean {
  return !/[\p{Cc}\p{Surrogate}\u2028\u2029]/u.test(symbol);
}

/** Mach-O puts an underscore before every name; the oldest mangling, `_T`, brings its own. */
function withoutExtraUnderscore(symbol: string): string {
  return symbol.startsWith("__T") ? symbol.slice(1) : symbol;
}

function changed(symbol: string, line: string): string | null {
  return line === withoutExtraUnderscore(symbol) ? null : line;
}

/** Of an answer that was cut, the whole lines only. */
function linesOf(stdout: Buffer, { truncated }: HostProgramProvenance): string[] {
  const lines = stdout.toString("utf8").split(/\r?\n/);
  const last = lines.pop() ?? "";
  return truncated || last === "" ? lines : [...lines, last];
}

function requireAll(actual: number, expected: number, { truncated, exit }: HostProgramProvenance): void {
  // A cut answer is one page of several, unless there is nothing on it.
  if (actual === expected || (truncated && actual > 0 && actual < expected)) return;
  throw new ReaError("unreadable_output", {
    message: "The Swift demangler of this host did not answer one line for each symbol. See details for how it ended.",
    details: { provider_id: tool, operation, expected_lines: expected, actual_lines: actual, exit_code: exit.code, exit_signal: exit.signal },
    action: "Check the swift-demangle program of this host.",
  });
}
