import { coverageOf, formatAddress, omission, ReaError, type Omission, type OperationParams, type OperationResult } from "@rea/core";
import { analysisOf } from "../decompile/operations/pseudo-code-text.js";
import { answer, type Answer } from "../operations/answer.js";
import { omissionSentences } from "../operations/code-coverage.js";
import { givenAddress } from "../operations/cursor.js";
import { findProcedure } from "../operations/find-procedure.js";
import type { ProgramQuery } from "../operations/query.js";
import { shownName } from "../operations/shown-text.js";
import { traceValues, type Trace } from "./trace-values.js";

type Params = OperationParams<"trace_native_values">;
type Result = OperationResult<"trace_native_values">;

const standing = "What passes through memory is not followed from a store to a load; a call through a pointer ends a trace.";

/** Definitions and uses of a procedure's values, over calls. */
export function traceNativeValues(query: ProgramQuery, params: Params): Answer<Result> {
  const { program } = query;
  const fn = findProcedure(query, params.procedure, "trace_native_values");
  const at = givenAddress(formatAddress(program.toVa(fn.entry)));
  const analyze = analysisOf(query);
  if (analyze === undefined) throw otherArchitecture();
  const start = analyze(fn);
  if (start === undefined) {
    const why = fn.external ? "The procedure has no body in this file." : "The procedure is too large, or takes too long, to be followed value by value.";
    const left = omission("values", "not_examined", { count: 1, how_to_continue: "Read it with read_function_instructions." });
    return answer({ nodes: [], edges: [], frontier: [], coverage: coverageOf([left]) }, { confidence: "derived", at, limitations: [why] });
  }
  const source = { functionAt: (entry: number) => program.functionAt(entry), callers: (of: typeof fn) => program.callers(of), analyze };
  const trace = traceValues(start, source, { direction: params.direction, nodes: params.max_nodes, procedures: params.max_procedures });
  const limitations = [standing, ...program.coverage.limitations, ...omissionSentences(program)];
  return answer(shown(query, trace, params), { confidence: "derived", at, limitations });
}

function shown({ program }: ProgramQuery, { nodes, edges, frontier, cut }: Trace, params: Params): Result {
  const address = (rva: number) => formatAddress(program.toVa(rva));
  const id = (position: number) => `n${String(position + 1)}`;
  const omissions: Omission[] = [];
  if (cut.has("node_limit")) omissions.push(omission("nodes", "limit_items", { limit: params.max_nodes, how_to_continue: "Raise max_nodes." }));
  if (cut.has("procedure_limit")) omissions.push(omission("procedures", "limit_items", { limit: params.max_procedures, how_to_continue: "Raise max_procedures, or trace the procedures that the frontier names." }));
  if (frontier.length > 0) omissions.push(omission("values", "not_examined", { count: frontier.length, how_to_continue: "See the frontier: each entry names where following ended and why." }));
  return {
    nodes: nodes.map(({ entry, node }, position) => ({
      id: id(position),
      procedure: address(entry),
      address: node.at === undefined || node.at < 0 ? null : address(node.at),
      kind: node.kind,
      text: shownName(node.text),
      bits: node.bits,
    })),
    edges: edges.map(({ from, to, kind }) => ({ from: id(from), to: id(to), kind })),
    frontier: frontier.map(({ node, reason, target }) => ({ node: id(node), reason, target: target === undefined ? null : address(target) })),
    coverage: coverageOf(omissions),
  };
}

function otherArchitecture(): ReaError {
  return new ReaError("capability_unavailable", {
    message: "This provider follows values of x86_64 and arm64 only. Read the listing with procedure_assembly, or bind another provider with open_binary and provider_id.",
    details: { operation: "trace_native_values", selection_reason: "unsupported" },
  });
}
