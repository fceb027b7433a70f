import { coverageOf, isReaError, omission, z, type JsonObject } from "@rea/core";
import { decompileMs, requestMs } from "../../ghidra-capabilities.js";
import type { AskBridge, EngineAnswer } from "../engine-answer.js";
import { ProcedureGraph } from "./procedure-graph.js";
import { ValueTrace, type GraphSource } from "./value-trace.js";

const inputs = z.object({ procedure: z.string(), direction: z.enum(["backward", "forward"]), max_nodes: z.int(), max_procedures: z.int() });
const callersPage = z.object({ items: z.array(z.string()) });

const standing = "What passes through memory is not followed from a store to a load; a call through a pointer ends a trace.";

/** Definitions and uses of a procedure's values, as Ghidra's decompiler has them; each procedure is one request. */
export async function traceValues(params: JsonObject, ask: AskBridge): Promise<EngineAnswer> {
  const { procedure, ...bounds } = inputs.parse(params);
  const { value } = await ask("procedure_address", { procedure }, requestMs);
  const entry = z.string().parse(value);
  const traced = await new ValueTrace(sourceOf(ask), { procedure: entry, ...bounds }).run();
  if (traced !== null) return { value: z.json().parse(traced), limitations: [standing], at: entry };
  const left = omission("values", "not_examined", { count: 1, how_to_continue: "Read it with read_function_instructions." });
  const nothing = { nodes: [], edges: [], frontier: [], coverage: coverageOf([left]) };
  return { value: z.json().parse(nothing), limitations: ["The procedure has no body in this file, or Ghidra's decompiler gave nothing for it."], at: entry };
}

function sourceOf(ask: AskBridge): GraphSource {
  return {
    graph: async (entry) => {
      try {
        return ProcedureGraph.read((await ask("procedure_values", { procedure: entry }, decompileMs)).value);
      } catch (error) {
        if (isReaError(error) && ["execution_failure", "provider_timeout", "truncated"].includes(error.code)) return "failed";
        throw error;
      }
    },
    callers: async (entry) => {
      const { value } = await ask("procedure_callers", { procedure: entry, offset: 0, limit: 500 }, requestMs);
      return callersPage.parse(value).items;
    },
  };
}
