import { semanticNodeKinds, semanticReasons, semanticRelations, type JsonValue, type SemanticNodeKind, type SemanticRelation } from "@rea/core";
import { certain, nodeStride, type SemanticLimits, type Surety } from "./file-semantics.js";

const kinds = new Map(semanticNodeKinds.map((kind, index) => [kind, index]));
const relationNumbers = new Map(semanticRelations.map((relation, index) => [relation, index]));
const reasonNumbers = new Map(semanticReasons.map((reason, index) => [reason, index]));
const longestText = 200;
const edgesPerNode = 6;

export interface NodeDraft {
  readonly kind: SemanticNodeKind;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly within: number;
}

/** Nodes and edges of one file in the order they are found, within the bounds of its modules. */
export class SemanticTable {
  readonly nodes: number[] = [];
  readonly edges: number[] = [];
  readonly properties: [number, { [key: string]: JsonValue }][] = [];
  readonly #strings = new Map<string, number>();
  /** By relation. */
  readonly #seenEdges: Set<number>[] = [];
  readonly #propertiesOf = new Map<number, { [key: string]: JsonValue }>();
  readonly #limits: SemanticLimits;
  /** Work of the module that is being read: nodes that are functions, other nodes, edges. */
  #work = { functions: 0, others: 0, edges: 0 };
  left = 0;

  constructor(limits: SemanticLimits) {
    this.#limits = limits;
  }

  /** Begins a module of a bundle; the returned function goes back to the one around it. */
  enterModule(): () => void {
    const around = this.#work;
    this.#work = { functions: 0, others: 0, edges: 0 };
    return () => {
      this.#work = around;
    };
  }

  get count(): number {
    return this.nodes.length / nodeStride;
  }

  /** Nothing of the file can be added any more. */
  get isFileFull(): boolean {
    return this.count >= this.#limits.fileNodes;
  }

  /** Nothing of the module that is being read can be added any more. */
  get isModuleFull(): boolean {
    const { functions, others } = this.#work;
    return functions >= this.#limits.moduleNodes / 2 && others >= this.#limits.moduleNodes;
  }

  /** Position of the new node; -1 when the module or the file has as many as it may. */
  add({ kind, name, start, end, within }: NodeDraft): number {
    const isFunction = kind === "function";
    const done = isFunction ? this.#work.functions : this.#work.others;
    if (done >= (isFunction ? this.#limits.moduleNodes / 2 : this.#limits.moduleNodes) || this.count >= this.#limits.fileNodes) {
      this.left += 1;
      return -1;
    }
    if (isFunction) this.#work.functions += 1;
    else this.#work.others += 1;
    const index = this.count;
    this.nodes.push(kinds.get(kind) ?? 0, this.text(name), start, end, 0, 0, within);
    return index;
  }

  edge(relation: SemanticRelation, from: number, to: number, surety?: Surety): void {
    if (from < 0 || to < 0 || from === to) return;
    const number = relationNumbers.get(relation) ?? 0;
    // Files have fewer than 2^16 nodes, so a key is exact, and in all but the largest files a small integer.
    const key = from * 65_536 + to;
    const seen = (this.#seenEdges[number] ??= new Set());
    if (seen.has(key)) return;
    if (this.#work.edges >= this.#limits.moduleNodes * edgesPerNode) {
      this.left += 1;
      return;
    }
    this.#work.edges += 1;
    seen.add(key);
    this.edges.push(number, from, to, certain[surety?.certainty ?? "observed"], reasonNumbers.get(surety?.reason ?? null) ?? 0);
  }

  tell(node: number, key: string, value: JsonValue): void {
    if (node < 0) return;
    const known = this.#propertiesOf.get(node);
    if (known !== undefined) {
      known[key] = value;
      return;
    }
    const values = { [key]: value };
    this.#propertiesOf.set(node, values);
    this.properties.push([node, values]);
  }

  text(value: string): number {
    const short = value.length > longestText ? wellFormed(value.slice(0, longestText)) : wellFormed(value);
    const known = this.#strings.get(short);
    if (known !== undefined) return known;
    const index = this.#strings.size;
    this.#strings.set(short, index);
    return index;
  }

  strings(): readonly string[] {
    return [...this.#strings.keys()];
  }
}

/** Text may hold half a surrogate pair, of its own or from being cut. */
function wellFormed(text: string): string {
  return /[\uD800-\uDFFF]/u.test(text) ? text.replace(/[\uD800-\uDFFF]/gu, "\uFFFD") : text;
}
