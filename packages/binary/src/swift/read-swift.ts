import { address } from "@rea/core";

import type { BinaryImage } from "../image.js";
import { MetadataMemory } from "../metadata-memory.js";
import { contextKind, ContextNames } from "./contexts.js";
import type { SwiftConformance, SwiftMetadata, SwiftProtocol } from "./model.js";
import { readSwiftType } from "./types.js";

const typeSections = ["__swift5_types", "__swift5_types2"];
const protocolSections = ["__swift5_protos"];
const conformanceSections = ["__swift5_proto"];

const known = new WeakMap<BinaryImage, SwiftMetadata>();

/**
 * Reads the type, protocol and conformance records of Swift 5 and later in a linked Mach-O image (Swift ABI, `Metadata.h`).
 * Never throws for damaged data: what could not be read is an omission. Read once for each image; other formats have none.
 */
export function readSwiftMetadata(image: BinaryImage): SwiftMetadata {
  const made = known.get(image) ?? read(image);
  known.set(image, made);
  return made;
}

function read(image: BinaryImage): SwiftMetadata {
  const memory = new MetadataMemory(image);
  const listed = [...typeSections, ...protocolSections, ...conformanceSections];
  const present = image.format === "mach-o" && memory.sections(...listed).length > 0;
  if (!present || image.header.type === "MH_OBJECT") {
    if (present) memory.findings.note("swift metadata", "not_examined", "Open the linked image: an object file leaves the distances open.");
    return { present: false, types: [], protocols: [], conformances: [], omissions: memory.findings.list() };
  }
  const contexts = new ContextNames(memory);
  const readers = { memory, contexts };
  return {
    present,
    types: descriptors(memory, typeSections).flatMap((va) => readSwiftType(readers, va) ?? []),
    protocols: descriptors(memory, protocolSections).flatMap((va) => readProtocol(readers, va) ?? []),
    conformances: descriptors(memory, conformanceSections).flatMap((va) => readConformance(readers, va) ?? []),
    omissions: [...memory.findings.list(), ...image.relocations().omissions],
  };
}

/** Targets of the 32-bit distances that fill the sections. */
function descriptors(memory: MetadataMemory, names: readonly string[]): readonly bigint[] {
  const found = new Set<bigint>();
  for (const { va, virtualSize } of memory.sections(...names)) {
    if (va === undefined) continue;
    const declared = Number(virtualSize / 4n);
    const count = Math.min(declared, Math.floor(memory.available(va) / 4));
    if (count < declared) memory.malformed("swift sections", va, "the section is longer than the file holds");
    for (let index = 0; index < count && memory.take("swift sections"); index += 1) {
      const target = memory.attempt("swift sections", va, () => memory.relativeIndirectable(va + BigInt(index * 4)));
      if (target?.va !== undefined) found.add(target.va);
    }
  }
  return [...found];
}

interface Readers {
  readonly memory: MetadataMemory;
  readonly contexts: ContextNames;
}

/** Protocol descriptor: context, then the numbers of signature and other requirements. */
function readProtocol({ memory, contexts }: Readers, va: bigint): SwiftProtocol | undefined {
  return memory.attempt("swift protocols", va, () => {
    const context = (memory.u32(va) & 0x1f) === contextKind.protocol ? contexts.of(va) : undefined;
    if (context !== undefined) return { ...context, requirements: memory.u32(va + 16n), place: memory.place(va) };
    memory.malformed("swift protocols", va, "the descriptor is not one of a protocol");
    return undefined;
  });
}

/** Conformance descriptor: protocol, type, witness table, flags; bits 3–5 of the flags say how the type is referred to. */
function readConformance({ memory, contexts }: Readers, va: bigint): SwiftConformance | undefined {
  return memory.attempt("swift conformances", va, () => {
    const witnesses = memory.relative(va + 8n);
    return {
      protocol: contexts.textBehind(memory.relativeIndirectable(va)),
      type: conformingType({ memory, contexts }, va + 4n, (memory.u32(va + 12n) >>> 3) & 7),
      witnessTable: witnesses === undefined ? undefined : address(witnesses),
      place: memory.place(va),
    };
  });
}

function conformingType({ memory, contexts }: Readers, at: bigint, kind: number): string | undefined {
  const target = memory.relative(at);
  if (target === undefined) return undefined;
  if (kind === 0) return contexts.textBehind({ va: target, symbol: undefined });
  if (kind === 1) return contexts.textBehind(memory.pointer(target));
  if (kind === 2) return memory.text(target);
  return kind === 3 ? memory.pointer(target).symbol?.replace(/^_?OBJC_CLASS_\$_/, "") : undefined;
}
