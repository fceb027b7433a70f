import { escapeUntrusted, semanticRelations, semanticReasons, type JsonValue, type SemanticGraph, type SemanticReason, type SemanticRelation } from "@rea/core";
import { certain, type Certainty, type FunctionFacts } from "./file-semantics.js";

export interface Surety {
  readonly certainty: Certainty;
  readonly reason: SemanticReason | null;
}

const relationNumbers = new Map(semanticRelations.map((relation, index) => [relation, index]));
const reasonNumbers = new Map(semanticReasons.map((reason, index) => [reason, index]));

/** Rows of a semantic graph while it grows. */
export class GraphRows {
  readonly nodes: number[] = [];
  readonly edges: number[] = [];
  readonly sources: SemanticGraph["sources"][number][] = [];
  readonly fingerprints: SemanticGraph["fingerprints"] = [];
  readonly properties: { readonly node: number; readonly values: { readonly [key: string]: JsonValue } }[] = [];
  readonly #names = new Map<string, number>();
  readonly #digests = new Map<string, number>();
  readonly #sources = new Map<string, number>();
  readonly #mostEdges: number;
  edgesLeft = 0;

  constructor(mostEdges: number) {
    this.#mostEdges = mostEdges;
  }

  get count(): number {
    return this.nodes.length / 8;
  }

  source(owner: string, file: { readonly path: string; readonly sha256: string }): number {
    const known = this.#sources.get(owner);
    if (known !== undefined) return known;
    const index = this.sources.length;
    this.#sources.set(owner, index);
    this.sources.push({ owner, path: escapeUntrusted(file.path), sha256: file.sha256 });
    return index;
  }

  name(text: string): number {
    return interned(this.#names, text);
  }

  /** Takes an edge of a file over; numbers of relation, certainty and reason are the same. */
  copyEdge([relation, from, to, certainty, reason]: readonly [number, number, number, number, number]): void {
    if (this.edges.length / 5 >= this.#mostEdges) this.edgesLeft += 1;
    else this.edges.push(relation, from, to, certainty, reason);
  }

  edge(relation: SemanticRelation, from: number, to: number, { certainty, reason }: Surety): void {
    if (from !== to) this.copyEdge([relationNumbers.get(relation) ?? 0, from, to, certain[certainty], reasonNumbers.get(reason) ?? 0]);
  }

  /** `strings` are those of the function's file. */
  fingerprint(node: number, { syntax, flow, relations, literals, arity, effects }: FunctionFacts, strings: readonly string[]): void {
    const digest = (at: number): number => interned(this.#digests, strings[at] ?? "");
    this.fingerprints.push({ arity, control_flow: digest(flow), effects: [...effects], literals: digest(literals), node, relations: digest(relations), syntax: digest(syntax) });
  }

  names(): string[] {
    return [...this.#names.keys()].map((name) => escapeUntrusted(name));
  }

  digests(): string[] {
    return [...this.#digests.keys()];
  }
}

function interned(map: Map<string, number>, text: string): number {
  const known = map.get(text);
  if (known !== undefined) return known;
  map.set(text, map.size);
  return map.size - 1;
}

