import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProgramTest } from "./real-programs.js";

/** Where Linux puts a position-independent program when addresses are not made random. */
export const loadBase = 0x5555_5555_4000n;
/** Bytes of the jump that is written over the start of a function. */
export const jumpBytes = 13;
const mostMs = 60_000;

/** A built program whose functions are replaced one at a time while it is loaded: a preloaded library jumps from each to its text. */
export class PatchedProgram {
  readonly #program: string;
  readonly #tests: readonly ProgramTest[];
  readonly #folder: string;
  readonly #expected: readonly string[];

  /** `folder` is one that only this writes to. */
  constructor(program: string, tests: readonly ProgramTest[], folder: string) {
    this.#program = program;
    this.#tests = tests;
    this.#folder = folder;
    this.#expected = tests.map((test) => this.#outcome(test, undefined));
  }

  /** Numbers of the tests that do something else with the library than without. */
  differing(library: string | undefined, firstOnly = true): readonly number[] {
    const found: number[] = [];
    for (const [index, test] of this.#tests.entries()) {
      if (this.#outcome(test, library) === this.#expected[index]) continue;
      found.push(index);
      if (firstOnly) return found;
    }
    return found;
  }

  /** Whether the tests run into the function at all: with it, they end at once. */
  isReached(trap: string, va: bigint): boolean {
    return this.#tests.some((test) => this.#run(test, { LD_PRELOAD: trap, REA_TRAP: va.toString() }).status === trapStatus);
  }

  #outcome(test: ProgramTest, library: string | undefined): string {
    const { status, stdout, stderr, files } = this.#run(test, library === undefined ? {} : { LD_PRELOAD: library });
    return createHash("sha256").update(JSON.stringify([status, stderr])).update(stdout).update(files).digest("hex");
  }

  #run({ args, input }: ProgramTest, env: { readonly [name: string]: string }): { readonly status: number | null; readonly stdout: Buffer; readonly stderr: string; readonly files: string } {
    const room = join(this.#folder, "room");
    rmSync(room, { recursive: true, force: true });
    mkdirSync(room);
    const handle = input === undefined ? undefined : openSync(input, "r");
    try {
      // Only the program itself gets the library, not what starts it.
      const own = Object.entries(env).map(([name, value]) => `${name}=${value}`);
      const { status, stdout, stderr } = spawnSync("setarch", ["x86_64", "-R", "env", ...own, this.#program, ...args], {
        cwd: room,
        stdio: [handle ?? "ignore", "pipe", "pipe"],
        env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
        timeout: mostMs,
        maxBuffer: 1 << 27,
      });
      return { status, stdout: stdout ?? Buffer.alloc(0), stderr: stderr?.toString("latin1") ?? "", files: filesText(room) };
    } finally {
      if (handle !== undefined) closeSync(handle);
    }
  }
}

/** Names and bytes of what a run leaves. */
function filesText(room: string): string {
  return readdirSync(room).sort().map((name) => `${name} ${createHash("sha256").update(readFileSync(join(room, name))).digest("hex")}`).join("\n");
}

const trapStatus = 87;

/** What a constructor needs to write a jump over the start of a function. */
const patchSource = `#include <sys/mman.h>
#include <string.h>
static void rea_patch(unsigned long at, void *to) {
  unsigned char jump[${String(jumpBytes)}] = {0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0, 0x41, 0xff, 0xe3};
  memcpy(jump + 2, &to, 8);
  mprotect((void *)(at & ~4095ul), 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
  memcpy((void *)at, jump, sizeof jump);
}
`;

/** The library that ends the program when it comes to the function whose address stands in the environment. */
export function buildTrap(folder: string): string {
  const source = join(folder, "trap.c");
  const library = join(folder, "trap.so");
  writeFileSync(source, `#include <stdlib.h>\n#include <unistd.h>\n${patchSource}static void rea_end(void) { _exit(${String(trapStatus)}); }\n__attribute__((constructor)) static void rea_start(void) { rea_patch(strtoul(getenv("REA_TRAP"), 0, 10), (void *)rea_end); }\n`);
  const { status, stderr } = spawnSync("gcc", ["-shared", "-fPIC", "-w", "-O1", source, "-o", library], { encoding: "utf8" });
  if (status !== 0) throw new Error(`The trap does not compile: ${stderr.slice(0, 500)}`);
  return library;
}

export interface Replacement {
  readonly text: string;
  /** The function's name in the text, and its address in the running program. */
  readonly name: string;
  readonly va: bigint;
  /** Addresses of what the program has by a name, as C writes it. */
  readonly addresses: ReadonlyMap<string, bigint>;
}

/** Compiles a text into a library that takes the function's place; undefined when the compiler refuses it. */
export function buildReplacement(folder: string, { text, name, va, addresses }: Replacement): string | undefined {
  const source = join(folder, "text.c");
  const object = join(folder, "text.o");
  const library = join(folder, "text.so");
  const flags = ["-w", "-std=gnu11", "-O1", "-fno-pic", "-mcmodel=large", "-fno-builtin", "-I", folder];
  writeFileSync(source, text);
  if (spawnSync("gcc", [...flags, "-c", source, "-o", object], { timeout: mostMs }).status !== 0) return undefined;
  const unknown = spawnSync("nm", ["-u", "--format=posix", object], { encoding: "utf8" }).stdout.split("\n").flatMap((line) => line.split(" ")[0] ?? []);
  const set = unknown.flatMap((symbol) => {
    const address = addresses.get(symbol);
    return address === undefined ? [] : [`__asm__(".set ${symbol}, ${address.toString()}");`];
  });
  const own = `rea_text_${name}`;
  writeFileSync(source, `${set.join("\n")}\n#define ${name} ${own}\n${text}\n#undef ${name}\n${patchSource}__attribute__((constructor)) static void rea_start(void) { rea_patch(${va.toString()}ul, (void *)${own}); }\n`);
  const linked = spawnSync("gcc", [...flags, "-shared", "-Wl,-z,notext", "-Wl,-Bsymbolic", source, "-o", library], { timeout: mostMs });
  return linked.status === 0 ? library : undefined;
}
