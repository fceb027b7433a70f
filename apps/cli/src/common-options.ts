import type { Options } from "yargs";
import { choiceOption, fileOption, textOption } from "./argument-values.js";

/** Options every command that prints a result takes. */
export const outputOptions = {
  json: { type: "boolean", describe: "Print the exact tool outcome as JSON" },
  format: choiceOption("format", ["text", "json"], "How to print the result"),
  output: fileOption("output", "Write the result to this file (JSON unless --format text)"),
  "save-evidence": fileOption("save-evidence", "Also write the session's Evidence bundle to this file"),
} as const satisfies Record<string, Options>;

/** The same for a result that can also be printed as documents of other tools. */
export function outputOptionsWith(documents: readonly string[]): Record<string, Options> {
  return { ...outputOptions, format: choiceOption("format", ["text", "json", ...documents], "How to print the result") };
}

/** Options of commands that open PATH as the session's target. */
export const targetOptions = {
  provider: textOption("provider", "Analysis provider: an id, or auto"),
  snapshot: fileOption("snapshot", "Analysis snapshot: read when it exists, written on success"),
  architecture: textOption("architecture", "Slice of a universal file"),
  "raw-architecture": textOption("raw-architecture", "Read a file without a header as this machine code"),
  "raw-base": textOption("raw-base", "Address of a raw file's first byte"),
  "raw-endian": choiceOption("raw-endian", ["little", "big"], "Byte order of a raw file"),
  warm: { type: "boolean", describe: "First start the engine and wait until it has analysed the file" },
} as const satisfies Record<string, Options>;

export interface OutputArguments {
  readonly path?: string | undefined;
  readonly json?: boolean | undefined;
  readonly format?: string | undefined;
  readonly output?: string | undefined;
  readonly "save-evidence"?: string | undefined;
}

export interface TargetArguments {
  readonly provider?: string | undefined;
  readonly snapshot?: string | undefined;
  readonly architecture?: string | undefined;
  readonly "raw-architecture"?: string | undefined;
  readonly "raw-base"?: string | undefined;
  readonly "raw-endian"?: string | undefined;
  readonly warm?: boolean | undefined;
}

/** JSON when asked for, and in files unless text is asked for. */
export function wantsJson(given: OutputArguments): boolean {
  return errorsAsJson(given) || (given.format === undefined && given.output !== undefined);
}

/** Errors are JSON only when JSON was asked for: they are never written to the output file. */
export function errorsAsJson(given: OutputArguments): boolean {
  return given.format === undefined ? given.json === true : given.format === "json";
}
