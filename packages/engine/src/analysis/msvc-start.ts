import type { BinaryImage, ImportedSymbol } from "@rea/binary";
import type { MemoryMap } from "./memory-map.js";

/** The function of the program that start code calls, and how it is called in the language. */
export interface MainPlace {
  readonly rva: number;
  readonly name: "main" | "wmain" | "WinMain" | "wWinMain";
}

/** A call of the program's own function: `setup` captures the instructions that pass the arguments. */
interface CallForm {
  readonly pattern: RegExp;
  readonly name: "main" | "WinMain";
  /** The module's handle is in a register already, so that the call does not show it. */
  readonly hiddenHandle?: boolean;
}

const entryBytes = 14;
const startCodeBytes = 1024;
const longestJumps = 2;

// Code is matched as text of one character for each byte; `....` is a 32-bit field.
const result = String.raw`\x8b[\xd8\xf0\xf8]`;
const asksForManaged = String.raw`\xe8....\x84\xc0(?:\x74|\x0f\x84)`;
const testsManaged = String.raw`\x89\x75.(?:\x85\xdb|\x83\x7d.\x00|\x39[\x5d\x7d].)\x75`;

const keepsResult = String.raw`${result}\x89\x44\x24.\x85[\xdb\xf6\xff]\x75`;

function form(name: CallForm["name"], setup: string, after: string): CallForm {
  return { name, pattern: new RegExp(String.raw`(?<setup>${setup})\xe8....${after}`, "gs") };
}

/** `push` of three or four arguments, `call`, and what becomes of the result. */
const x86Forms: readonly CallForm[] = [
  form("main", String.raw`\x50[\x50-\x57]\xff[\x30-\x37]`, String.raw`\x83\xc4\x0c${result}${asksForManaged}`),
  form("WinMain", String.raw`\x50(?:[\x50-\x57]|\x6a\x00)\x68....`, `${result}${asksForManaged}`),
  form("main", String.raw`\x50\xff\x35....\xff\x35....`, String.raw`\x83\xc4\x0c${result}${testsManaged}`),
  form("WinMain", String.raw`\x50(?:[\x50-\x57]|\x6a\x00)\x68....`, `${result}${testsManaged}`),
  form("main", String.raw`\xff\x35....\xff\x35....\xff\x35....`, String.raw`\x83\xc4\x0c\xa3....\x39\x1d....\x75`),
];

/** Arguments in r8, rdx and rcx, `call`, and what becomes of the result. */
const x64Forms: readonly CallForm[] = [
  form("main", String.raw`[\x4c\x4d]\x8b[\xc0-\xc7][\x48\x49]\x8b[\x10-\x17\xd0-\xd7](?:\x8b[\x08-\x0f]|\x41\x8b[\x08-\x0f])`, `${result}${asksForManaged}`),
  form("WinMain", String.raw`\x33\xd2\x48\x8d\x0d....`, `${result}${asksForManaged}`),
  form("main", String.raw`\x4c\x8b\x05....\x48\x8b\x15....\x8b\x0d....`, String.raw`\x89\x05....\x83\x3d....\x00\x75`),
  { ...form("WinMain", String.raw`\x44\x0f\xb7[\xc8-\xcf]\x4c\x8b\xc0\x33\xd2\x48\x8b[\xc8-\xcf]`, keepsResult), hiddenHandle: true },
];

/** Start code of programs that have their library in msvcrt.dll; it stands at the entry itself. */
const olderX86Forms: readonly CallForm[] = [form("main", String.raw`\xff\x75.\xff\x75.\xff\x75.`, String.raw`\x83\xc4\x30\x89\x45.\x50\xff\x15`)];
const olderX64Forms: readonly CallForm[] = [form("main", String.raw`\x4c\x8b\x44\x24.\x48\x8b\x54\x24.\x8b\x4c\x24.`, keepsResult)];
const argumentImports: ReadonlySet<string> = new Set(["__getmainargs", "__wgetmainargs"]);

/** Imports that only start code for wide arguments has. */
const wideImports: ReadonlySet<string> = new Set(["_get_initial_wide_environment", "_get_wide_winmain_command_line", "__p___wargv", "__wgetmainargs", "_wcmdln"]);

/**
 * The function that the start code of Microsoft's C library calls. That code begins with a call that seeds the security
 * cookie and a jump to `__scrt_common_main_seh` (or what older libraries have in its place), which passes the arguments
 * and then asks whether the program is a managed one. Whether arguments are wide shows where the library is imported;
 * linked into the program, `main` and `WinMain` stand for the wide functions too. Undefined for code that reads otherwise
 * or where several calls fit.
 */
export function mainOfMsvc(image: BinaryImage, memory: MemoryMap, start: number, slots: ReadonlyMap<number, ImportedSymbol>): MainPlace | undefined {
  if (image.architecture !== "x86_64" && image.architecture !== "x86") return undefined;
  const is64 = image.architecture === "x86_64";
  const entry = behindJumps(memory, start);
  const common = commonStart(memory, entry, is64);
  const names = new Set([...slots.values()].flatMap(({ name }) => name ?? []));
  const isOlder = common === undefined && [...argumentImports].some((name) => names.has(name));
  if (common === undefined && !isOlder) return undefined;
  // A program linked for incremental linking calls every function through a jump of its own.
  const linked = entry !== start;
  const body = common === undefined ? entry : behindJumps(memory, common, linked ? longestJumps : 0);
  const found = callsIn(memory, body, { forms: formsOf(is64, isOlder), module: moduleOf(image, memory), is64 });
  const [only] = found;
  if (only === undefined || found.length > 1) return undefined;
  const wide = [...wideImports].some((name) => names.has(name));
  return { rva: behindJumps(memory, only.rva, linked ? longestJumps : 0), name: wide ? `w${only.name}` : only.name };
}

function formsOf(is64: boolean, isOlder: boolean): readonly CallForm[] {
  if (isOlder) return is64 ? olderX64Forms : olderX86Forms;
  return is64 ? x64Forms : x86Forms;
}

/** What `jmp rel32`, alone in its place of the table for incremental linking, leads to. */
function behindJumps(memory: MemoryMap, start: number, most = longestJumps): number {
  let rva = start;
  for (let jumps = 0; jumps < most; jumps += 1) {
    const target = targetAt(memory, rva, 0xe9);
    if (target === undefined) break;
    rva = target;
  }
  return rva;
}

function targetAt(memory: MemoryMap, rva: number, opcode: number): number | undefined {
  const bytes = rva < 0 ? new Uint8Array(0) : memory.read(rva, 5);
  if (bytes.length < 5 || bytes[0] !== opcode) return undefined;
  return rva + 5 + new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getInt32(1, true);
}

/** `call; jmp`, on x64 inside `sub rsp, 28h` and `add rsp, 28h`: where the jump leads. */
function commonStart(memory: MemoryMap, entry: number, is64: boolean): number | undefined {
  const code = textOf(memory, entry, entryBytes + 8);
  const head = is64 ? /^\x48\x83\xec\x28\xe8....\x48\x83\xc4\x28(?=\xe9)/s : /^\xe8....(?=\xe9)/s;
  const matched = head.exec(code);
  return matched === null ? undefined : targetAt(memory, entry + matched[0].length, 0xe9);
}

function textOf(memory: MemoryMap, rva: number, length: number): string {
  return rva < 0 ? "" : Buffer.from(memory.read(rva, length)).toString("latin1");
}

/** RVA of the module's handle, which `WinMain` gets, and as code of the image names it. */
interface Module {
  readonly rva: number;
  readonly va: number;
}

function moduleOf(image: BinaryImage, memory: MemoryMap): Module {
  return { rva: Number(image.imageBase - memory.base), va: Number(BigInt.asUintN(32, image.imageBase)) };
}

interface Search {
  readonly forms: readonly CallForm[];
  readonly module: Module;
  readonly is64: boolean;
}

function callsIn(memory: MemoryMap, body: number, { forms, module, is64 }: Search): { readonly rva: number; readonly name: CallForm["name"] }[] {
  const code = textOf(memory, body, startCodeBytes);
  return forms.flatMap(({ pattern, name, hiddenHandle }) =>
    [...code.matchAll(pattern)].flatMap((match) => {
      const call = body + match.index + (match.groups?.["setup"] ?? "").length;
      const rva = targetAt(memory, call, 0xe8);
      const field = new DataView(new ArrayBuffer(4));
      memory.read(call - 4, 4).forEach((byte, index) => field.setUint8(index, byte));
      const handle = is64 ? call + field.getInt32(0, true) === module.rva : field.getUint32(0, true) === module.va;
      return rva === undefined || (name === "WinMain" && hiddenHandle !== true && !handle) ? [] : [{ rva, name }];
    }),
  );
}
