import { addressInput, addressValue, coverageOf, coverageSchema, omission, z, type Omission } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { deepTarget } from "../targets.js";
import { createBudget } from "../composed/budget.js";
import { graphEdge, graphNode, resolvedCallsOnly } from "./call-graph.js";
import { callModes, pathTo, walkCalls } from "./call-walk.js";
import { callQuestions, shownNodes } from "./call-questions.js";
import { compose } from "../composed/composition.js";
import { localFailure } from "../composed/failure.js";
import { namesOf } from "./node-names.js";

const maximumFrontier = 500;
const maximumEdges = 2000;
const goalStatuses = ["not_requested", "reached", "not_reached", "unknown"] as const;
const count = z.number().int().nonnegative();

export const traceCallPath = defineTool({
  name: "trace_call_path",
  family: "enhanced",
  description:
    "Searches the shortest chain of resolved direct calls from one procedure to another, or explores from one without a goal. `not_reached` is said only when nothing was left unexplored; `unknown` means that `frontier` is not empty: raise the limits or start from there. Direction backward follows callers.",
  input: z.strictObject({
    start: addressInput.describe("Entry address to start from"),
    goal: addressInput.optional().describe("Entry address to reach"),
    direction: z.enum(["forward", "backward"]).default("forward").describe("To callees or to callers"),
    max_depth: z.number().int().min(1).max(10).default(5).describe("Calls on the path at most"),
    max_nodes: z.number().int().min(1).max(500).default(100).describe("Procedures kept at most"),
    max_operations: z.number().int().min(1).max(500).default(100).describe("Provider calls at most"),
  }),
  output: z.strictObject({
    nodes: z.array(graphNode),
    edges: z.array(graphEdge),
    traversal_path: z.array(addressValue),
    goal_status: z.enum(goalStatuses),
    frontier: z.array(
      z.strictObject({
        address: addressValue,
        reason: z.enum(["max_depth", "max_nodes", "max_operations", "failed", "goal_reached"]),
      }),
    ),
    failures: z.array(localFailure),
    limits: z.strictObject({
      max_depth: count,
      max_nodes: count,
      max_operations: count,
      operations_used: count,
      frontier_total: count,
    }),
    coverage: coverageSchema,
    limitations: z.array(z.string()),
  }),
  effects: effectClasses.engineEvidence,
  evidence: true,
  requires: ["procedure_callees", "procedure_callers", "address_name", "list_names"],
  modes: callModes,
  target: deepTarget,
  cli: { command: "trace-call-path", target: "open", positionals: ["start"] },
  examples: [
    { title: "Explore from a procedure", target: "executable", input: { start: "0x1000" } },
    { title: "A way between two procedures", target: "executable", input: { start: "0x1000", goal: "0x2000", max_depth: 10 } },
  ],
  run: async (input, ports, context) => {
    const composition = compose("trace_call_path", context);
    const budget = createBudget(input.max_operations);
    const walk = await walkCalls(composition, {
      start: input.start,
      goal: input.goal,
      direction: input.direction,
      maxDepth: input.max_depth,
      maxNodes: input.max_nodes,
      budget,
      ...callQuestions(input.direction, ports, context),
    });
    const path = input.goal === undefined ? [] : pathTo(walk, input.goal);
    // The path first: its names matter most when the budget ends.
    const names = await namesOf(composition, [...path, ...walk.nodes.keys()], { ports, context, budget });
    const limitations = [resolvedCallsOnly];
    if (names.size < walk.nodes.size) limitations.push("Some nodes are shown without a name: it was not looked up.");
    const open = walk.frontier.length;
    const result = {
      nodes: shownNodes(walk, names),
      edges: walk.edges.slice(0, maximumEdges),
      traversal_path: path,
      goal_status: goalStatus(input.goal !== undefined, walk.reached, open === 0),
      frontier: walk.frontier.slice(0, maximumFrontier),
      failures: [...walk.failures],
      limits: {
        max_depth: input.max_depth,
        max_nodes: input.max_nodes,
        max_operations: input.max_operations,
        operations_used: budget.used(),
        frontier_total: open,
      },
      coverage: coverageOf([...omissionsOf(open, walk.edges.length), ...walk.omissions]),
      limitations: [...new Set([...composition.limitations(), ...limitations])],
    };
    const locations = [input.start, ...(input.goal === undefined ? [] : [input.goal])].map(
      (address) => ({ kind: "address", address }) as const,
    );
    return { result, produced: composition.produced({ limitations, locations }) };
  },
});

/** An absence is claimed only when nothing was left to look at. */
function goalStatus(requested: boolean, reached: boolean, exhausted: boolean): (typeof goalStatuses)[number] {
  if (!requested) return "not_requested";
  if (reached) return "reached";
  return exhausted ? "not_reached" : "unknown";
}

function omissionsOf(open: number, edges: number): Omission[] {
  const found: Omission[] = [];
  if (open > 0) {
    const how_to_continue = "Raise the limit that frontier names, or call trace_call_path with a frontier address as start.";
    found.push(omission("nodes", "not_examined", { count: open, how_to_continue }));
  }
  if (edges > maximumEdges) {
    const how_to_continue = "Lower max_nodes, or page procedure_callees of one node.";
    found.push(omission("edges", "limit_items", { count: edges - maximumEdges, limit: maximumEdges, how_to_continue }));
  }
  return found;
}
