import { address, type Address } from "@rea/core";
import type { BinaryImage, ImageSymbol } from "@rea/binary";
import { withCodeAddresses } from "../code-addresses.js";
import { instructionSet, type InstructionSets } from "./instruction-sets.js";

/** Mapping symbols (ELF for the Arm Architecture, §5.5.5): `$a`, `$t` and `$d`, with or without a suffix. */
const mapping = /^\$([atd])(?:\.|$)/;

export interface Mark {
  readonly va: bigint;
  /** 0 where data begins. */
  readonly set: number;
}

/** What the tables of an image say about instruction sets. */
export interface ArmImage {
  readonly image: BinaryImage;
  /** Single places of code. */
  readonly entries: readonly Mark[];
  /** Beginnings of ranges, sorted. */
  readonly ranges: readonly Mark[];
  /** The set that most entries have. */
  readonly standard: number;
}

/** Takes bit 0, which marks T32, out of every address of code. Windows code is T32 whatever the bit. */
export function readArmImage(image: BinaryImage): ArmImage {
  const entries: Mark[] = [];
  const always = image.format === "pe";
  const note = (va: Address | undefined) => {
    if (va === undefined) return;
    entries.push({ va: va & ~1n, set: always || (va & 1n) === 1n ? instructionSet.t32 : instructionSet.a32 });
  };
  const symbols = image.symbols().items;
  for (const one of symbols) if (one.defined && (one.type === "function" || one.type === "indirect-function")) note(one.va);
  for (const one of image.exports().items) if (one.type !== "object" && one.forwarder === undefined) note(one.va);
  for (const one of image.entryPoints().items) note(one.va);
  for (const { stubs } of image.imports().items) stubs.forEach(note);
  const isCode = codeTest(image);
  for (const { start } of image.unwindRanges().items) if ((start & 1n) === 1n) note(start);
  for (const { target } of image.relocations().items) if (target !== undefined && (target & 1n) === 1n && isCode(target)) note(target);
  const thumb = entries.filter(({ set }) => set === instructionSet.t32).length;
  return {
    image: withCodeAddresses(image, {
      codeOf: (va) => ((va & 1n) === 1n && isCode(va) ? address(va - 1n) : va),
      keeps: ({ name }) => !mapping.test(name),
    }),
    entries,
    ranges: symbols.flatMap(rangeMark).sort((a, b) => (a.va < b.va ? -1 : a.va > b.va ? 1 : 0)),
    standard: always || thumb * 2 > entries.length ? instructionSet.t32 : instructionSet.a32,
  };
}

function rangeMark({ name, va }: ImageSymbol): Mark[] {
  const kind = mapping.exec(name)?.[1];
  if (kind === undefined || va === undefined) return [];
  return [{ va, set: kind === "a" ? instructionSet.a32 : kind === "t" ? instructionSet.t32 : 0 }];
}

function codeTest(image: BinaryImage): (va: bigint) => boolean {
  const code = image.segments().items.filter((segment) => segment.executable);
  return (va) => code.some((segment) => va >= segment.va && va < segment.va + segment.virtualSize);
}

/** Tells `sets` what the image says about code at `start`, and gives the offsets where data stands to `data`. */
export function applyMarks(arm: ArmImage, sets: InstructionSets, code: { readonly start: number; readonly size: number; readonly base: bigint }, data: (offset: number) => void): void {
  const first = code.base + BigInt(code.start);
  const end = first + BigInt(code.size);
  const inside = arm.ranges.filter(({ va }) => va >= first && va < end);
  inside.forEach(({ va, set }, index) => {
    const from = Number(va - first);
    const to = Number((inside[index + 1]?.va ?? end) - first);
    for (let offset = from; offset < to; offset += 1) {
      if (set === 0) data(offset);
      else if (offset % 2 === 0) sets.note(code.start + offset, set);
    }
  });
  for (const { va, set } of arm.entries) if (va >= first && va < end) sets.note(Number(va - code.base), set);
}
