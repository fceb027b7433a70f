import type { ScriptReading, SourceMapReading } from "@rea/core";
import type { Text } from "../text/decode.js";
import type { SemanticLimits } from "../semantics/file-semantics.js";
import type { ScriptFile } from "../files/read-file.js";

/** What a thread can be asked. */
export type Job =
  | { readonly kind: "read_script"; readonly text: string; readonly limits: { readonly astNodes: number; readonly findings: number } }
  | { readonly kind: "read_source_map"; readonly text: string; readonly limits: { readonly sources: number; readonly mappings: number } }
  | { readonly kind: "script_file"; readonly file: ScriptFile }
  | { readonly kind: "map_file"; readonly bytes: Uint8Array; readonly limits: ScriptFile["limits"] }
  | { readonly kind: "page_file"; readonly bytes: Uint8Array; readonly limits: ScriptFile["limits"] & { readonly semantics: SemanticLimits } };

export type Answer =
  | { readonly kind: "script"; readonly reading: ScriptReading }
  | { readonly kind: "source_map"; readonly reading: SourceMapReading }
  | FileAnswer;

/** What a file says, as texts: they pass between threads without being copied, and are kept as they are. */
export interface FileAnswer {
  readonly kind: "file";
  /** See `factsIn`. */
  readonly facts: Text;
  /** See `semanticsText`; empty for a file that has none. */
  readonly semantics: Text;
}

export interface JobMessage {
  readonly id: number;
  readonly job: Job;
}

export type ReplyMessage =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly error: string };
