import { coverageOf, omission, pathInput, weakestConfidence, z, type CapabilityPorts, type Omission } from "@rea/core";
import { defineTool, effectClasses, type ToolContext } from "@rea/tool";
import { createBudget, type Budget } from "../../composed/budget.js";
import { compose, type Composition } from "../../composed/composition.js";
import { distinctOmissions } from "../../composed/distinct-omissions.js";
import { deepTarget } from "../../targets.js";
import { resolvedCallsOnly } from "../call-graph.js";
import { joinDelegates } from "./delegate-messages.js";
import { Handlers } from "./handlers.js";
import { HandlerCalls } from "./handler-calls.js";
import { matchSeed, messageId, type Seed, type SeedMatches, type UiMessage } from "./interface-seeds.js";
import { UiGraph } from "./ui-graph.js";
import { uiTraceResult, type UiTrace } from "./ui-trace-result.js";

const mostOperations = 300;

export const traceNativeUiAction = defineTool({
  name: "trace_native_ui_action",
  family: "enhanced",
  description:
    "Follows an action from the nib to the code: the object that sends it, the receiver, the Objective-C method, and the calls it makes, each joint with basis and confidence; an edge without an end says why. Seeds: a selector, an action (selector or title of its sender), or an object id of decode_interface_builder.",
  input: z.strictObject({
    seed: z
      .strictObject({
        kind: z.enum(["selector", "action", "object_id"]).describe("What value is"),
        value: z.string().min(1).max(1024).describe("Selector, title of a sender, or object id"),
      })
      .describe("Where to begin"),
    max_depth: z.number().int().min(1).max(10).default(5).describe("Calls followed from a handler"),
    path: pathInput.optional().describe("Bundle, archive or nib with the interface; default the open target"),
  }),
  output: uiTraceResult,
  effects: effectClasses.engineEvidence,
  evidence: true,
  requires: [
    "decode_interface_builder",
    "inspect_native_dispatch_metadata",
    "get_objc_classes",
    "procedure_callees",
    "address_name",
    "list_names",
    "xrefs",
    "resolve_containing_procedure",
  ],
  modes: [
    {
      name: "metadata",
      operations: ["inspect_native_dispatch_metadata", "procedure_callees"],
      remediation: "Open the target with a provider that reads runtime metadata and lists callees.",
    },
    {
      name: "symbols",
      operations: ["list_names", "procedure_callees"],
      remediation: "Open the target with a provider that lists names and callees.",
    },
  ],
  target: deepTarget,
  paths: ["path"],
  cli: { command: "trace-native-ui-action", target: "open", positionals: [] },
  examples: [
    { title: "Who handles a selector, and what that calls", target: "executable", input: { seed: { kind: "selector", value: "terminate:" } } },
    { title: "What a button does", target: "executable", input: { seed: { kind: "action", value: "Pay now" }, max_depth: 3 } },
  ],
  run: async (input, ports, context) => {
    const { seed, max_depth } = input;
    const code = compose("trace_native_ui_action", context);
    const documents = compose("trace_native_ui_action", context);
    const budget = createBudget(mostOperations);
    const graph = new UiGraph();
    const found = await interfaceOf({ seed, path: input.path }, { composition: documents, ports, context, graph });
    const handlers = new Handlers({ composition: code, ports, context, budget });
    const calls = new HandlerCalls({ composition: code, ports, context, budget, graph, maxDepth: max_depth });
    const handled = await joinHandlers({ seed, matches: found.matches }, { handlers, graph, calls });
    await calls.referrers(seed.kind === "object_id" ? [] : await referencesOf(seed, found.matches, handlers));
    await calls.name();
    const limitations = [...new Set([...code.limitations(), ...documents.limitations(), ...standingLimitations])];
    const omissions = distinctOmissions([...found.omissions, ...handlers.omissions, ...calls.omissions(), ...endOf(budget)]);
    const produced = code.first() === undefined ? documents.produced({ limitations }) : code.produced({ limitations });
    return {
      result: {
        seed: { kind: seed.kind, value: seed.value },
        nodes: [...graph.nodes],
        edges: [...graph.edges],
        handlers: handled,
        unknown_edges: graph.edges.filter(({ confidence }) => confidence === "unknown").length,
        interface: found.facet,
        frontier: [...calls.frontier],
        failures: [...calls.failures],
        limits: { max_depth, max_operations: mostOperations, operations_used: budget.used(), frontier_total: calls.frontierTotal },
        coverage: coverageOf(omissions),
        limitations,
      },
      produced: {
        ...produced,
        confidence: weakestConfidence([produced.confidence, ...graph.confidences()]),
        path_digests: { path: found.sha256 },
      },
    };
  },
});

const standingLimitations = [
  resolvedCallsOnly,
  "Targets and actions that code sets, methods that are exchanged or forwarded at run time, and SwiftUI are not in the file's tables.",
];

interface InterfaceQuestion {
  readonly composition: Composition;
  readonly ports: Pick<CapabilityPorts, "decode_interface_builder">;
  readonly context: ToolContext;
  readonly graph: UiGraph;
}

interface InterfaceMatches {
  readonly matches: SeedMatches;
  readonly facet: UiTrace["interface"];
  readonly omissions: readonly Omission[];
  readonly sha256: string | null;
}

async function interfaceOf(given: { readonly seed: Seed; readonly path: string | undefined }, { composition, ports, context, graph }: InterfaceQuestion): Promise<InterfaceMatches> {
  const nothing: SeedMatches = { messages: [], actions: 0, outlets: [], left: 0 };
  if (!context.offers("decode_interface_builder")) {
    const facet = { state: "unavailable" as const, reason: "No provider of this installation decodes interface documents.", remediation: "Call binary_session for what can be called." };
    return { matches: nothing, facet, omissions: [omission("interface documents", "engine_unavailable")], sha256: null };
  }
  let sha256: string | null = null;
  const path = given.path === undefined ? {} : { path: given.path };
  const answer = await composition.attempt(async () => {
    const execution = await ports.decode_interface_builder({ ...path, max_documents: 64, max_objects: 20_000, max_connections: 40_000 }, context);
    sha256 = execution.subject?.digest.sha256 ?? null;
    return execution;
  });
  if (!answer.ok) {
    const facet = { state: "unavailable" as const, reason: answer.error.message, remediation: answer.error.action };
    return { matches: nothing, facet, omissions: [omission("interface documents", "unreadable", { how_to_continue: answer.error.action })], sha256 };
  }
  const matches = matchSeed(given.seed, answer.value, graph);
  const value = { documents: answer.value.documents.length, actions: matches.actions, outlets: matches.outlets.length };
  const left = matches.left === 0 ? [] : [omission("actions and outlets that match", "limit_items", { count: matches.left, how_to_continue: "Begin at one object id." })];
  return { matches, facet: { state: "available", value }, omissions: [...answer.value.coverage.omissions, ...left], sha256 };
}

interface Joining {
  readonly handlers: Handlers;
  readonly graph: UiGraph;
  readonly calls: HandlerCalls;
}

/** Joins messages with methods; the number of methods. */
async function joinHandlers({ seed, matches }: { readonly seed: Seed; readonly matches: SeedMatches }, joining: Joining): Promise<number> {
  const { graph } = joining;
  const methods = new Set(await joinDelegates(matches.outlets, joining));
  for (const message of matches.messages) for (const id of await joinMessage(message, joining)) methods.add(id);
  const anyone = { reason: "receiver_unknown", basis: "Any object may be sent the selector." };
  if (seed.kind === "selector") {
    const node = graph.node({ id: messageId("any", seed.value), kind: "message", name: seed.value });
    const { methods: all } = await joining.handlers.candidates(seed.value, anyone);
    for (const { method } of all) {
      const basis = "The class implements the selector.";
      methods.add(await joining.calls.handler(node, method, { basis, confidence: method.confidence }));
    }
    graph.unknown(node, "handled_by", anyone.reason, anyone.basis);
  }
  return methods.size;
}

async function joinMessage({ node, selector, receiver, receiverClass }: UiMessage, { handlers, graph, calls }: Joining): Promise<string[]> {
  const handled =
    receiver === "responder_chain"
      ? await handlers.candidates(selector, { reason: "responder_chain", basis: "The first object of the responder chain that implements it answers." })
      : receiverClass === null
        ? await handlers.candidates(selector, { reason: "receiver_class_unknown", basis: "The document does not say of what class the receiver is." })
        : await handlers.ofClass(receiverClass, selector);
  const ids: string[] = [];
  for (const { method, basis, confidence } of handled.methods) ids.push(await calls.handler(node, method, { basis, confidence }));
  if (handled.unknown !== null) graph.unknown(node, "handled_by", handled.unknown.reason, handled.unknown.basis);
  return ids;
}

interface Referenced {
  readonly node: string;
  readonly addresses: readonly string[];
}

/** Selectors whose senders in code are of interest: those of the seed and of its actions. */
async function referencesOf(seed: Seed, { messages }: SeedMatches, handlers: Handlers): Promise<readonly Referenced[]> {
  const nodes = new Map(messages.map(({ selector, node }) => [selector, node]));
  if (seed.kind === "selector" && !nodes.has(seed.value)) nodes.set(seed.value, messageId("any", seed.value));
  const found: Referenced[] = [];
  for (const [selector, node] of [...nodes].slice(0, 5)) found.push({ node, addresses: await handlers.referencesTo(selector) });
  return found;
}

function endOf(budget: Budget): Omission[] {
  if (budget.used() < budget.maximum) return [];
  return [omission("joints", "limit_operations", { limit: budget.maximum, how_to_continue: "Begin at one object id, or lower max_depth." })];
}
