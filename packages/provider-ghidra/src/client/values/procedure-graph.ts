import { valueNodeKinds, z, type JsonValue } from "@rea/core";

const index = z.int().min(0);
const shape = z.strictObject({
  nodes: z.array(z.strictObject({ address: z.string().nullable(), kind: z.enum(valueNodeKinds), text: z.string(), bits: index })),
  edges: z.array(z.tuple([index, index, z.enum(["operand", "merge"])])),
  parameters: z.array(z.strictObject({ slot: index, node: index })),
  returns: z.array(index),
  calls: z.array(z.strictObject({ target: z.string().nullable(), has_body: z.boolean(), result: index.nullable(), arguments: z.array(index.nullable()) })),
  cut: z.boolean(),
});
type Shape = z.output<typeof shape>;

export interface Neighbour {
  readonly node: number;
  readonly kind: "operand" | "merge";
}

/** One call as it is seen from its result or one of its arguments. */
export interface CallPlace {
  readonly call: Shape["calls"][number];
  /** Position of the argument; null at the result. */
  readonly argument: number | null;
}

/** Definitions and uses of one procedure's values, by the numbers of their nodes. */
export class ProcedureGraph {
  readonly nodes: Shape["nodes"];
  readonly returns: readonly number[];
  readonly calls: Shape["calls"];
  /** Whether the bridge left nodes out. */
  readonly cut: boolean;
  readonly #before = new Map<number, Neighbour[]>();
  readonly #behind = new Map<number, Neighbour[]>();
  readonly #slots: ReadonlyMap<number, number>;
  readonly #places = new Map<number, CallPlace>();

  private constructor({ nodes, edges, parameters, returns, calls, cut }: Shape) {
    this.nodes = nodes;
    this.returns = returns;
    this.calls = calls;
    this.cut = cut;
    for (const [from, to, kind] of edges) {
      listed(this.#before, to).push({ node: from, kind });
      listed(this.#behind, from).push({ node: to, kind });
    }
    this.#slots = new Map(parameters.map(({ slot, node }) => [slot, node]));
    for (const call of calls) {
      if (call.result !== null) this.#places.set(call.result, { call, argument: null });
      for (const [argument, node] of call.arguments.entries()) if (node !== null) this.#places.set(node, { call, argument });
    }
  }

  /** Null for a procedure without a body. Throws a plain error for another form, which the caller's envelope turns into a typed one. */
  static read(value: JsonValue): ProcedureGraph | null {
    return value === null ? null : new ProcedureGraph(shape.parse(value));
  }

  /** Where values end (`backward`) or come in (`forward`). */
  seeds(direction: "backward" | "forward"): readonly number[] {
    const kinds = direction === "backward" ? ["return", "store", "argument", "condition"] : ["parameter", "call_result"];
    return this.nodes.flatMap(({ kind }, node) => (kinds.includes(kind) ? [node] : []));
  }

  neighbours(node: number, direction: "backward" | "forward"): readonly Neighbour[] {
    return (direction === "backward" ? this.#before : this.#behind).get(node) ?? [];
  }

  /** The call whose result or argument a node is. */
  callAt(node: number): CallPlace | undefined {
    return this.#places.get(node);
  }

  parameter(slot: number): number | undefined {
    return this.#slots.get(slot);
  }

  slotOf(node: number): number | undefined {
    return [...this.#slots].find(([, at]) => at === node)?.[0];
  }
}

function listed(map: Map<number, Neighbour[]>, key: number): Neighbour[] {
  const known = map.get(key) ?? [];
  map.set(key, known);
  return known;
}
