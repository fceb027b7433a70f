import type { Bundler } from "../parts/found-part.js";
import type { Dialect, Language } from "../syntax/parse-outcome.js";
import type { ElectronFacts } from "./electron-fact.js";
import type { ExportFacts } from "./exports/export-fact.js";
import type { EndpointFact, EnvironmentFact, Found, HintFact, ImportFact, ModuleRequest, RouteFact, Span, StorageFact } from "./fact.js";
import type { GlobalUse } from "./global-uses.js";
import type { SourceMapLink } from "./source-map-link.js";
import type { UnitMarks } from "./unit-marks.js";

/** A module that a bundler wrote into the file. */
export interface ModuleFact extends Found {
  readonly bundler: Bundler;
  readonly id: string;
  readonly path: string | null;
}

export interface ChunkFact extends Found {
  readonly bundler: Bundler;
  readonly ids: readonly string[];
}

export interface ProblemFact {
  readonly what: string;
  /** Null when the parser does not tell. */
  readonly at: Span | null;
}

/** What a file or a module is recognised by, and what it hands out. */
export interface UnitFacts {
  readonly marks: UnitMarks;
  readonly exports: ExportFacts;
}

/** Everything that one text says. The syntax tree is gone when this exists. */
export interface ScriptFacts {
  readonly dialect: Dialect | "unreadable";
  readonly language: Language | null;
  readonly nodes: number;
  readonly problems: readonly ProblemFact[];
  readonly omitted: number;
  readonly modules: readonly ModuleFact[];
  readonly chunks: readonly ChunkFact[];
  readonly imports: readonly ImportFact[];
  readonly requests: readonly ModuleRequest[];
  readonly endpoints: readonly EndpointFact[];
  readonly routes: readonly RouteFact[];
  readonly storage: readonly StorageFact[];
  readonly environment: readonly EnvironmentFact[];
  readonly hints: readonly HintFact[];
  readonly electron: ElectronFacts;
  /** Uses of globals that nothing in the file defines. */
  readonly globals: readonly GlobalUse[];
  /** Texts exported by name. */
  readonly constants: readonly (readonly [string, string])[];
  readonly sourceMap: SourceMapLink | null;
  /** Of the whole text, and of its modules by position; null for a text that was not read. */
  readonly unit: UnitFacts | null;
  readonly moduleUnits: readonly UnitFacts[];
}

