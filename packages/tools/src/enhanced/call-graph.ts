import { addressInput, addressValue, coverageOf, coverageSchema, omission, z, type Omission } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { deepTarget } from "../targets.js";
import { createBudget } from "../composed/budget.js";
import { callModes, walkCalls, type CallWalk } from "./call-walk.js";
import { callQuestions, shownNodes } from "./call-questions.js";
import { compose } from "../composed/composition.js";
import { localFailure } from "../composed/failure.js";
import { namesOf } from "./node-names.js";

// Keeps the answer one readable page; the graph goes on from any node that was not expanded.
const maximumNodes = 200;
const maximumEdges = 500;
const maximumOperations = 1000;

export const graphNode = z.strictObject({
  address: addressValue,
  name: z.string().nullable(),
  depth: z.number().int().nonnegative(),
  expanded: z.boolean(),
});
export const graphEdge = z.strictObject({ from: addressValue, to: addressValue });

export const getCallGraph = defineTool({
  name: "get_call_graph",
  family: "enhanced",
  description:
    "Returns the procedures within `depth` resolved direct calls of one procedure, as nodes and caller-to-callee edges; direction backward goes to its callers. `expanded: false` marks nodes whose own calls were not read: ask again from there. Use trace_call_path to find a way between two procedures.",
  input: z.strictObject({
    address: addressInput.describe("Entry address of the procedure"),
    depth: z.number().int().min(1).max(5).default(2).describe("Levels of calls to follow"),
    direction: z.enum(["forward", "backward"]).default("forward").describe("To callees or to callers"),
  }),
  output: z.strictObject({
    nodes: z.array(graphNode),
    edges: z.array(graphEdge),
    failures: z.array(localFailure),
    coverage: coverageSchema,
    limitations: z.array(z.string()),
  }),
  effects: effectClasses.engineEvidence,
  evidence: true,
  requires: ["procedure_callees", "procedure_callers", "address_name", "list_names"],
  modes: callModes,
  target: deepTarget,
  cli: { command: "call-graph", target: "open", positionals: ["address"] },
  examples: [
    { title: "Two levels of calls", target: "executable", input: { address: "0x1000" } },
    { title: "Who leads here", target: "executable", input: { address: "0x1000", direction: "backward", depth: 1 } },
  ],
  run: async (input, ports, context) => {
    const composition = compose("get_call_graph", context);
    const budget = createBudget(maximumOperations);
    const walk = await walkCalls(composition, {
      start: input.address,
      direction: input.direction,
      maxDepth: input.depth,
      maxNodes: maximumNodes,
      budget,
      ...callQuestions(input.direction, ports, context),
    });
    const names = await namesOf(composition, walk.nodes.keys(), { ports, context, budget });
    const result = {
      nodes: shownNodes(walk, names),
      edges: walk.edges.slice(0, maximumEdges),
      failures: [...walk.failures],
      coverage: coverageOf([...omissionsOf(walk), ...walk.omissions]),
      limitations: [...composition.limitations(), resolvedCallsOnly],
    };
    return { result, produced: produced(composition, input.address) };
  },
});

/** Stands in every graph of calls: what cannot be seen in it. */
export const resolvedCallsOnly = "Only resolved direct calls are followed; indirect calls and calls back from imports may lead to further procedures.";

function produced(composition: ReturnType<typeof compose>, address: string) {
  return composition.produced({ limitations: [resolvedCallsOnly], locations: [{ kind: "address", address }] });
}

function omissionsOf(walk: CallWalk): Omission[] {
  const counts = new Map<string, number>();
  for (const { reason } of walk.frontier) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const how_to_continue = "Call get_call_graph with the address of a node whose expanded is false.";
  const of = (reason: string) => counts.get(reason) ?? 0;
  const found: Omission[] = [];
  if (of("max_depth") > 0) found.push(omission("nodes", "limit_depth", { count: of("max_depth"), how_to_continue }));
  if (of("max_nodes") > 0) {
    found.push(omission("nodes", "limit_items", { count: of("max_nodes"), limit: maximumNodes, how_to_continue }));
  }
  if (of("max_operations") > 0) {
    const count = of("max_operations");
    found.push(omission("nodes", "limit_operations", { count, limit: maximumOperations, how_to_continue }));
  }
  if (of("failed") > 0) {
    found.push(omission("nodes", "not_examined", { count: of("failed"), how_to_continue: "See failures for each node." }));
  }
  if (walk.edges.length > maximumEdges) {
    const count = walk.edges.length - maximumEdges;
    found.push(omission("edges", "limit_items", { count, limit: maximumEdges, how_to_continue }));
  }
  return found;
}
