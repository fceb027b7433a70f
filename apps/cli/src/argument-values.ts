import { readFileSync, statSync } from "node:fs";
import type { Options, PositionalOptions } from "yargs";
import type { CommandArgument } from "@rea/tool";
import { BundleRecord } from "./bundle-record.js";
import { jsonFile } from "./json-file.js";
import { isUrl, localPath } from "./local-path.js";
import { isMarked, operandText } from "./operands.js";
import { placeOf } from "./record-place.js";
import { UsageError } from "./usage-error.js";

export { localPath } from "./local-path.js";

const maximumJsonBytes = 64 * 1024 * 1024;

/** An input field as a yargs option. Defaults stay with the tool; help only shows them. */
export function optionOf(argument: CommandArgument): Options {
  return {
    ...described(argument, `--${argument.flag}`),
    array: argument.array,
    demandOption: argument.required,
    requiresArg: argument.type !== "boolean",
    ...(argument.default === undefined ? {} : { defaultDescription: String(argument.default) }),
  };
}

export function positionalOf(argument: CommandArgument): PositionalOptions {
  return described(argument, `<${argument.flag}>`);
}

/** A required operand of a command of the app itself. */
export function operand(name: string, describe: string) {
  return { type: "string", demandOption: true, describe, coerce: (value: unknown) => given(`<${name}>`, value) ?? "" } as const;
}

/** An option that takes one text that is not empty. */
export function textOption(flag: string, describe: string) {
  return { type: "string", requiresArg: true, describe, coerce: (value: unknown) => given(`--${flag}`, value) } as const;
}

/** An option that names a local file. */
export function fileOption(flag: string, describe: string) {
  const coerce = (value: unknown) => {
    const text = given(`--${flag}`, value);
    if (text !== undefined && isUrl(text)) throw new UsageError(`--${flag} takes a local path, not a URL`);
    return text;
  };
  return { type: "string", requiresArg: true, describe, coerce } as const;
}

/** An option that names a file each time it is given. */
export function filesOption(flag: string, describe: string) {
  const one = fileOption(flag, describe);
  const coerce = (values: readonly unknown[]): readonly string[] => values.flatMap((value) => one.coerce(value) ?? []);
  return { ...one, coerce, array: true, nargs: 1 } as const;
}

/** An option that takes one word of a list. */
export function choiceOption<const T extends string>(flag: string, choices: readonly T[], describe: string) {
  return { choices, requiresArg: true, describe, coerce: (value: unknown) => given(`--${flag}`, value) } as const;
}

function described(argument: CommandArgument, shown: string): PositionalOptions {
  return {
    type: argument.type === "boolean" ? "boolean" : "string",
    describe: descriptionOf(argument),
    ...(argument.choices === undefined ? {} : { choices: argument.choices }),
    coerce: (value: unknown) => {
      // A list of records may also be given as one list in JSON.
      if (argument.array && Array.isArray(value)) return value.flatMap((item) => valueOf(argument, shown, item));
      return valueOf(argument, shown, once(shown, value));
    },
  };
}

function descriptionOf(argument: CommandArgument): string {
  const { minimum, maximum } = argument;
  if (minimum === undefined || maximum === undefined || maximum === Number.MAX_SAFE_INTEGER) return argument.description;
  return `${argument.description} (${minimum}..${maximum})`;
}

function once(shown: string, value: unknown): unknown {
  if (Array.isArray(value)) throw new UsageError(`${shown} is given more than once`);
  return value;
}

function given(shown: string, value: unknown): string | undefined {
  const text = once(shown, value);
  if (typeof text !== "string") return undefined;
  return notEmpty(shown, wordOf(shown, text));
}

/** The word as it was written. An option's value never stands behind `--`. */
function wordOf(shown: string, text: string): string {
  if (isMarked(text) && shown.startsWith("--")) throw new UsageError(`${shown} needs a value`);
  return operandText(text);
}

function notEmpty(shown: string, text: string): string {
  if (text === "") throw new UsageError(`${shown} is empty`);
  return text;
}

function valueOf(argument: CommandArgument, shown: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = wordOf(shown, value);
  if (argument.type === "integer") return integer(argument, shown, text);
  if (argument.type === "json") return jsonValue(shown, text);
  if (argument.type === "evidence") return evidenceValue(shown, text);
  return argument.path ? localPath(notEmpty(shown, text)) : text;
}

/** A record: inline or from a file, a reference by its id, or a record of a bundle that is to be imported first. */
function evidenceValue(shown: string, text: string): unknown {
  const { path, id } = placeOf(notEmpty(shown, text));
  if (id !== undefined) return new BundleRecord(localPath(path), id);
  if (/^ev_[0-9a-f]{64}$/u.test(text)) return { evidence_id: text };
  const value = /^[[{@]/u.test(text) ? jsonValue(shown, text) : jsonFile(shown, text);
  // What a command answers with --json holds the record.
  return typeof value === "object" && value !== null && "evidence" in value ? value.evidence : value;
}

function integer({ minimum, maximum }: CommandArgument, shown: string, text: string): number {
  const value = Number(text);
  const whole = /^-?[0-9]+$/.test(text) && Number.isSafeInteger(value);
  const least = minimum ?? Number.MIN_SAFE_INTEGER;
  const most = maximum ?? Number.MAX_SAFE_INTEGER;
  if (whole && value >= least && value <= most) return value;
  throw new UsageError(`${shown} takes a whole number${rangeText(least, most)}`);
}

function rangeText(least: number, most: number): string {
  if (least === Number.MIN_SAFE_INTEGER) return most === Number.MAX_SAFE_INTEGER ? "" : ` of at most ${most}`;
  return most === Number.MAX_SAFE_INTEGER ? ` of at least ${least}` : ` from ${least} to ${most}`;
}

function jsonValue(shown: string, text: string): unknown {
  const source = text.startsWith("@") ? readJsonFile(shown, text.slice(1)) : text;
  try {
    return JSON.parse(source);
  } catch {
    throw new UsageError(`${shown} takes JSON, inline or as @FILE`);
  }
}

function readJsonFile(shown: string, path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) throw new UsageError(`${shown}: the file after @ does not exist`);
  if (stat.size > maximumJsonBytes) throw new UsageError(`${shown}: the file after @ is larger than 64 MiB`);
  return readFileSync(path, "utf8");
}
