import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A compiler with the programs that tell what it did. */
export interface Compiler {
  readonly title: string;
  readonly command: string;
  readonly objdump: string;
  readonly flags: readonly string[];
  /** `-fstack-usage` counts the return address. */
  readonly returnAddressBytes: number;
  /** The engine's name for a column of the unwind table; undefined for the return address on the stack. */
  readonly registerName: (column: string) => string | undefined;
}

/** What the compiler says of one function. */
export interface Truth {
  readonly frame: number;
  readonly frameKind: string;
  /** Registers of the caller that the unwind information says are kept. */
  readonly saved: readonly string[];
  readonly parameters: number;
}

/** Compiles the fixture functions into a shared library with debugging information. */
export function compile(compiler: Compiler, level: string, directory: string): { readonly file: string; readonly truth: ReadonlyMap<string, Truth> } {
  const sources = join(import.meta.dirname, "fixtures", "facts");
  const name = join(directory, `${compiler.title.replaceAll(/\W/g, "")}${level}`);
  const flags = [...compiler.flags, level, "-gdwarf-4", "-fno-stack-protector"];
  execFileSync(compiler.command, [...flags, "-fstack-usage", "-c", "-o", `${name}.o`, join(sources, "functions.c")], { cwd: directory, stdio: "pipe" });
  execFileSync(compiler.command, [...flags, "-c", "-o", `${name}.outside.o`, join(sources, "outside.c")], { stdio: "pipe" });
  execFileSync(compiler.command, [...compiler.flags, "-shared", "-nostdlib", "-o", `${name}.bin`, `${name}.o`, `${name}.outside.o`, "-lgcc"], { stdio: "pipe" });
  const sizes = stackUsage(readFileSync(`${name}.su`, "utf8"), compiler.returnAddressBytes);
  const text = (option: string) => execFileSync(compiler.objdump, [option, `${name}.bin`], { encoding: "utf8", maxBuffer: 1 << 26, stdio: ["ignore", "pipe", "ignore"] });
  const functions = subprograms(text("--dwarf=info"));
  const kept = keptRegisters(text("--dwarf=frames-interp"), compiler.registerName);
  const truth = new Map<string, Truth>();
  for (const [fn, { address, parameters }] of functions) {
    const size = sizes.get(fn);
    if (size !== undefined) truth.set(fn, { frame: size.bytes, frameKind: size.kind, saved: kept.get(address) ?? [], parameters });
  }
  return { file: `${name}.bin`, truth };
}

/** Lines `file:line:column:function<tab>bytes<tab>kind`. */
function stackUsage(text: string, returnAddressBytes: number): ReadonlyMap<string, { readonly bytes: number; readonly kind: string }> {
  const rows = text.split("\n").flatMap((line) => {
    const [place = "", bytes = "", kind = ""] = line.split("\t");
    const name = place.split(":").pop() ?? "";
    return bytes === "" ? [] : [[name, { bytes: Math.max(0, Number(bytes) - returnAddressBytes), kind }] as const];
  });
  return new Map(rows);
}

/** Functions with code and the number of their formal parameters. */
function subprograms(text: string): ReadonlyMap<string, { readonly address: bigint; readonly parameters: number }> {
  const found = new Map<string, { address: bigint; parameters: number }>();
  let open: { name: string; address: bigint; parameters: number; level: number } | undefined;
  let inside = false;
  const finish = () => {
    if (open !== undefined && open.name !== "" && open.address >= 0n) found.set(open.name, { address: open.address, parameters: open.parameters });
    open = undefined;
  };
  for (const line of text.split("\n")) {
    const entry = /^\s*<(\d+)><[0-9a-f]+>: .*\((DW_TAG_\w+)\)/.exec(line);
    if (entry !== null) {
      const level = Number(entry[1]);
      inside = entry[2] === "DW_TAG_subprogram";
      if (open !== undefined && level <= open.level) finish();
      if (inside) open = { name: "", address: -1n, parameters: 0, level };
      else if (open !== undefined && level === open.level + 1 && entry[2] === "DW_TAG_formal_parameter") open.parameters += 1;
    } else if (open !== undefined && inside) {
      const name = /DW_AT_name\s*:(?: \(.*?\):)? (\S+)\s*$/.exec(line)?.[1];
      const address = /DW_AT_low_pc\s*:(?: \(.*?\))? (?:0x)?([0-9a-f]+)/.exec(line)?.[1];
      if (name !== undefined) open.name = name;
      if (address !== undefined) open.address = BigInt(`0x${address}`);
    }
  }
  finish();
  return found;
}

/** Registers with a place in the frame, by the function's address. */
function keptRegisters(text: string, nameOf: Compiler["registerName"]): ReadonlyMap<bigint, readonly string[]> {
  const found = new Map<bigint, Set<string>>();
  let kept: Set<string> | undefined;
  let columns: string[] = [];
  for (const line of text.split("\n")) {
    const start = / FDE .*pc=([0-9a-f]+)\.\./.exec(line)?.[1];
    if (start !== undefined) {
      kept = new Set();
      found.set(BigInt(`0x${start}`), kept);
    } else if (/^\s+LOC\s+CFA/.test(line)) columns = line.trim().split(/\s+/).slice(2);
    else if (kept !== undefined && /^[0-9a-f]{8,16} /.test(line)) {
      for (const [index, cell] of line.trim().split(/\s+/).slice(2).entries()) {
        const register = cell.startsWith("c") ? nameOf(columns[index] ?? "ra") : undefined;
        if (register !== undefined) kept.add(register);
      }
    }
  }
  return new Map([...found].map(([address, registers]) => [address, [...registers].sort()]));
}
