import { addressValue, coverageOf, coverageSchema, z, type CapabilityPorts } from "@rea/core";
import { defineTool, effectClasses, type ToolContext } from "@rea/tool";
import { deepTarget } from "../targets.js";
import { createBudget } from "../composed/budget.js";
import { compose } from "../composed/composition.js";
import { distinctOmissions } from "../composed/distinct-omissions.js";
import { localFailure } from "../composed/failure.js";
import { referencesOf } from "./string-references.js";
import { findHits, type HitSource } from "./text-hits.js";
import {
  openQuestion,
  searchModes,
  stringMatch,
  textSearchInput,
  type TextSearch,
  type TextSearchCall,
} from "./text-search.js";

const count = z.number().int().nonnegative();

const textSearchResult = z.strictObject({
  matches: z.array(stringMatch),
  operation_budget: count,
  operations_used: count,
  truncated: z.boolean(),
  residual_unknowns: z.array(openQuestion),
  failures: z.array(localFailure),
  coverage: coverageSchema,
  limitations: z.array(z.string()),
});

const shared = {
  family: "enhanced",
  input: textSearchInput,
  effects: effectClasses.engineEvidence,
  evidence: true,
  target: deepTarget,
} as const;

function stringsOf(ports: Pick<CapabilityPorts, "search_strings" | "list_strings">, context: ToolContext): HitSource {
  return {
    what: "strings",
    search: "search_strings",
    list: "list_strings",
    askSearch: (params) => ports.search_strings(params, context),
    askList: (params) => ports.list_strings(params, context),
  };
}

type ProcedurePorts = Pick<CapabilityPorts, "search_procedures" | "list_procedures">;

function proceduresOf(ports: ProcedurePorts, context: ToolContext): HitSource {
  return {
    what: "procedure names",
    search: "search_procedures",
    list: "list_procedures",
    askSearch: (params) => ports.search_procedures(params, context),
    askList: (params) => ports.list_procedures(params, context),
  };
}

export const findCodeForString = defineTool({
  ...shared,
  name: "find_code_for_string",
  description:
    "Finds strings that contain a literal text and, for each, the addresses that refer to it with the procedure around them. Use it to get from a message or URL to the code. What the budget left open stands in residual_unknowns. Continue with analyze_function on a procedure.",
  output: textSearchResult,
  requires: ["list_strings", "search_strings", "xrefs", "resolve_containing_procedure"],
  modes: searchModes([]),
  cli: { command: "find-code-for-string", target: "open", positionals: ["query"] },
  examples: [{ title: "Code behind a message", target: "executable", input: { query: "usage" } }],
  run: async (input, ports, context) => {
    const call = start("find_code_for_string", input, context);
    const hits = await findHits(call, stringsOf(ports, context));
    const matches = await referencesOf(call, hits, ports);
    return { result: { matches, ...closing(call) }, produced: call.composition.produced({ limitations: textOnly }) };
  },
});

export const traceFeature = defineTool({
  ...shared,
  name: "trace_feature",
  description:
    "Finds where a feature lives from a word: procedures whose name contains it, strings that contain it, and the procedures that use those strings. Literal search. Start here with a word from the user interface, a log or a protocol; continue with analyze_function or get_call_graph.",
  output: textSearchResult.extend({
    search_mode: z.literal("literal"),
    procedure_matches: z.array(z.strictObject({ address: addressValue, value: z.string(), value_truncated: z.boolean() })),
  }),
  requires: [
    "list_procedures",
    "search_procedures",
    "list_strings",
    "search_strings",
    "xrefs",
    "resolve_containing_procedure",
  ],
  modes: searchModes(["search_procedures", "list_procedures"]),
  cli: { command: "trace", target: "open", positionals: ["query"] },
  examples: [{ title: "Where errors are handled", target: "executable", input: { query: "error", limit: 5 } }],
  run: async (input, ports, context) => {
    const call = start("trace_feature", input, context);
    const named = await findHits(call, proceduresOf(ports, context));
    const hits = await findHits(call, stringsOf(ports, context));
    const matches = await referencesOf(call, hits, ports);
    const result = { search_mode: "literal" as const, procedure_matches: named, matches, ...closing(call) };
    return { result, produced: call.composition.produced({ limitations: textOnly }) };
  },
});

const textOnly = ["Only text that stands in the target as it is can match; text built at run time cannot."];

function start(operation: string, input: TextSearch, context: ToolContext): TextSearchCall {
  return {
    input,
    context,
    composition: compose(operation, context),
    budget: createBudget(input.max_operations),
    findings: { failures: [], questions: [], omissions: [] },
  };
}

function closing({ budget, findings, composition }: TextSearchCall) {
  const omissions = distinctOmissions(findings.omissions);
  return {
    operation_budget: budget.maximum,
    operations_used: budget.used(),
    truncated: omissions.some((left) => left.reason === "limit_operations" || left.reason === "limit_items"),
    residual_unknowns: findings.questions,
    failures: findings.failures,
    coverage: coverageOf(omissions),
    limitations: [...new Set([...composition.limitations(), ...textOnly])],
  };
}
