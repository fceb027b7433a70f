import type { ScriptReading, SourceMapReading } from "@rea/core";

/** What a thread can be asked. */
export type Job =
  | { readonly kind: "read_script"; readonly text: string; readonly limits: { readonly astNodes: number; readonly findings: number } }
  | { readonly kind: "read_source_map"; readonly text: string; readonly limits: { readonly sources: number; readonly mappings: number } };

export type Answer =
  | { readonly kind: "script"; readonly reading: ScriptReading }
  | { readonly kind: "source_map"; readonly reading: SourceMapReading };

export interface JobMessage {
  readonly id: number;
  readonly job: Job;
}

export type ReplyMessage =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly error: string };
