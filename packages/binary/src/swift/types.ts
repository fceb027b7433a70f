import { address } from "@rea/core";

import type { MetadataMemory } from "../metadata-memory.js";
import { contextKind, type ContextNames } from "./contexts.js";
import { mangledType } from "./mangled-type.js";
import type { SwiftField, SwiftType, SwiftVirtualMethod } from "./model.js";

interface Readers {
  readonly memory: MetadataMemory;
  readonly contexts: ContextNames;
}

const genericFlag = 0x80;
/** High half of the flags: kind of metadata initialisation (2 bits), resilient superclass, virtual table. */
const resilientSuperclass = 1 << 29;
const virtualTable = 1 << 31;
const classFields = 44n;
const typesScope = "swift types";

/** A nominal type descriptor with its field descriptor and, for classes that are not generic, its virtual table. */
export function readSwiftType(readers: Readers, va: bigint): SwiftType | undefined {
  const { memory, contexts } = readers;
  return memory.attempt(typesScope, va, () => {
    const flags = memory.u32(va);
    const kind = kindOf(flags & 0x1f);
    const context = contexts.of(va);
    if (kind === undefined || context === undefined) return undefined;
    const fields = memory.relative(va + 16n);
    const superclass = kind === "class" ? memory.relative(va + 20n) : undefined;
    return {
      kind,
      ...context,
      generic: (flags & genericFlag) !== 0,
      superclass: superclass === undefined ? undefined : typeText(readers, superclass),
      fields: fields === undefined ? [] : readFields(readers, fields),
      virtualMethods: kind === "class" ? readVirtualMethods(memory, va, flags) : [],
      place: memory.place(va),
    };
  });
}

function kindOf(kind: number): SwiftType["kind"] | undefined {
  if (kind === contextKind.class) return "class";
  if (kind === contextKind.struct) return "struct";
  return kind === contextKind.enum ? "enum" : undefined;
}

function typeText({ memory, contexts }: Readers, va: bigint): string | undefined {
  return memory.attempt("swift type names", va, () => mangledType(memory, contexts, va));
}

/** Field descriptor: type, superclass, kind and record size (16 bits each), count; then records of flags, type, name. */
function readFields(readers: Readers, va: bigint): SwiftField[] {
  const { memory } = readers;
  const scope = "swift fields";
  const found = memory.attempt(scope, va, () => {
    const recordSize = memory.u16(va + 10n);
    const declared = memory.u32(va + 12n);
    if (recordSize < 12) {
      if (declared > 0) memory.malformed(scope, va, "the records of a field descriptor are smaller than their fields");
      return [];
    }
    const count = Math.min(declared, Math.floor((memory.available(va) - 16) / recordSize));
    if (count < declared) memory.malformed(scope, va, "a field descriptor holds more records than the file");
    const fields: SwiftField[] = [];
    for (let index = 0; index < count && memory.take(scope); index += 1) {
      const at = va + 16n + BigInt(index * recordSize);
      const field = memory.attempt(scope, at, () => readField(readers, at));
      if (field !== undefined) fields.push(field);
    }
    return fields;
  });
  return found ?? [];
}

function readField(readers: Readers, at: bigint): SwiftField {
  const { memory } = readers;
  const type = memory.relative(at + 4n);
  const name = memory.relative(at + 8n);
  return {
    name: name === undefined ? undefined : memory.text(name),
    type: type === undefined ? undefined : typeText(readers, type),
    variable: (memory.u32(at) & 2) !== 0,
    place: memory.place(at),
  };
}

const methodKinds = ["method", "init", "getter", "setter", "modify", "read"] as const;

function readVirtualMethods(memory: MetadataMemory, va: bigint, flags: number): SwiftVirtualMethod[] {
  if ((flags & virtualTable) === 0) return [];
  const scope = "swift virtual tables";
  if ((flags & genericFlag) !== 0) {
    memory.findings.note(scope, "not_examined", "Virtual tables of generic classes are not read; use read_bytes at the type.");
    return [];
  }
  const found = memory.attempt(scope, va, () => {
    const header = va + classFields + (flags & resilientSuperclass ? 4n : 0n) + initialisationSize(flags);
    const first = memory.u32(header);
    const declared = memory.u32(header + 4n);
    const count = Math.min(declared, Math.floor((memory.available(header) - 8) / 8));
    if (count < declared) memory.malformed(scope, header, "a virtual table holds more entries than the file");
    const methods: SwiftVirtualMethod[] = [];
    for (let index = 0; index < count && memory.take(scope); index += 1) {
      methods.push(readVirtualMethod(memory, header + 8n + BigInt(index * 8), first + index));
    }
    return methods;
  });
  return found ?? [];
}

/** Singleton initialisation takes three words, foreign initialisation one. */
function initialisationSize(flags: number): bigint {
  const kind = (flags >>> 16) & 3;
  return kind === 1 ? 12n : kind === 2 ? 4n : 0n;
}

function readVirtualMethod(memory: MetadataMemory, at: bigint, slot: number): SwiftVirtualMethod {
  const flags = memory.u32(at);
  const implementation = memory.relative(at + 4n);
  return {
    slot,
    kind: methodKinds[flags & 0xf] ?? "other",
    instance: (flags & 0x10) !== 0,
    implementation: implementation === undefined ? undefined : address(implementation),
    place: memory.place(at),
  };
}
