import { compareCodePoints, unescapeUntrusted, type ProcedureSource } from "@rea/core";
import type { AnnotationStore } from "../annotations/annotation-store.js";
import type { FunctionRecord, NameRecord, Program } from "../program.js";
import { DemangledNames } from "./demangled-names.js";

export interface FunctionName {
  readonly name: string;
  readonly source: FunctionRecord["nameSource"] | "annotation";
  readonly sources: readonly ProcedureSource[];
}

interface Index {
  readonly version: number;
  readonly all: readonly NameRecord[];
}

/** Names in force: those of the file and the analysis, with annotations on top. Text is unescaped. */
export class ProgramNames {
  readonly #program: Program;
  readonly #annotations: AnnotationStore;
  readonly #demangled = new DemangledNames();
  #index: Index | undefined;

  constructor(program: Program, annotations: AnnotationStore) {
    this.#program = program;
    this.#annotations = annotations;
  }

  ofFunction(fn: FunctionRecord): FunctionName {
    const given = this.#given(fn.entry);
    if (given === undefined) return { name: fn.name, source: fn.nameSource, sources: fn.sources };
    return { name: given, source: "annotation", sources: withAnnotation(fn.sources) };
  }

  /** The name of exactly this address, generated function names included. */
  at(rva: number): string | undefined {
    return this.#given(rva) ?? this.#program.functionAt(rva)?.name ?? this.#program.namesAt(rva)[0]?.name;
  }

  /** The name of exactly this address, unless the analysis made it up. */
  stated(rva: number): string | undefined {
    const given = this.#given(rva);
    if (given !== undefined) return given;
    const fn = this.#program.functionAt(rva);
    if (fn !== undefined && fn.nameSource !== "generated") return fn.name;
    return this.#program.namesAt(rva)[0]?.name;
  }

  /** All names a function is known by; the one shown first. */
  aliases(fn: FunctionRecord): readonly string[] {
    const names = [this.ofFunction(fn).name, fn.name, ...this.#program.namesAt(fn.entry).map((record) => record.name)];
    return [...new Set(names)];
  }

  /** The aliases, and behind them the readable forms of those that are mangled. */
  searchable(fn: FunctionRecord): readonly string[] {
    const aliases = this.aliases(fn);
    const readable = aliases.flatMap((name) => this.#demangled.of(name) ?? []);
    return readable.length === 0 ? aliases : [...aliases, ...readable];
  }

  /** Entries of the functions that have exactly this name, in the file's form, as results show it, or demangled; sorted. */
  entriesNamed(text: string, checkpoint: () => void = () => undefined): readonly number[] {
    const exact = this.#entriesOf(text);
    if (exact.length > 0) return exact;
    const unescaped = this.#entriesOf(unescapeUntrusted(text));
    return unescaped.length > 0 ? unescaped : this.#entriesDemangled(text, checkpoint);
  }

  #entriesOf(name: string): readonly number[] {
    const own = this.#program.entriesNamed(name);
    if (this.#annotations.isEmpty) return own;
    const given = this.#annotations.names().flatMap((annotation) => {
      const rva = annotation.name === name ? this.#program.toRva(annotation.va) : undefined;
      return rva === undefined || this.#program.functionAt(rva) === undefined ? [] : [rva];
    });
    return [...new Set([...own, ...given])].sort((a, b) => a - b);
  }

  /** Readable forms have a scope or parameters; other texts are not worth the look through all names. */
  #entriesDemangled(text: string, checkpoint: () => void): readonly number[] {
    if (!/[:(<]/.test(text)) return [];
    return this.#program.functions.flatMap((fn, index) => {
      if (index % 512 === 0) checkpoint();
      return this.searchable(fn).includes(text) ? [fn.entry] : [];
    });
  }

  /** The file's names and the given ones, by address and then by name. */
  all(): readonly NameRecord[] {
    const { version } = this.#annotations;
    if (this.#index?.version !== version) this.#index = { version, all: this.#merged() };
    return this.#index.all;
  }

  #given(rva: number): string | undefined {
    return this.#annotations.isEmpty ? undefined : this.#annotations.name(this.#program.toVa(rva));
  }

  #merged(): readonly NameRecord[] {
    const given = this.#annotations.names().flatMap(({ va, name }) => {
      const rva = this.#program.toRva(va);
      if (rva === undefined) return [];
      const kind = this.#program.functionAt(rva) === undefined ? undefined : "function";
      return [{ rva, name, kind, binding: undefined, source: "annotation", library: undefined }];
    });
    if (given.length === 0) return this.#program.names;
    return [...this.#program.names, ...given].sort(byAddressAndName);
  }
}

function withAnnotation(sources: readonly ProcedureSource[]): readonly ProcedureSource[] {
  return [...new Set<ProcedureSource>([...sources, "annotation"])].sort(compareCodePoints);
}

function byAddressAndName(a: NameRecord, b: NameRecord): number {
  return a.rva - b.rva || compareCodePoints(a.name, b.name) || compareCodePoints(a.source, b.source);
}
