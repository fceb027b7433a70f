import type { JsonObject, JsonValue } from "@rea/core";
import type { ConfigProblem } from "./config-text.js";

/** Name of REA's own entry in every client. */
export const entryName = "rea";

/** What is to become of an entry: members to set, and which variables of its environment. */
export interface EntryChange {
  readonly set: readonly (readonly [key: string, value: JsonValue])[];
  readonly environment: {
    /** Key of the environment in this client's entries. */
    readonly key: string;
    /** The environment as it is to be; null takes the key away. Undefined leaves it alone. */
    readonly value: { readonly [name: string]: JsonValue } | null | undefined;
  };
}

/** A configuration that was read, and how REA's entry in it is changed. Texts are without byte order mark. */
export interface ConfigDocument {
  /** The entry as data; undefined when there is none. */
  readonly entry: JsonValue | undefined;
  /** Line of the entry, from 1; null when there is none. */
  readonly line: number | null;
  /** The whole configuration as data. */
  readonly data: JsonObject;
  /** Nothing is in it but blanks. */
  readonly blank: boolean;
  /** Ranges of texts and comments whose content is nobody's business in a plan. */
  readonly secrets: () => readonly (readonly [start: number, end: number])[];
  /** The text with the entry changed, or added. */
  with(change: EntryChange): string;
  /**
   * The texts that may have been there before the entry was added, most likely first: where an empty table remains, it may
   * have been there or not.
   */
  without(): readonly Removal[];
}

export interface Removal {
  readonly text: string;
  /** The table of servers remains, empty or not. */
  readonly container: boolean;
}

export type ReadDocument = { readonly ok: true; readonly document: ConfigDocument } | { readonly ok: false; readonly problem: ConfigProblem };

export function failed(problem: ConfigProblem): Extract<ReadDocument, { ok: false }> {
  return { ok: false, problem };
}
