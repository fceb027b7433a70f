import type { Omission } from "@rea/core";
import { isFormatError } from "../../findings.js";
import type { BinaryImage } from "../../image.js";
import { once } from "../../once.js";
import { DebugSections } from "./debug-sections.js";
import type { DebugEnumerator, DebugField, DebugFunction, DebugType, TypeId } from "./debug-type.js";
import { Entries } from "./entries.js";
import { indexEntries } from "./entry-index.js";
import { FileNames } from "./file-names.js";
import { FunctionReader } from "./function-reader.js";
import { lineRows, rowAt } from "./line-table.js";
import { TypeLayout } from "./type-layout.js";
import { TypeReader } from "./type-reader.js";
import { TypeText } from "./type-text.js";
import { lastAtOrBelow } from "./last-at-or-below.js";

/** A variable at a fixed address. */
export interface DebugGlobal {
  readonly name: string | undefined;
  readonly va: bigint;
  readonly type: TypeId | undefined;
  readonly size: number | undefined;
}

/** What an image's DWARF says of types, functions and variables. Nothing throws for damage: it is an omission. */
export interface DebugInformation {
  /** Ids of definitions by plain name (`node`) or with scopes (`ns::node`), in order of the file. */
  typesNamed(name: string): readonly TypeId[];
  type(id: TypeId): DebugType | undefined;
  /** Through names and qualifiers; undefined for `void`. */
  plainType(id: TypeId | undefined): DebugType | undefined;
  fields(id: TypeId, most?: number): readonly DebugField[];
  enumerators(id: TypeId, most?: number): readonly DebugEnumerator[];
  dimensions(id: TypeId): readonly (number | undefined)[];
  signature(id: TypeId): { readonly parameters: readonly (TypeId | undefined)[]; readonly isVariadic: boolean };
  /** Bytes; undefined where neither the file nor the parts say. */
  sizeOf(id: TypeId | undefined): number | undefined;
  /** Bytes, declared or natural. */
  alignmentOf(id: TypeId | undefined): number | undefined;
  isPacked(id: TypeId): boolean | undefined;
  /** As C writes it, around a name where one is given. */
  typeText(id: TypeId | undefined, name?: string): string;
  /** The function whose first instruction is at the address. */
  functionAt(va: bigint): DebugFunction | undefined;
  /** Id of the function's own entry, which reads as a function type. */
  functionTypeAt(va: bigint): TypeId | undefined;
  /** File, without its directory, and line of the source that code at `va` is of, by the line table of the unit that has the function. */
  sourceAt(functionVa: bigint, va: bigint): { readonly file: string; readonly line: number } | undefined;
  /** The variable that covers the address. */
  variableAt(va: bigint): DebugGlobal | undefined;
  omissions(): readonly Omission[];
}

/** Undefined for an image without DWARF. The sections are read on the first question; `checkpoint` may throw while they are. */
export function debugInformation(image: BinaryImage, checkpoint: () => void = () => undefined): DebugInformation | undefined {
  const sections = new DebugSections(image);
  return sections.has("info") && sections.has("abbrev") ? reader(sections, checkpoint) : undefined;
}

/** Variables that share an address, or cover it from before, are few. */
const lookedBack = 64;

function reader(sections: DebugSections, checkpoint: () => void): DebugInformation {
  const entries = once(() => new Entries(sections));
  const types = once(() => new TypeReader(entries()));
  const layout = once(() => new TypeLayout(types()));
  const index = retried(() => indexEntries(entries(), checkpoint));
  const files = once(() => new FileNames(entries()));
  const functions = once(() => new FunctionReader(entries(), files()));
  const safe = <T>(otherwise: T, read: () => T): T => {
    try {
      return read();
    } catch (error) {
      if (!isFormatError(error)) throw error;
      sections.findings.malformed("debug information", 0, "an entry cannot be read");
      return otherwise;
    }
  };
  const readFunction = keptFor((id: number) => safe(undefined, () => functions().read(id)));

  const readLines = keptFor((position: number) => safe([], () => lineRows(entries(), entries().unit(position))), keptTables);

  function sourceAt(functionVa: bigint, va: bigint): { readonly file: string; readonly line: number } | undefined {
    const id = index().functions.get(functionVa);
    const unit = id === undefined ? undefined : safe(undefined, () => entries().entry(id).unit);
    const place = unit === undefined ? undefined : rowAt(readLines(unit.position), va)?.place;
    if (unit === undefined || place === undefined || place.line <= 0 || place.line > mostLines) return undefined;
    const file = safe(undefined, () => files().name(unit, place.file));
    return file === undefined ? undefined : { file, line: place.line };
  }

  const global = ({ va, id }: { readonly va: bigint; readonly id: number }): DebugGlobal => {
    const entry = entries().entry(id);
    const type = entries().typeOf(entry);
    return { va, type, size: layout().size(type), name: entries().nameOf(entry) };
  };

  function variableAt(va: bigint): DebugGlobal | undefined {
    const { variables } = index();
    const last = lastAtOrBelow(variables, va);
    for (let at = last; at >= 0 && at > last - lookedBack; at -= 1) {
      const row = variables[at];
      const found = row === undefined ? undefined : safe(undefined, () => global(row));
      if (found !== undefined && va < found.va + BigInt(Math.max(1, found.size ?? 1))) return found;
    }
    return undefined;
  }

  return {
    typesNamed: (name) => index().types.get(name) ?? [],
    type: (id) => safe(undefined, () => types().type(id)),
    plainType: (id) => safe(undefined, () => layout().plain(id)),
    fields: (id, most) => safe([], () => types().fields(id, most)),
    enumerators: (id, most) => safe([], () => types().enumerators(id, most)),
    dimensions: (id) => safe([], () => types().dimensions(id)),
    signature: (id) => safe({ parameters: [], isVariadic: true }, () => types().signature(id)),
    sizeOf: (id) => safe(undefined, () => layout().size(id)),
    alignmentOf: (id) => safe(undefined, () => layout().alignment(id)),
    isPacked: (id) => safe(undefined, () => layout().isPacked(id)),
    typeText: (id, name) => safe("…", () => new TypeText(types()).of(id, name)),
    functionAt: (va) => {
      const id = index().functions.get(va);
      return id === undefined ? undefined : readFunction(id);
    },
    sourceAt,
    functionTypeAt: (va) => index().functions.get(va),
    variableAt,
    omissions: () => sections.omissions(),
  };
}

/** Like `once`; a computation that threw (a caller gave up) is tried again. */
function retried<T>(compute: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: compute() }).value;
}

const keptFunctions = 4096;
const keptTables = 16;
/** What is beyond is damage. */
const mostLines = 0x7fffffff;

function keptFor<T>(read: (id: number) => T, most = keptFunctions): (id: number) => T {
  const kept = new Map<number, T>();
  return (id) => {
    const known = kept.get(id);
    if (known !== undefined) return known;
    if (kept.size >= most) kept.clear();
    const made = read(id);
    kept.set(id, made);
    return made;
  };
}
