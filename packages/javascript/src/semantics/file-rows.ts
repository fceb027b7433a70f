import { escapeUntrusted, semanticNodeKinds, semanticRelations, type JsonValue } from "@rea/core";
import type { LinkedElectron } from "../link/electron.js";
import type { LinkedScript } from "../link/linked-application.js";
import type { NodePlaces } from "../graph/node-places.js";
import { edgeStride, nodeStride, type FileSemantics, type ImportedCall, type ImportedName } from "./file-semantics.js";
import type { GraphRows, Surety } from "./graph-rows.js";
import { ModuleExports } from "./module-exports.js";
import { semanticsIn } from "./place-semantics.js";

const lesser: ReadonlySet<string> = new Set(["parameter", "binding", "call-site", "literal"]);
const functionKind = semanticNodeKinds.indexOf("function");
const registers = semanticRelations.indexOf("registers");
const byImport: Surety = { certainty: "high", reason: "Resolved through an import between modules." };
const byId: Surety = { certainty: "high", reason: "Resolved through the id of a bundled module." };

const byBridge: Surety = { certainty: "high", reason: "A preload script gives pages this function under this name." };

interface Waiting {
  readonly script: LinkedScript;
  readonly at: number;
}

/** Takes files over into the graph, and then ties what they ask of each other. */
export class FileRows {
  readonly #places: NodePlaces;
  readonly #rows: GraphRows;
  readonly #exports: ModuleExports;
  readonly #imports: (ImportedName & Waiting)[] = [];
  readonly #calls: (ImportedCall & Waiting)[] = [];
  readonly #functions = new Set<number>();
  readonly #parameters = new Map<number, readonly number[]>();
  /** Places of message calls, and the nodes found there. */
  readonly #messages = new Map<string, number>();
  readonly #handlers = new Map<number, number[]>();
  readonly #sent = new Map<number, readonly (readonly number[])[]>();
  /** Functions of preload scripts by where they end, the outermost first. */
  readonly #bridged = new Map<string, number[]>();
  readonly #bridges: LinkedElectron["bridges"];
  left = 0;
  cut = 0;
  firstCut = "";

  constructor(places: NodePlaces, rows: GraphRows, { ipc, bridges, channels }: LinkedElectron) {
    this.#places = places;
    this.#rows = rows;
    this.#exports = new ModuleExports(places);
    this.#bridges = bridges;
    for (const { script, members } of bridges) for (const { at, body } of members) this.#bridged.set(placeKey(script.path, 0, (body ?? at).end), []);
    // Also calls of pages that a bridge passes on.
    for (const { script, at } of [...ipc, ...channels.flatMap(({ senders }) => senders)]) this.#messages.set(placeKey(script.path, at.start, at.end), -1);
  }

  /** Node of the call at a place; -1 when the graph has none. */
  callAt(path: string, start: number, end: number): number {
    return this.#messages.get(placeKey(path, start, end)) ?? -1;
  }

  /** Functions that a call registers. */
  handlersOf(call: number): readonly number[] {
    return this.#handlers.get(call) ?? [];
  }

  /** Nodes of what a call sends, its channel first. */
  sentBy(call: number): readonly (readonly number[])[] {
    return this.#sent.get(call) ?? [];
  }

  parametersOf(target: number): readonly number[] {
    return this.#parameters.get(target) ?? [];
  }

  /** Takes at most `most` nodes over: functions and what has effects first, then the rest in the order of the text. */
  add(script: LinkedScript, text: Uint8Array, most: number): void {
    const semantics = semanticsIn(text);
    if (semantics === undefined) return;
    this.left += semantics.left;
    const map = this.#nodes(script, semantics, most);
    this.#edges(semantics, map);
    for (const one of semantics.functions) {
      const node = map[one.node] ?? -1;
      if (node < 0) continue;
      this.#rows.fingerprint(node, one, semantics.strings);
      this.#parameters.set(node, one.parameters.map((parameter) => map[parameter] ?? -1));
    }
    for (const [node, values] of semantics.properties) {
      const own = map[node] ?? -1;
      if (own >= 0) this.#rows.properties.push({ node: own, values: escapedValues(values) });
    }
    this.#waiting(script, semantics, map);
  }

  /** Ties imports and calls of what other modules export. */
  link(): void {
    for (const one of this.#imports) {
      for (const target of this.#exports.resolve(one, one.script, one.at)) this.#rows.edge("aliases", one.node, target, one.inside === null ? byImport : byId);
    }
    const bridges = this.#bridgeFunctions();
    for (const one of this.#calls) this.#tie(one, bridges);
  }

  /** Functions by the name under which pages see them; a name that two scripts give is left out. */
  #bridgeFunctions(): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    const several = new Set<string>();
    for (const { key, members, script } of this.#bridges) {
      for (const { name, at, body } of key === null ? [] : members) {
        const [target] = this.#bridged.get(placeKey(script.path, 0, (body ?? at).end)) ?? [];
        const full = `${key ?? ""}.${name}`;
        if (found.has(full)) several.add(full);
        if (target !== undefined) found.set(full, target);
      }
    }
    for (const name of several) found.delete(name);
    return found;
  }

  #targets(one: ImportedCall & Waiting, bridges: ReadonlyMap<string, number>): readonly number[] {
    if (one.specifier !== null || one.inside !== null) return this.#exports.resolve(one, one.script, one.at);
    const target = bridges.get(one.path.join("."));
    if (target === undefined) this.#rows.properties.push({ node: one.call, values: { unresolved: "A global that is not known." } });
    return target === undefined ? [] : [target];
  }

  #tie(one: ImportedCall & Waiting, bridges: ReadonlyMap<string, number>): void {
    const { call, isConstruction, arguments: given } = one;
    const surety = one.specifier !== null ? byImport : one.inside !== null ? byId : byBridge;
    const targets = this.#targets(one, bridges);
    for (const target of targets) {
      const isFunction = this.#functions.has(target);
      if (!isFunction && targets.some((other) => this.#functions.has(other))) continue;
      this.#rows.edge(isConstruction && !isFunction ? "constructs" : "calls", call, target, surety);
      if (!isFunction) continue;
      this.#rows.edge("returns-to-call", target, call, surety);
      const parameters = this.parametersOf(target);
      for (const [position, values] of given.entries()) {
        const parameter = parameters[position] ?? -1;
        if (parameter >= 0) for (const value of values) this.#rows.edge("argument-to-parameter", value, parameter, surety);
      }
    }
  }

  #nodes(script: LinkedScript, { nodes, strings }: FileSemantics, most: number): Int32Array {
    const count = nodes.length / nodeStride;
    const map = new Int32Array(count).fill(-1);
    const kept = chosen(nodes, most);
    if (kept.size < count) {
      if (this.cut === 0) this.firstCut = script.path;
      this.cut += count - kept.size;
    }
    for (let index = 0; index < count; index += 1) {
      if (!kept.has(index)) continue;
      const [kind = 0, name = 0, start = 0, end = 0, line = 1, column = 0, within = -1] = nodes.slice(index * nodeStride, (index + 1) * nodeStride);
      const owner = this.#places.owner(script, { start });
      // A file that the application graph had no room for has no place here either.
      if (owner === undefined) continue;
      const node = this.#rows.count;
      map[index] = node;
      this.#rows.nodes.push(kind, this.#rows.name(strings[name] ?? ""), this.#rows.source(owner, script), start, end, line, column, around(nodes, map, within));
      if (kind === functionKind) {
        this.#functions.add(node);
        this.#bridged.get(placeKey(script.path, 0, end))?.push(node);
      }
      const key = placeKey(script.path, start, end);
      if (semanticNodeKinds[kind] === "call-site" && this.#messages.has(key)) this.#messages.set(key, node);
    }
    return map;
  }

  #edges({ edges }: FileSemantics, map: Int32Array): void {
    for (let at = 0; at < edges.length; at += edgeStride) {
      const [relation = 0, from = -1, to = -1, certainty = 0, reason = 0] = edges.slice(at, at + edgeStride);
      const [source, target] = [map[from] ?? -1, map[to] ?? -1];
      if (source < 0 || target < 0) continue;
      this.#rows.copyEdge([relation, source, target, certainty, reason]);
      if (relation === registers && this.#functions.has(target)) this.#handlers.set(source, [...(this.#handlers.get(source) ?? []), target]);
    }
  }

  #waiting(script: LinkedScript, { exports, imports, calls, messages, nodes }: FileSemantics, map: Int32Array): void {
    const mapped = (list: readonly number[]): number[] => list.flatMap((node) => ((map[node] ?? -1) < 0 ? [] : [map[node] ?? -1]));
    for (const { name, at, nodes: given, from } of exports) {
      const owner = this.#places.owner(script, { start: at });
      if (owner !== undefined) this.#exports.add(owner, name, { nodes: mapped(given), from, script, at });
    }
    for (const one of messages) this.#sent.set(map[one.call] ?? -1, one.arguments.map(mapped));
    for (const one of imports) {
      const node = map[one.node] ?? -1;
      if (node >= 0) this.#imports.push({ ...one, node, script, at: nodes[one.node * nodeStride + 2] ?? 0 });
    }
    for (const one of calls) {
      const call = map[one.call] ?? -1;
      if (call >= 0) this.#calls.push({ ...one, call, arguments: one.arguments.map(mapped), script, at: nodes[one.call * nodeStride + 2] ?? 0 });
    }
  }
}

function placeKey(path: string, start: number, end: number): string {
  return `${path}\0${String(start)}\0${String(end)}`;
}

/** The function around a node that was taken over. */
function around(nodes: readonly number[], map: Int32Array, within: number): number {
  let at = within;
  for (let turns = 0; at >= 0 && turns < 1000; turns += 1) {
    const found = map[at] ?? -1;
    if (found >= 0) return found;
    at = nodes[at * nodeStride + 6] ?? -1;
  }
  return -1;
}

function chosen(nodes: readonly number[], most: number): ReadonlySet<number> {
  const count = nodes.length / nodeStride;
  const all = Array.from({ length: count }, (_none, index) => index);
  if (count <= most) return new Set(all);
  const isLesser = (index: number): boolean => lesser.has(semanticNodeKinds[nodes[index * nodeStride] ?? 0] ?? "");
  return new Set([...all.filter((index) => !isLesser(index)), ...all.filter(isLesser)].slice(0, most));
}

/** Texts of the target inside what is told of nodes. */
function escapedValues(values: { readonly [key: string]: JsonValue }): { readonly [key: string]: JsonValue } {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, typeof value === "string" ? escapeUntrusted(value) : value]));
}
