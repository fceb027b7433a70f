import { isJsonObject } from "@rea/core";
import type { ConfigDocument } from "../documents/config-document.js";
import type { Client, ConfigFormat } from "../table/clients.js";
import { commandVectors, differingPositions, isAlignedVector, isReaVector, type CommandVector } from "./command-vector.js";
import { environmentKey, startTimeoutOf, startTimeoutSeconds, vectorOf } from "./entry.js";
import type { Installation } from "./installation.js";

/** How an entry that exists stands to this version and this CLI. Never holds a value of its environment. */
export interface EntryState {
  readonly state: "aligned" | "stale";
  /** The entry starts REA, of whatever version; only such an entry is changed or removed. */
  readonly own: boolean;
  /** Null when the entry starts no command. */
  readonly vector: CommandVector | null;
  readonly expected: CommandVector;
  readonly differing_positions: readonly number[];
  /** The time to start that this client is asked for is not the one it should be. */
  readonly timeout_differs: boolean;
  /** Names of the variables that the entry sets. */
  readonly variables: readonly string[];
}

/** Judges the entry of a document; null when there is none. */
export function entryState(
  { entry }: Pick<ConfigDocument, "entry">,
  { shape }: ConfigFormat,
  { installation, platform }: { readonly installation: Installation; readonly platform: NodeJS.Platform },
): EntryState | null {
  if (entry === undefined) return null;
  const vector = vectorOf(entry, shape);
  const forms = commandVectors(installation, platform);
  const timeout = shape.kind === "command_args" && shape.timeout_key !== undefined ? startTimeoutOf(entry, shape) !== startTimeoutSeconds * 1000 : false;
  const aligned = vector !== null && isAlignedVector(vector, forms) && !timeout;
  const [expected] = forms;
  const environment = isJsonObject(entry) ? entry[environmentKey(shape)] : undefined;
  return {
    state: aligned ? "aligned" : "stale",
    own: vector !== null && isReaVector(vector, installation.package_name),
    vector,
    expected,
    differing_positions: aligned || vector === null ? [] : differingPositions(vector, nearest(vector, forms)),
    timeout_differs: timeout,
    variables: isJsonObject(environment) ? Object.keys(environment).sort() : [],
  };
}

/** The form that differs in fewer positions. */
function nearest(vector: CommandVector, [first, second]: readonly [CommandVector, CommandVector]): CommandVector {
  return differingPositions(vector, second).length < differingPositions(vector, first).length ? second : first;
}

/** The time a client gives this registration to start, in milliseconds. */
export function startLimitOf(client: Client, entry: ConfigDocument["entry"]): number {
  const asked = client.config === null || entry === undefined ? undefined : startTimeoutOf(entry, client.config.shape);
  return asked ?? client.startTimeoutMs;
}
