import { isJsonObject, type JournalCollection, type JsonObject, type JsonValue, type ProcessCapture } from "@rea/core";
import { createNormalizer, processAliases, type PatternFinder } from "../normalize/normalizer.js";
import { comparedItem, type ComparedItem } from "./compared-items.js";

/** A capture together with what comparing it needs. */
export interface CaptureView {
  readonly capture: ProcessCapture;
  /** Place of an entry in the journal; null when it has none. */
  orderOf(collection: JournalCollection, index: number): number | null;
  /** Text as the capture's normalisation makes it, what the run made up replaced. */
  normalized(text: string): string;
  /** Why a collection may lack something; empty when it is whole. */
  omissionsOf(scopes: readonly string[]): readonly string[];
  /** Entries of a collection without the fields that differ from run to run, their texts normalised. */
  items(collection: "interaction_events" | "protocol_events" | "replay_transitions" | "shim_events", dropped: readonly string[]): readonly ComparedItem[];
}

/** The name of the directory that a run gets for itself, wherever it turns up. */
const ownDirectory = /rea-capture-[A-Za-z0-9]{6}(?![A-Za-z0-9])/g;
/** The address of a server of the run, with its token, whether or not the port is normalised already. */
const ownServer = /127\.0\.0\.1:(?:[0-9]{1,5}|<port>)\/[0-9a-f]{48}(?![0-9a-f])/g;

export function viewCapture(capture: ProcessCapture, compile: (pattern: string) => PatternFinder): CaptureView {
  const orders = new Map(capture.event_journal.map(({ capture_order, collection, index }) => [`${collection} ${String(index)}`, capture_order] as const));
  const pids = processAliases(capture.process_samples.flatMap(({ appeared }) => appeared.map(({ pid }) => pid)));
  const normalizer = createNormalizer({ rules: capture.manifest.comparison_contract.normalization, paths: [], values: [], pids, compile });
  const normalized = (text: string): string => normalizer.text(stable(text));
  const orderOf: CaptureView["orderOf"] = (collection, index) => orders.get(`${collection} ${String(index)}`) ?? null;
  return {
    capture,
    orderOf,
    normalized,
    omissionsOf: (scopes) =>
      capture.coverage.omissions.filter(({ scope }) => scopes.some((one) => scope === one || scope.startsWith(`${one} `) || scope.startsWith(`${one},`))).map(({ scope, reason }) => `${scope}: ${reason}`),
    items: (collection, dropped) => capture[collection].map((entry, index) => comparedItem(normalizedFields(without(entry, dropped), normalized), orderOf(collection, index))),
  };
}

/** Without what a run makes up for itself: the random part of its directory's name, ports and tokens of its servers. */
export function stable(text: string): string {
  return text.replace(ownDirectory, "rea-capture-<run>").replace(ownServer, "127.0.0.1:<port>/<token>");
}

function without(entry: JsonObject, dropped: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !dropped.includes(key)));
}

/** Digests and encoded bytes are no text. */
const verbatim: ReadonlySet<string> = new Set(["sha256", "data_base64"]);

export function normalizedFields(value: JsonObject, normalized: (text: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, verbatim.has(key) ? item : normalizedValue(item, normalized)]));
}

function normalizedValue(value: JsonValue, normalized: (text: string) => string): JsonValue {
  if (typeof value === "string") return normalized(value);
  if (isJsonObject(value)) return normalizedFields(value, normalized);
  return isArray(value) ? value.map((item) => normalizedValue(item, normalized)) : value;
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
