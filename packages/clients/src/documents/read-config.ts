import { isJsonObject, type JsonObject, type JsonValue } from "@rea/core";
import type { ConfigFormat } from "../table/clients.js";
import { entryName, failed, type ConfigDocument, type EntryChange, type ReadDocument } from "./config-document.js";
import { decodeConfig, type ConfigText } from "./config-text.js";
import { isSameData } from "./same-data.js";
import { readJsonDocument } from "./json-document.js";
import { readTomlDocument } from "./toml-document.js";

/** A configuration with what stands before its text. */
export type ReadConfig =
  | { readonly ok: true; readonly document: ConfigDocument; readonly mark: ConfigText["mark"] }
  | Extract<ReadDocument, { ok: false }>;

/** Bytes to write, and what they say. */
export interface WrittenConfig {
  readonly bytes: Uint8Array;
  readonly read: Extract<ReadConfig, { ok: true }>;
}

/** Reads a configuration file by its client's format, or tells line and column of what is wrong. */
export function readConfig(bytes: Uint8Array, format: ConfigFormat): ReadConfig {
  const decoded = decodeConfig(bytes);
  if (!("text" in decoded)) return failed(decoded);
  if (decoded.mark !== "" && !format.byteOrderMark) {
    return failed({ line: 1, column: 1, what: "the file begins with a byte order mark, which this client does not read" });
  }
  const read = format.syntax === "toml" ? readTomlDocument(decoded.text, format.container) : readJsonDocument(decoded.text, format);
  return read.ok ? { ...read, mark: decoded.mark } : read;
}

/**
 * The bytes with the entry changed. What comes out is read again and compared: only the entry may differ. A plain Error
 * says that REA's own editing is at fault, and nothing may be written then.
 */
export function changedConfig(read: Extract<ReadConfig, { ok: true }>, change: EntryChange, format: ConfigFormat): WrittenConfig {
  const bytes = Buffer.from(`${read.mark}${read.document.with(change)}`);
  const again = readConfig(bytes, format);
  if (!again.ok) throw new Error("an edited configuration cannot be read again");
  const expected = withEntry(read.document, change, format.container);
  if (!isSameData(again.document.data, expected)) throw new Error("an edited configuration says something else");
  return { bytes, read: again };
}

/** What removal leaves, most likely first; each was read again, and only the entry is missing. */
export function removedConfigs(read: Extract<ReadConfig, { ok: true }>, format: ConfigFormat): readonly (WrittenConfig & { readonly container: boolean })[] {
  const { [format.container]: servers, ...others } = read.document.data;
  const { [entryName]: _gone, ...rest } = isJsonObject(servers) ? servers : {};
  const allowed = Object.keys(rest).length === 0 ? [others, { ...others, [format.container]: {} }] : [{ ...others, [format.container]: rest }];
  return read.document.without().flatMap(({ text, container }) => {
    const bytes = Buffer.from(`${read.mark}${text}`);
    const again = readConfig(bytes, format);
    const right = again.ok && allowed.some((data) => isSameData(again.document.data, data));
    return again.ok && right ? [{ bytes, read: again, container }] : [];
  });
}

function withEntry({ data, entry }: ConfigDocument, { set, environment }: EntryChange, container: string): JsonObject {
  const servers = data[container];
  const changed: { [key: string]: JsonValue } = { ...(isJsonObject(entry) ? entry : {}), ...Object.fromEntries(set) };
  if (environment.value === null) delete changed[environment.key];
  else if (environment.value !== undefined) changed[environment.key] = environment.value;
  return { ...data, [container]: { ...(isJsonObject(servers) ? servers : {}), [entryName]: changed } };
}
