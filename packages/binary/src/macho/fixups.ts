/** What a fix-up puts into a pointer: an imported symbol by two-level ordinal. */
export interface BindTarget {
  readonly name: string;
  /** Signed: 0 self, -1 main executable, -2 flat lookup, -3 weak lookup, else the library's place in load order. */
  readonly ordinal: number;
  readonly addend: bigint;
  readonly weakImport: boolean;
  /** Where the import is declared. */
  readonly file: { readonly offset: number; readonly size: number } | undefined;
}

/** One pointer the loader changes. */
export interface Fixup {
  readonly va: bigint;
  readonly type: string;
  /** Address the pointer holds at the preferred base; undefined for binds. */
  readonly target: bigint | undefined;
  readonly bind: BindTarget | undefined;
}

/** Where fix-ups are collected, and how many there may be. */
export interface FixupSink {
  readonly items: Fixup[];
  readonly limit: number;
}

export interface FixupTable {
  readonly kind: "chained" | "dyld_info" | "none";
  readonly items: readonly Fixup[];
  readonly imports: readonly BindTarget[];
  readonly summary: Readonly<Record<string, number | string>>;
}

export const noFixups: FixupTable = { kind: "none", items: [], imports: [], summary: {} };
