import type { Options } from "yargs";

/** Options every command that prints a result takes. */
export const outputOptions = {
  json: { type: "boolean", describe: "Print the exact tool outcome as JSON" },
  format: { choices: ["text", "json"], describe: "How to print the result" },
  output: { type: "string", requiresArg: true, describe: "Write the result to this file (JSON unless --format text)" },
  "save-evidence": { type: "string", requiresArg: true, describe: "Also write the session's Evidence bundle to this file" },
} as const satisfies Record<string, Options>;

/** Options of commands that open PATH as the session's target. */
export const targetOptions = {
  provider: { type: "string", requiresArg: true, describe: "Analysis provider: an id, or auto" },
  snapshot: { type: "string", requiresArg: true, describe: "Analysis snapshot: read when it exists, written on success" },
  architecture: { type: "string", requiresArg: true, describe: "Slice of a universal file" },
  "raw-architecture": { type: "string", requiresArg: true, describe: "Read a file without a header as this machine code" },
  "raw-base": { type: "string", requiresArg: true, describe: "Address of a raw file's first byte" },
  "raw-endian": { choices: ["little", "big"], describe: "Byte order of a raw file" },
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
}

/** JSON when asked for, and in files unless text is asked for. */
export function wantsJson(given: OutputArguments): boolean {
  if (given.format !== undefined) return given.format === "json";
  return given.json === true || given.output !== undefined;
}
