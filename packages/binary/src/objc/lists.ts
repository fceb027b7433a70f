import { address, type Address } from "@rea/core";

import type { MetadataMemory } from "../metadata-memory.js";
import type { ObjcIvar, ObjcMethod, ObjcProperty } from "./model.js";

type Scope = ObjcMethod["scope"];

/** The header of an `entsize_list_tt`: two 32-bit words, then entries of one size. */
interface EntryList {
  readonly first: bigint;
  readonly entrySize: number;
  readonly count: number;
  readonly flags: number;
}

const smallMethods = 0x8000_0000;
const directSelectors = 0x4000_0000;

/** Entries of at least `least` bytes; a count that the file cannot hold is cut and reported. */
function openList(memory: MetadataMemory, va: bigint, { scope, least }: { scope: string; least: number }): EntryList | undefined {
  const word = memory.u32(va);
  const declared = memory.u32(va + 4n);
  const entrySize = word & 0xfffc;
  if (entrySize < least) {
    memory.malformed(scope, va, "the entries of a list are smaller than their fields");
    return undefined;
  }
  const count = Math.min(declared, Math.floor((memory.available(va) - 8) / entrySize));
  if (count < declared) memory.malformed(scope, va, "a list holds more entries than the file");
  return { first: va + 8n, entrySize, count, flags: word };
}

function readEntries<T>(memory: MetadataMemory, list: EntryList, scope: string, read: (va: bigint) => T | undefined): T[] {
  const items: T[] = [];
  for (let index = 0; index < list.count && memory.take(scope); index += 1) {
    const va = list.first + BigInt(index * list.entrySize);
    const item = memory.attempt(scope, va, () => read(va));
    if (item !== undefined) items.push(item);
  }
  return items;
}

/** `method_list_t`: three pointers an entry, or three 32-bit distances ("small"), whose first leads to a selector reference. */
export function readMethods(memory: MetadataMemory, va: bigint | undefined, kind: { scope: Scope; optional?: boolean }): ObjcMethod[] {
  if (va === undefined) return [];
  const scope = "objc methods";
  const found = memory.attempt(scope, va, () => {
    const small = (memory.u32(va) & smallMethods) !== 0;
    const list = openList(memory, va, { scope, least: small ? 12 : memory.pointerSize * 3 });
    if (list === undefined) return [];
    const direct = (list.flags & directSelectors) !== 0;
    return readEntries(memory, list, scope, (at) => {
      const fields = small ? smallMethod(memory, at, direct) : bigMethod(memory, at);
      return fields.selector === undefined
        ? undefined
        : { ...fields, selector: fields.selector, scope: kind.scope, optional: kind.optional ?? false, place: memory.place(at) };
    });
  });
  return found ?? [];
}

interface MethodFields {
  readonly selector: string | undefined;
  readonly types: string | undefined;
  readonly implementation: Address | undefined;
}

function smallMethod(memory: MetadataMemory, at: bigint, direct: boolean): MethodFields {
  const name = memory.relative(at);
  const types = memory.relative(at + 4n);
  const selector = name === undefined || direct ? name : memory.pointer(name).va;
  return {
    selector: selector === undefined ? undefined : memory.text(selector),
    types: types === undefined ? undefined : memory.text(types),
    implementation: codeAddress(memory.relative(at + 8n)),
  };
}

function bigMethod(memory: MetadataMemory, at: bigint): MethodFields {
  const step = BigInt(memory.pointerSize);
  return {
    selector: memory.textBehind(memory.pointer(at)),
    types: memory.textBehind(memory.pointer(at + step)),
    implementation: codeAddress(memory.pointer(at + step * 2n).va),
  };
}

function codeAddress(va: bigint | undefined): Address | undefined {
  return va === undefined ? undefined : address(va);
}

/** `ivar_list_t`: pointers to the offset, name and type, then alignment and size. */
export function readIvars(memory: MetadataMemory, va: bigint | undefined): ObjcIvar[] {
  if (va === undefined) return [];
  const scope = "objc instance variables";
  const step = BigInt(memory.pointerSize);
  const found = memory.attempt(scope, va, () => {
    const list = openList(memory, va, { scope, least: memory.pointerSize * 3 + 8 });
    if (list === undefined) return [];
    return readEntries(memory, list, scope, (at): ObjcIvar => {
      const offset = memory.pointer(at).va;
      return {
        offset: offset === undefined ? undefined : memory.u32(offset),
        name: memory.textBehind(memory.pointer(at + step)),
        type: memory.textBehind(memory.pointer(at + step * 2n)),
        size: memory.u32(at + step * 3n + 4n),
        place: memory.place(at),
      };
    });
  });
  return found ?? [];
}

/** `property_list_t`: pointers to name and attributes. */
export function readProperties(memory: MetadataMemory, va: bigint | undefined, kind: Scope): ObjcProperty[] {
  if (va === undefined) return [];
  const scope = "objc properties";
  const found = memory.attempt(scope, va, () => {
    const list = openList(memory, va, { scope, least: memory.pointerSize * 2 });
    if (list === undefined) return [];
    return readEntries(memory, list, scope, (at): ObjcProperty => ({
      name: memory.textBehind(memory.pointer(at)),
      attributes: memory.textBehind(memory.pointer(at + BigInt(memory.pointerSize))),
      scope: kind,
      place: memory.place(at),
    }));
  });
  return found ?? [];
}

/** `protocol_list_t`: a count as wide as a pointer, then pointers. Gives the names of the protocols. */
export function readProtocolNames(memory: MetadataMemory, va: bigint | undefined): string[] {
  if (va === undefined) return [];
  const scope = "objc protocol lists";
  const step = BigInt(memory.pointerSize);
  const found = memory.attempt(scope, va, () => {
    const declared = memory.u32(va);
    const count = Math.min(declared, Math.floor(memory.available(va) / memory.pointerSize) - 1);
    if (count < declared) memory.malformed(scope, va, "a list holds more entries than the file");
    const names: string[] = [];
    for (let index = 1; index <= count && memory.take(scope); index += 1) {
      const at = va + BigInt(index) * step;
      const name = memory.attempt(scope, at, () => protocolName(memory, at));
      if (name !== undefined) names.push(name);
    }
    return names;
  });
  return found ?? [];
}

/** Name of the protocol that the pointer at an address leads to. */
function protocolName(memory: MetadataMemory, at: bigint): string | undefined {
  const { va, symbol } = memory.pointer(at);
  if (va === undefined) return symbol?.replace(/^_*OBJC_PROTOCOL_\$_/, "");
  return memory.textBehind(memory.pointer(va + BigInt(memory.pointerSize)));
}
