import { z, type ApplicationNode } from "@rea/core";
import { contentDigest, digestProperty, numberProperty, textProperty, type GraphSide } from "../graph-side.js";
import { wordsFrom, type Words } from "./word-overlap.js";

/** A piece of an application that sources can be found in. */
export interface ApplicationUnit {
  readonly node: ApplicationNode;
  readonly sha256: string | undefined;
  readonly code: string | undefined;
  readonly structure: string | undefined;
  readonly words: Words | undefined;
  readonly exports: ReadonlySet<string>;
}

const exportNames = z.array(z.object({ name: z.string() }));
const thirdParty = /(?:^|\/)(?:node_modules|bower_components|jspm_packages)\//u;
const fewestNodes = 12;
const mostOfOneWord = 256;

/** First-party code and the originals of source maps, by what they are recognised by. */
export class ApplicationUnits {
  readonly side: GraphSide;
  readonly units: readonly ApplicationUnit[];
  /** How finely the words of its code are sampled; a value of each kind. */
  readonly shifts: readonly number[];
  readonly #byDigest = new Map<string, ApplicationUnit[]>();
  readonly #byCode = new Map<string, ApplicationUnit[]>();
  readonly #byStructure = new Map<string, ApplicationUnit[]>();
  readonly #byName = new Map<string, ApplicationUnit[]>();
  readonly #byWord = new Map<number, ApplicationUnit[]>();

  constructor(side: GraphSide) {
    this.side = side;
    this.units = side.graph.nodes.flatMap((node) => (isUnit(node) ? [unitOf(node)] : []));
    this.shifts = [...new Set(this.units.flatMap(({ node, words }) => (node.kind === "source-module" || words === undefined ? [] : [words.shift])))];
    for (const unit of this.units) {
      put(this.#byDigest, unit.sha256, unit);
      put(this.#byCode, unit.code, unit);
      put(this.#byStructure, unit.structure, unit);
      put(this.#byName, baseName(pathOf(unit.node)), unit);
      for (const hash of unit.words?.hashes ?? []) put(this.#byWord, hash, unit);
    }
  }

  withDigest(sha256: string): readonly ApplicationUnit[] {
    return this.#byDigest.get(sha256) ?? [];
  }

  withCode(code: string): readonly ApplicationUnit[] {
    return this.#byCode.get(code) ?? [];
  }

  withStructure(structure: string): readonly ApplicationUnit[] {
    return this.#byStructure.get(structure) ?? [];
  }

  /** Units whose path ends as the given one does, at a `/`; either may be the longer one. */
  withPath(path: string): readonly ApplicationUnit[] {
    return (this.#byName.get(baseName(path)) ?? []).filter(({ node }) => {
      const own = pathOf(node);
      return own === path || own.endsWith(`/${path}`) || (own.includes("/") && path.endsWith(`/${own}`));
    });
  }

  /** Units that share words, those that share most first. Words that are everywhere say nothing. */
  sharing({ hashes }: Words, most: number): readonly ApplicationUnit[] {
    const counts = new Map<ApplicationUnit, number>();
    for (const hash of hashes) {
      const found = this.#byWord.get(hash) ?? [];
      if (found.length <= mostOfOneWord) for (const unit of found) counts.set(unit, (counts.get(unit) ?? 0) + 1);
    }
    return [...counts].sort(([a, mine], [b, theirs]) => theirs - mine || (a.node.node_id < b.node.node_id ? -1 : 1)).slice(0, most).map(([unit]) => unit);
  }

  /** The code that an original became; the unit itself for code. */
  placesOf({ node }: ApplicationUnit): readonly ApplicationNode[] {
    if (node.kind !== "source-module") return [node];
    return this.side.to(node.node_id).flatMap(({ relation, from }) => (relation === "maps_to" ? (this.side.node(from) ?? []) : []));
  }

  /** Whether source maps tell of all first-party code where it comes from. */
  get isMapped(): boolean {
    const assets = this.units.filter(({ node }) => node.kind === "javascript-asset" && textProperty(node, "language") !== "html");
    return assets.length > 0 && assets.every(({ node }) => this.#hasOriginal(node.node_id, 0));
  }

  #hasOriginal(id: string, depth: number): boolean {
    if (depth > 3) return false;
    return this.side.from(id).some(({ relation, to }) => relation === "maps_to" || (relation === "contains" && this.#hasOriginal(to, depth + 1)));
  }
}

function isUnit(node: ApplicationNode): boolean {
  if (node.kind === "source-module") return true;
  return (node.kind === "javascript-asset" || node.kind === "javascript-module") && !thirdParty.test(node.name);
}

function unitOf(node: ApplicationNode): ApplicationUnit {
  const isLarge = numberProperty(node, "syntax_nodes") >= fewestNodes;
  const exported = exportNames.safeParse(node.properties["exports"] ?? []).data ?? [];
  return {
    node,
    sha256: node.kind === "javascript-module" ? undefined : contentDigest(node),
    code: isLarge ? digestProperty(node, "code_sha256") : undefined,
    structure: isLarge ? digestProperty(node, "structure_sha256") : undefined,
    words: wordsFrom(node.properties["words"], node.properties["words_shift"]),
    exports: new Set(exported.map(({ name }) => name)),
  };
}

function pathOf(node: ApplicationNode): string {
  return (textProperty(node, "path") ?? node.name).replace(/^(?:\.{0,2}\/)+/u, "");
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function put<K>(lists: Map<K, ApplicationUnit[]>, key: K | undefined, unit: ApplicationUnit): void {
  if (key === undefined) return;
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [unit]);
  else known.push(unit);
}
