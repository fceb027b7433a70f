import { escapeBytes, type CaptureNormalization, type RenderedFrame } from "@rea/core";
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

export function createView({ rules, pids, paths, values }: ViewFacts): Normalizer {
  return createNormalizer({ rules, pids: processAliases(pids), paths, values, compile: linearPattern });
}

/** The output as text; control sequences stay, and part the words around them. */
export function normalizedTerminal(view: Normalizer, bytes: Uint8Array): string {
  const parts = escapeBytes(bytes, "utf-8", { multiline: true }).split(sequence);
  return parts.map((part, index) => (index % 2 === 1 ? part : view.text(part))).join("");
}

/** The frame with its normalised lines, where they differ. */
export function withNormalizedLines(view: Normalizer, frame: RenderedFrame): RenderedFrame {
  const lines = frame.lines.map((line) => view.text(line));
  return { ...frame, normalized_lines: lines.every((line, index) => line === frame.lines[index]) ? null : lines };
}
