import { escapeBytes, type CaptureNormalization } from "@rea/core";
import type { KnownValue } from "./known-values.js";
import { linearPattern } from "./linear-pattern.js";
import { createNormalizer, processAliases, type Normalizer } from "./normalizer.js";

export interface ViewFacts {
  readonly rules: CaptureNormalization;
  /** Of all processes seen, in order of first sight. */
  readonly pids: readonly number[];
  readonly paths: readonly KnownValue[];
  readonly values: readonly KnownValue[];
}

/** What a terminal does not show: control sequences (ECMA-48) and operating system commands, in escaped form. */
const sequence = /(\\u\{1b\}(?:\[[0-?]*[ -/]*[@-~]|\][^\\\n]*(?:\\u\{7\}|\\u\{1b\}\\)|[ -/]*[0-Z^-~]))/u;

function createView({ rules, pids, paths, values }: ViewFacts): Normalizer {
  return createNormalizer({ rules, pids: processAliases(pids), paths, values, compile: linearPattern });
}

/** The output as text; control sequences stay, and part the words around them. */
function normalizedTerminal(view: Normalizer, bytes: Uint8Array): string {
  const parts = escapeBytes(bytes, "utf-8", { multiline: true }).split(sequence);
  return parts.map((part, index) => (index % 2 === 1 ? part : view.text(part))).join("");
}

/** What is to be normalised, and by what: plain data, so that another thread can do it. */
export interface OutputToNormalize {
  readonly facts: ViewFacts;
  readonly terminal: Uint8Array;
  /** Lines of each rendered frame. */
  readonly frames: readonly (readonly string[])[];
}

export interface NormalizedOutput {
  readonly terminal: string;
  /** By frame: its lines, null where normalising changes none. */
  readonly frames: readonly (string[] | null)[];
}

export function normalizeOutput({ facts, terminal, frames }: OutputToNormalize): NormalizedOutput {
  const view = createView(facts);
  return { terminal: normalizedTerminal(view, terminal), frames: frames.map((lines) => normalizedLines(view, lines)) };
}

function normalizedLines(view: Normalizer, given: readonly string[]): string[] | null {
  const lines = given.map((line) => view.text(line));
  return lines.every((line, index) => line === given[index]) ? null : lines;
}
