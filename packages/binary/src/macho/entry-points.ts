import type { Findings } from "../findings.js";
import type { EntryPoint } from "../image.js";
import { command } from "./command-names.js";
import { sectionType } from "./constants.js";
import { commandU32, commandU64, type LoadCommand } from "./load-commands.js";
import type { MachOFile } from "./macho-file.js";
import type { MachSection } from "./segments.js";

/** `LC_MAIN` gives a file offset, `LC_UNIXTHREAD` the program counter of the initial thread. */
export function mainEntry(file: MachOFile, findings: Findings): bigint | undefined {
  const main = file.command(command.main);
  if (main !== undefined) {
    return findings.attempt("entry", main.offset, () => {
      const offset = Number(commandU64(file.reader, main, 8));
      return file.vaOfOffset(offset) ?? BigInt.asUintN(64, file.base + BigInt(offset));
    });
  }
  const thread = file.command(command.unixThread);
  return thread === undefined ? undefined : findings.attempt("entry", thread.offset, () => threadCounter(file, thread));
}

/** Flavour of the general registers and place of the program counter in their structure (`mach/…/_structs.h`). */
const counters: Readonly<Record<string, { readonly flavour: number; readonly word: number; readonly wide: boolean }>> = {
  x86: { flavour: 1, word: 10, wide: false },
  x86_64: { flavour: 4, word: 32, wide: true },
  arm: { flavour: 1, word: 15, wide: false },
  arm64: { flavour: 6, word: 64, wide: true },
  powerpc: { flavour: 1, word: 0, wide: false },
  powerpc64: { flavour: 5, word: 0, wide: true },
};

function threadCounter(file: MachOFile, thread: LoadCommand): bigint | undefined {
  const place = counters[file.architecture ?? ""];
  if (place === undefined) return undefined;
  for (let at = 8; at + 8 <= thread.size; ) {
    const flavour = commandU32(file.reader, thread, at);
    const words = commandU32(file.reader, thread, at + 4);
    const field = at + 8 + place.word * 4;
    if (flavour === place.flavour) {
      return place.wide ? commandU64(file.reader, thread, field) : BigInt(commandU32(file.reader, thread, field));
    }
    at += 8 + words * 4;
  }
  return undefined;
}

/** Entry, initialisers and terminators; `targetAt` gives what a fixed-up pointer holds. */
export function readEntryPoints(file: MachOFile, targetAt: (va: bigint) => bigint | undefined, findings: Findings): readonly EntryPoint[] {
  const items: EntryPoint[] = [];
  const entry = mainEntry(file, findings);
  if (entry !== undefined) items.push({ va: file.va(entry), kind: "entry", ...(file.command(command.main) === undefined ? {} : { isMain: true }) });
  const routines = file.command(command.routines, command.routines64);
  if (routines !== undefined) {
    const va = findings.attempt("entry", routines.offset, () =>
      routines.kind === command.routines64 ? commandU64(file.reader, routines, 8) : BigInt(commandU32(file.reader, routines, 8)),
    );
    if (va !== undefined && va !== 0n) items.push({ va: file.va(va), kind: "init" });
  }
  // Each pointer has its own bytes, so this ends sections that overlap.
  const most = Math.floor(file.reader.size / 4);
  for (const section of file.sections) {
    if (items.length > most) {
      findings.limited("initialisers", "limit_items", 1, most);
      return items;
    }
    findings.attempt("initialisers", section.headerOffset, () => {
      for (const va of sectionTargets(file, section, targetAt)) {
        items.push({ va: file.va(va), kind: section.type === sectionType.termPointers ? "fini-array" : "init-array" });
      }
    });
  }
  return items;
}

function sectionTargets(file: MachOFile, section: MachSection, targetAt: (va: bigint) => bigint | undefined): readonly bigint[] {
  const offsets = section.type === sectionType.initOffsets;
  if (!offsets && section.type !== sectionType.initPointers && section.type !== sectionType.termPointers) return [];
  const size = offsets ? 4 : file.pointerSize;
  const available = BigInt(file.place(section.va)?.available ?? 0);
  const count = Number((section.size < available ? section.size : available) / BigInt(size));
  const targets: bigint[] = [];
  for (let index = 0; index < count; index += 1) {
    const va = section.va + BigInt(index * size);
    const offset = file.offsetOf(va, size);
    const target = offsets ? file.base + BigInt(file.reader.u32(offset)) : (targetAt(va) ?? file.pointerAt(offset));
    if (target !== 0n) targets.push(target);
  }
  return targets;
}
