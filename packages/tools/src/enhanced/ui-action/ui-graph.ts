import { addressValue, z } from "@rea/core";
import type { Confidence } from "@rea/core";

const text = z.string();

export const uiNode = z.strictObject({
  id: text,
  /** `message` is one selector on its way to one receiver. */
  kind: z.enum(["ui_object", "responder_chain", "message", "method", "procedure"]),
  name: text.nullable(),
  class: text.nullable(),
  /** Interface document that holds the object. */
  document: text.nullable(),
  address: addressValue.nullable(),
  /** Calls from the handler; null for what is no procedure. */
  depth: z.number().int().nonnegative().nullable(),
});

const uiRelations = ["sends", "received_by", "outlet", "handled_by", "implemented_at", "refers_to", "calls"] as const;

export const uiEdge = z.strictObject({
  from: text,
  /** Null where nothing proves what is at the other end. */
  to: text.nullable(),
  relation: z.enum(uiRelations),
  /** Name of an outlet, events of an action. */
  label: text.nullable(),
  basis: text,
  confidence: z.enum(["observed", "derived", "inferred", "unknown"]),
  /** Why the other end is unknown. */
  reason: text.nullable(),
});

export type UiNode = z.infer<typeof uiNode>;
export type UiEdge = z.infer<typeof uiEdge>;
type Relation = UiEdge["relation"];

export interface Joint {
  readonly from: string;
  readonly to: string;
  readonly relation: Relation;
  readonly basis: string;
  readonly confidence: Confidence;
  readonly label?: string | null;
}

/** Nodes and edges in the order in which they were found, each once. */
export class UiGraph {
  readonly #nodes = new Map<string, UiNode>();
  readonly #edges = new Map<string, UiEdge>();

  get nodes(): readonly UiNode[] {
    return [...this.#nodes.values()];
  }

  get edges(): readonly UiEdge[] {
    return [...this.#edges.values()];
  }

  /** Adds the node unless it is there; its id. */
  node(node: Pick<UiNode, "id" | "kind"> & Partial<UiNode>): string {
    if (!this.#nodes.has(node.id)) {
      this.#nodes.set(node.id, { name: null, class: null, document: null, address: null, depth: null, ...node });
    }
    return node.id;
  }

  rename(id: string, name: string | null): void {
    const node = this.#nodes.get(id);
    if (node !== undefined && node.name === null) this.#nodes.set(id, { ...node, name });
  }

  join({ label = null, ...joint }: Joint): void {
    this.#put({ ...joint, label, reason: null });
  }

  /** An end that nothing proves. */
  unknown(from: string, relation: Relation, reason: string, basis: string): void {
    this.#put({ from, to: null, relation, label: null, basis, confidence: "unknown", reason });
  }

  /** Of the edges that have both ends. */
  confidences(): Confidence[] {
    return this.edges.map(({ confidence }) => confidence).filter((confidence) => confidence !== "unknown");
  }

  #put(edge: UiEdge): void {
    const key = JSON.stringify([edge.from, edge.to, edge.relation, edge.label, edge.reason]);
    if (!this.#edges.has(key)) this.#edges.set(key, edge);
  }
}
