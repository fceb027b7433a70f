import type { JsonObject, JsonValue, z } from "@rea/core";

/** One request as it is put on the wire. */
export interface EngineRequest {
  /** Unique on its connection; starts at 1 and rises. */
  readonly id: number;
  readonly token: string;
  readonly method: string;
  readonly params: JsonObject;
}

/** A refusal by the engine, in its own words: text that is not trusted. */
export interface EngineFailure {
  readonly code: string;
  readonly message: string;
  readonly type?: string;
}

export interface EngineProgress {
  /** Lower-case words joined by `_`; anything else is replaced, so that no text of a target gets into progress. */
  readonly phase: string;
  readonly completed: number;
  readonly total: number | null;
}

/** What an engine may say after its handshake. */
export type EngineFrame =
  | { readonly kind: "answer"; readonly id: number; readonly result: JsonValue }
  | { readonly kind: "failure"; readonly id: number; readonly failure: EngineFailure }
  | { readonly kind: "progress"; readonly id: number; readonly progress: EngineProgress };

/** The language of one engine: one JSON object a line, both ways. */
export interface EngineProtocol {
  /** Of a line from the engine, without its line feed. */
  readonly maximumLineBytes: number;
  /** Of a line to the engine, in UTF-16 code units. */
  readonly maximumRequestLength: number;
  /** Turns a parsed line into a frame. Strict: what it does not know ends the connection. */
  readonly frames: z.ZodType<EngineFrame>;
  request(request: EngineRequest): JsonObject;
  /** Absent when the engine cannot be told to stop; what it works on is then waited for. */
  cancel?(request: { readonly id: number; readonly token: string }): JsonObject;
  /** Absent when the engine cannot be asked to end by itself. */
  shutdown?(request: { readonly id: number; readonly token: string }): JsonObject;
}
