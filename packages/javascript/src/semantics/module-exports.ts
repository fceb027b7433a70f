import type { LinkedApplication, LinkedScript } from "../link/linked-application.js";
import { innermost, type NodePlaces } from "../graph/node-places.js";
import { keyOf } from "../graph/module-nodes.js";
import type { ModuleReference } from "./file-semantics.js";

export interface Exported {
  /** Nodes of the graph. */
  readonly nodes: readonly number[];
  readonly from: ModuleReference | null;
  readonly script: LinkedScript;
  readonly at: number;
}

const deepest = 16;

/** What modules export, by the node of the application graph that stands for the module. */
export class ModuleExports {
  readonly #places: NodePlaces;
  readonly #exports = new Map<string, Map<string, Exported[]>>();
  readonly #files = new Map<string, ReadonlyMap<string, string>>();
  readonly #bundled = new Map<string, string>();

  constructor(places: NodePlaces) {
    this.#places = places;
    this.#index(places.application);
  }

  add(owner: string, name: string, exported: Exported): void {
    const names = this.#exports.get(owner) ?? new Map<string, Exported[]>();
    this.#exports.set(owner, names);
    const list = names.get(name);
    if (list === undefined) names.set(name, [exported]);
    else if (list.length < 8) list.push(exported);
  }

  /** Nodes of what a module refers to; empty when it is not part of the application. `at`: where the reference stands. */
  resolve(reference: ModuleReference, script: LinkedScript, at: number, depth = 0): readonly number[] {
    const owner = this.#owner(reference, script, at);
    if (owner === undefined || depth > deepest) return [];
    const names = this.#exports.get(owner);
    if (names === undefined) return [];
    const [name = "default"] = reference.path;
    const found = names.get(name) ?? this.#wild(names, name);
    return [...new Set(found.flatMap((one) => [...one.nodes, ...this.#further(one, reference.path.slice(1), name, depth)]))];
  }

  /** What is handed on from another module. */
  #further({ from, script, at }: Exported, rest: readonly string[], name: string, depth: number): readonly number[] {
    if (from === null) return [];
    const isWhole = from.path.length === 0 && name !== "default";
    return this.resolve({ ...from, path: isWhole ? [name, ...rest] : [...from.path, ...rest] }, script, at, depth + 1);
  }

  #wild(names: ReadonlyMap<string, readonly Exported[]>, name: string): readonly Exported[] {
    // `module.exports = require("./x")` hands everything on; `export *` everything but the default.
    const whole = (names.get("default") ?? []).filter(({ from, nodes }) => from !== null && from.path.length === 0 && nodes.length <= 1);
    return [...(name === "default" ? [] : (names.get("*") ?? [])), ...whole];
  }

  #owner({ specifier, inside }: ModuleReference, script: LinkedScript, at: number): string | undefined {
    if (specifier !== null) {
      const path = this.#files.get(script.path)?.get(specifier);
      return path === undefined ? undefined : this.#places.file(path);
    }
    const { modules } = script.facts;
    const bundler = innermost(modules, at)?.bundler ?? modules[0]?.bundler ?? "webpack";
    return this.#bundled.get(keyOf(script, bundler, inside ?? ""));
  }

  #index({ scripts }: LinkedApplication): void {
    for (const script of scripts) {
      const targets = new Map<string, string>();
      for (const { fact, target } of script.imports) if (fact.specifier !== null && target.kind === "file" && !targets.has(fact.specifier)) targets.set(fact.specifier, target.path);
      this.#files.set(script.path, targets);
      const nodes = this.#places.modules(script.path);
      for (const [index, { bundler, id }] of script.facts.modules.entries()) {
        const key = keyOf(script, bundler, id);
        const node = nodes[index]?.node;
        if (node !== undefined && !this.#bundled.has(key)) this.#bundled.set(key, node);
      }
    }
  }
}
