import { isJsonObject, type JsonObject, type JsonValue } from "@rea/core";
import type { EntryChange } from "../documents/config-document.js";
import { setting, type ClientHost } from "../table/client-host.js";
import type { EntryShape } from "../table/clients.js";
import type { CommandVector } from "./command-vector.js";

/** Settings of the environment that a registration passes on; none of them is a secret. Sorted. */
const passedSettings = ["GHIDRA_INSTALL_DIR", "HOPPER_LAUNCHER_PATH", "JAVA_HOME", "REA_ANALYSIS_PROVIDER"] as const;

/** Seconds a registration asks a client to wait where it can ask. */
export const startTimeoutSeconds = 30;

/** The command vector of an entry; null when the entry does not start a command. */
export function vectorOf(entry: JsonValue, shape: EntryShape): CommandVector | null {
  if (!isJsonObject(entry)) return null;
  const { command, args } = entry;
  if (shape.kind === "command_array") return isTexts(command) && command.length > 0 ? command : null;
  if (typeof command !== "string" || command === "") return null;
  if (args === undefined) return [command];
  return isTexts(args) ? [command, ...args] : null;
}

function isTexts(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** The time to start that an entry asks for, in milliseconds; undefined when the shape has none or the entry does not. */
export function startTimeoutOf(entry: JsonValue, shape: EntryShape): number | undefined {
  if (shape.kind !== "command_args" || shape.timeout_key === undefined || !isJsonObject(entry)) return undefined;
  const seconds = entry[shape.timeout_key];
  return typeof seconds === "number" ? Math.round(seconds * 1000) : undefined;
}

export function environmentKey(shape: EntryShape): "env" | "environment" {
  return shape.kind === "command_array" ? "environment" : "env";
}

/** The settings that are set now. */
export function settingsNow(env: ClientHost["env"]): { readonly [name: string]: string } {
  return Object.fromEntries(
    passedSettings.flatMap((name): [string, string][] => {
      const value = setting(env, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** What must change in an entry so that it starts `vector` with the settings of now. Empty: nothing. */
export function entryChange(entry: JsonValue | undefined, vector: CommandVector, shape: EntryShape, env: ClientHost["env"]): EntryChange {
  const present = isJsonObject(entry) ? entry : {};
  const fresh = !isJsonObject(entry);
  const fixed: { readonly [key: string]: JsonValue } = shape.fixed;
  const wanted: (readonly [string, JsonValue])[] = [
    ...Object.entries(fixed).filter(([key]) => fresh || !Object.hasOwn(present, key)),
    ...commandMembers(vector, shape),
  ];
  const key = environmentKey(shape);
  return {
    set: wanted.filter(([name, value]) => JSON.stringify(present[name]) !== JSON.stringify(value)),
    environment: { key, value: environmentChange(present, key, settingsNow(env)) },
  };
}

export function isEmptyChange(change: EntryChange): boolean {
  return change.set.length === 0 && change.environment.value === undefined;
}

function commandMembers(vector: CommandVector, shape: EntryShape): [string, JsonValue][] {
  if (shape.kind === "command_array") return [["command", [...vector]]];
  const [command = "", ...args] = vector;
  const members: [string, JsonValue][] = [
    ["command", command],
    ["args", args],
  ];
  return shape.timeout_key === undefined ? members : [...members, [shape.timeout_key, startTimeoutSeconds]];
}

/** What a user put into the environment stays; of REA's own settings it holds those that are set now. */
function environmentChange(entry: JsonObject, key: string, now: { readonly [name: string]: string }): EntryChange["environment"]["value"] {
  const present = entry[key];
  const given = isJsonObject(present) ? present : {};
  const own: ReadonlySet<string> = new Set(passedSettings);
  const others = Object.entries(given).filter(([name]) => !own.has(name));
  const wanted = Object.fromEntries([...others, ...Object.entries(now)].sort(([a], [b]) => (a < b ? -1 : 1)));
  const names = new Set([...Object.keys(given), ...Object.keys(wanted)]);
  if ([...names].every((name) => given[name] === wanted[name])) return undefined;
  return Object.keys(wanted).length === 0 ? null : wanted;
}
