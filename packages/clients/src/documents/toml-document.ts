import toml from "@iarna/toml";
import { isJsonObject, type JsonObject, type JsonValue } from "@rea/core";
import { entryName, failed, type ConfigDocument, type EntryChange, type ReadDocument, type Removal } from "./config-document.js";
import { lineAt, problemAt } from "./config-text.js";
import { changeEntry, locateEntry } from "./toml-entry.js";
import { insertEntry, removeEntry } from "./toml-edit.js";
import { tomlSecrets, tomlStatements } from "./toml-scan.js";

/** Reads a TOML configuration. Everything outside of REA's entry keeps its bytes. */
export function readTomlDocument(text: string, container: string): ReadDocument {
  let data: JsonObject;
  try {
    data = plainObject(toml.parse(text));
  } catch (error) {
    return failed(tomlProblem(text, error));
  }
  const servers = data[container];
  if (servers !== undefined && !isJsonObject(servers)) {
    const at = tomlStatements(text).find(({ path }) => path[0] === container)?.start ?? 0;
    return failed(problemAt(text, at, `${container} is not a table`));
  }
  return { ok: true, document: new TomlConfig(text, container, data) };
}

class TomlConfig implements ConfigDocument {
  readonly data: JsonObject;
  readonly #text: string;
  readonly #container: string;

  constructor(text: string, container: string, data: JsonObject) {
    this.#text = text;
    this.#container = container;
    this.data = data;
  }

  get blank(): boolean {
    return this.#text.trim() === "";
  }

  get entry(): JsonValue | undefined {
    const servers = this.data[this.#container];
    return isJsonObject(servers) && Object.hasOwn(servers, entryName) ? servers[entryName] : undefined;
  }

  get line(): number | null {
    const at = locateEntry(this.#text, this.#container)?.start;
    return at === undefined ? null : lineAt(this.#text, at);
  }

  secrets(): readonly (readonly [number, number])[] {
    return tomlSecrets(this.#text);
  }

  with(change: EntryChange): string {
    if (this.entry === undefined) return insertEntry(this.#text, this.#container, change);
    return changeEntry(this.#text, this.#container, change);
  }

  without(): readonly Removal[] {
    return removeEntry(this.#text, this.#container);
  }
}

/** Plain data of a parsed document: tables have no prototype there, and dates and large numbers are objects of their own. */
function plainObject(value: object): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, item]): [string, JsonValue] => [key, plain(item)]));
}

function plain(value: unknown): JsonValue {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "bigint") return String(value);
  if (value instanceof Date) return String(value.toISOString());
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === "object" && value !== null ? plainObject(value) : null;
}

function tomlProblem(text: string, error: unknown) {
  if (!(error instanceof Error)) throw error;
  const line = "line" in error && typeof error.line === "number" ? error.line + 1 : 1;
  const column = "col" in error && typeof error.col === "number" ? error.col + 1 : 1;
  const lines = text.split("\n").length;
  return { line: Math.min(line, lines), column, what: "the file is not valid TOML here" };
}
