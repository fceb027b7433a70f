import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Options, PositionalOptions } from "yargs";
import type { CommandArgument } from "@rea/tool";
import { UsageError } from "./usage-error.js";

const maximumJsonBytes = 64 * 1024 * 1024;

/** An input field as a yargs option. Defaults stay with the tool; help only shows them. */
export function optionOf(argument: CommandArgument): Options {
  return {
    ...positionalOf(argument),
    array: argument.array,
    demandOption: argument.required,
    requiresArg: argument.type !== "boolean",
    ...(argument.default === undefined ? {} : { defaultDescription: String(argument.default) }),
  };
}

export function positionalOf(argument: CommandArgument): PositionalOptions {
  return {
    type: argument.type === "boolean" ? "boolean" : "string",
    describe: described(argument),
    ...(argument.choices === undefined ? {} : { choices: argument.choices }),
    coerce: (value: unknown) => (Array.isArray(value) ? value.map((item) => valueOf(argument, item)) : valueOf(argument, value)),
  };
}

function described(argument: CommandArgument): string {
  const { minimum, maximum } = argument;
  if (minimum === undefined || maximum === undefined || maximum === Number.MAX_SAFE_INTEGER) return argument.description;
  return `${argument.description} (${minimum}..${maximum})`;
}

function valueOf(argument: CommandArgument, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (argument.type === "integer") return integer(argument.flag, value);
  if (argument.type === "json") return jsonValue(argument.flag, value);
  return argument.path ? localPath(value) : value;
}

function integer(flag: string, text: string): number {
  if (/^-?[0-9]{1,16}$/.test(text)) return Number(text);
  throw new UsageError(`--${flag} takes a whole number`);
}

function jsonValue(flag: string, text: string): unknown {
  const source = text.startsWith("@") ? readJsonFile(flag, text.slice(1)) : text;
  try {
    return JSON.parse(source);
  } catch {
    throw new UsageError(`--${flag} takes JSON, inline or as @FILE`);
  }
}

function readJsonFile(flag: string, path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) throw new UsageError(`--${flag}: the file after @ does not exist`);
  if (stat.size > maximumJsonBytes) throw new UsageError(`--${flag}: the file after @ is larger than 64 MiB`);
  return readFileSync(path, "utf8");
}

/** A path as the user wrote it, made absolute; URLs stay as they are so that the tool can refuse them by form. */
export function localPath(text: string): string {
  return /^[A-Za-z][A-Za-z0-9+.-]+:\/\//.test(text) ? text : resolve(text);
}
