import { isJsonObject, type JsonObject, type JsonValue } from "@rea/core";
import { entryName, failed, type ConfigDocument, type EntryChange, type ReadDocument, type Removal } from "./config-document.js";
import { applyEdits, lineAt, problemAt } from "./config-text.js";
import { insertMember, jsonText, layoutOf, removeMember, type JsonLayout } from "./json-edit.js";
import { objectAt, rootStart, type JsonMember, type JsonObjectText } from "./json-members.js";
import { strictJson } from "./json-grammar.js";
import { JsonScanner, type JsonRules } from "./json-scan.js";

export interface JsonPlace extends JsonRules {
  /** Member of the root that holds the servers. */
  readonly container: string;
}

/** Reads a JSON configuration. Everything outside of REA's entry keeps its bytes. */
export function readJsonDocument(text: string, place: JsonPlace): ReadDocument {
  const blank = text.trim() === "";
  const checked = strictJson(blank ? "{}" : text, place);
  if (!("json" in checked)) return failed(checked);
  const data: unknown = JSON.parse(checked.json);
  if (blank) return { ok: true, document: new JsonConfig("", place, { data: {}, root: null }) };
  if (!isJsonObject(data)) return failed(problemAt(text, rootStart(text), "the file does not hold an object"));
  const root = objectAt(text, rootStart(text));
  const containers = root.members.filter(({ name }) => name === place.container);
  const [container, second] = containers;
  if (second !== undefined) return failed(problemAt(text, second.start, `the member ${place.container} stands here a second time`));
  if (container === undefined) return { ok: true, document: new JsonConfig(text, place, { data, root }) };
  if (text.charAt(container.valueStart) !== "{") {
    return failed(problemAt(text, container.valueStart, `the value of ${place.container} is not an object`));
  }
  const [, again] = objectAt(text, container.valueStart).members.filter(({ name }) => name === entryName);
  if (again !== undefined) return failed(problemAt(text, again.start, "the entry rea stands here a second time"));
  return { ok: true, document: new JsonConfig(text, place, { data, root }) };
}

class JsonConfig implements ConfigDocument {
  readonly data: JsonObject;
  readonly #text: string;
  readonly #place: JsonPlace;
  /** Null when nothing is in the file. Files may be large, so their outline is read once. */
  readonly #found: Located | null;

  constructor(text: string, place: JsonPlace, { data, root }: { readonly data: JsonObject; readonly root: JsonObjectText | null }) {
    this.#text = text;
    this.#place = place;
    this.data = data;
    this.#found = root === null ? null : locateIn(text, root, place.container);
  }

  get blank(): boolean {
    return this.#text === "";
  }

  get entry(): JsonValue | undefined {
    const servers = this.data[this.#place.container];
    return isJsonObject(servers) && Object.hasOwn(servers, entryName) ? servers[entryName] : undefined;
  }

  get line(): number | null {
    const entry = this.#found?.entry;
    return entry === undefined ? null : lineAt(this.#text, entry.start);
  }

  secrets(): readonly (readonly [number, number])[] {
    const found: [number, number][] = [];
    const scanner = new JsonScanner(this.#text, 0, (start, end) => found.push([start, end]));
    let last: [number, number] | null = null;
    for (let kind = scanner.next(); kind !== "end" && kind !== "error"; kind = scanner.next()) {
      // A text in quotes with a colon behind it is a name.
      if (last !== null && kind !== ":") found.push(last);
      last = kind === "string" ? [scanner.start, scanner.end] : null;
    }
    return found;
  }

  with(change: EntryChange): string {
    const { container } = this.#place;
    const fresh = freshEntry(change);
    const found = this.#found;
    if (found === null) return `${jsonText({ [container]: { [entryName]: fresh } }, { lineBreak: "\n", step: "  " }, "")}\n`;
    const layout = layoutOf(this.#text, found.root);
    if (found.servers === undefined) {
      return applyEdits(this.#text, insertMember(this.#text, found.root, { name: container, value: { [entryName]: fresh } }, layout));
    }
    if (found.entry === undefined) {
      return applyEdits(this.#text, insertMember(this.#text, found.servers, { name: entryName, value: fresh }, layout));
    }
    if (this.#text.charAt(found.entry.valueStart) !== "{") return replaceValue(this.#text, found.entry, fresh, layout);
    return this.#changed(change, layout);
  }

  /** Member by member, so that what a user added to the entry stays as it is. */
  #changed(change: EntryChange, layout: JsonLayout): string {
    let text = this.#text;
    const set = (name: string, value: JsonValue | undefined): void => {
      const { entry } = locate(text, this.#place.container);
      if (entry === undefined) throw new Error("the entry is gone while it is changed");
      const object = objectAt(text, entry.valueStart);
      const present = object.members.filter((member) => member.name === name).at(-1);
      if (value === undefined) {
        if (present !== undefined) text = applyEdits(text, removeMember(text, object, present));
      } else if (present === undefined) {
        text = applyEdits(text, insertMember(text, object, { name, value }, layout));
      } else if (JSON.stringify(value) !== JSON.stringify(valueOf(text, present, this.#place))) {
        text = replaceValue(text, present, value, layout);
      }
    };
    for (const [name, value] of change.set) set(name, value);
    const { key, value } = change.environment;
    if (value !== undefined) set(key, value ?? undefined);
    return text;
  }

  without(): readonly Removal[] {
    if (this.#found === null) return [{ text: "", container: false }];
    const { root, container, servers, entry } = this.#found;
    if (entry === undefined || servers === undefined || container === undefined) return [{ text: this.#text, container: true }];
    const kept = applyEdits(this.#text, removeMember(this.#text, servers, entry));
    if (servers.members.length > 1) return [{ text: kept, container: true }];
    const bare = applyEdits(this.#text, removeMember(this.#text, root, container));
    return [
      ...closed(bare, null).map((text) => ({ text, container: false })),
      ...closed(kept, this.#place.container).map((text) => ({ text, container: true })),
    ];
  }
}

function freshEntry({ set, environment }: EntryChange): JsonObject {
  const { key, value } = environment;
  return Object.fromEntries([...set, ...(value === null || value === undefined ? [] : [[key, value] as const])]);
}

function replaceValue(text: string, member: JsonMember, value: JsonValue, layout: JsonLayout): string {
  const old = text.slice(member.valueStart, member.end);
  const lineStart = text.lastIndexOf("\n", member.start - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(lineStart, member.start))?.[0] ?? "";
  // A value of one line stays on one line.
  const body = old.includes("\n") ? jsonText(value, layout, indent) : JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"|[:,]/g, spacedLike(old));
  return applyEdits(text, [{ start: member.valueStart, end: member.end, text: body }]);
}

function spacedLike(old: string): (token: string) => string {
  const tight = /[:,]\S/.test(old.replace(/"(?:[^"\\]|\\.)*"/g, '""'));
  return (token) => (!tight && (token === ":" || token === ",") ? `${token} ` : token);
}

function valueOf(text: string, member: JsonMember, rules: JsonRules): unknown {
  const strict = strictJson(text.slice(member.valueStart, member.end), rules);
  return "json" in strict ? JSON.parse(strict.json) : undefined;
}

interface Located {
  readonly root: JsonObjectText;
  readonly container: JsonMember | undefined;
  readonly servers: JsonObjectText | undefined;
  readonly entry: JsonMember | undefined;
}

function locate(text: string, name: string): Located {
  return locateIn(text, objectAt(text, rootStart(text)), name);
}

function locateIn(text: string, root: JsonObjectText, name: string): Located {
  const container = root.members.find((member) => member.name === name);
  const servers = container === undefined ? undefined : objectAt(text, container.valueStart);
  return { root, container, servers, entry: servers?.members.find((member) => member.name === entryName) };
}

/** The text with the emptied object as `{}`, and as it is: it may have stood there either way. */
function closed(text: string, container: string | null): string[] {
  const root = objectAt(text, rootStart(text));
  const holder = root.members.find(({ name }) => name === container);
  const object = holder === undefined ? root : objectAt(text, holder.valueStart);
  const inside = text.slice(object.start + 1, object.close);
  if (object.members.length > 0 || inside.trim() !== "" || inside === "") return [text];
  return [applyEdits(text, [{ start: object.start + 1, end: object.close, text: "" }]), text];
}
