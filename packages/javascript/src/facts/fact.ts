/**
 * A range of the text, half-open. In UTF-16 code units while a file is read; `placeFacts` turns it into bytes of the file with
 * the line (from 1) and the column (from 0) of its start.
 */
export interface Span {
  start: number;
  end: number;
  line: number;
  column: number;
}

export function span(start: number, end: number): Span {
  return { start, end, line: 0, column: 0 };
}

/** What every finding in a file says of itself. */
export interface Found {
  readonly at: Span;
  /** How it was recognised, in a short word. */
  readonly basis: string;
  readonly confidence: "observed" | "inferred";
}

export const importKinds = [
  "import",
  "export-from",
  "dynamic-import",
  "require",
  "require-resolve",
  "import-scripts",
  "worker",
  "shared-worker",
  "service-worker",
  "worklet",
  "child-script",
  "url",
  "glob",
  "native-addon",
] as const;
export type ImportKind = (typeof importKinds)[number];

/** One file asks for another. */
export interface ImportFact extends Found {
  readonly kind: ImportKind;
  /** Null when it is put together at run time; `pattern` then holds what is constant of it. */
  readonly specifier: string | null;
  readonly pattern: string | null;
  /** What the specifier counts from where that is not the file: `dirname`, `page`. */
  readonly base: "file" | "page";
}

export interface EndpointFact extends Found {
  /** `{}` stands for what is put in at run time. */
  readonly value: string;
  readonly method: string | null;
}

export interface RouteFact extends Found {
  readonly value: string;
  /** Of a server's route; null where it takes every method, or is no server's. */
  readonly method: string | null;
}

export interface StorageFact extends Found {
  readonly area: "local-storage" | "session-storage" | "indexed-db" | "cookie" | "cache-storage" | "electron-store" | "safe-storage" | "file" | "sqlite";
  readonly operation: "read" | "write" | "remove" | "open";
  readonly key: string | null;
}

export interface EnvironmentFact extends Found {
  readonly source: "process-env" | "import-meta-env" | "argv";
  readonly name: string | null;
}

export interface HintFact extends Found {
  readonly kind: "bundler" | "framework" | "package";
  readonly name: string;
  readonly version: string | null;
}

/** A bundled module asks its bundle for another module, or for a chunk. */
export interface ModuleRequest {
  readonly id: string;
  readonly kind: "import" | "chunk";
  readonly at: Span;
}
