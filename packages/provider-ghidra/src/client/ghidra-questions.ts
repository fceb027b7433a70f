import { ReaError, z, type JsonObject } from "@rea/core";
import type { ClientAnswer } from "@rea/provider";
import { decompileMs, requestMs, type GhidraOperation } from "../ghidra-capabilities.js";
import { analyzeFunction } from "./analyze-function.js";
import type { AskBridge, EngineAnswer } from "./engine-answer.js";
import { traceValues } from "./values/trace-values.js";

/** The one document. It is never named after the file, so that a renamed file keeps its Evidence ids. */
const documentName = "target";

const observed: readonly GhidraOperation[] = ["list_documents", "list_segments"];
const inferred: readonly GhidraOperation[] = ["procedure_pseudo_code", "analyze_function", "trace_native_values"];

const question = z.looseObject({ document: z.string().optional(), mode: z.string().optional(), pattern: z.string().optional() });

/** Inputs that were left out are not sent. */
const given = z
  .record(z.string(), z.json().optional())
  .transform((members) => Object.fromEntries(Object.entries(members).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))));

/** Answers an operation by one request, but for the dossier and traces of values, which take several. */
export async function askGhidra(operation: GhidraOperation, params: object, ask: AskBridge): Promise<ClientAnswer> {
  const { document, ...asked } = question.parse(params);
  refuseUnknownDocument(document, operation);
  if (asked.mode === "regex") refuseForeignPattern(asked.pattern ?? "", operation);
  const input = given.parse(asked);
  const { value, limitations, at } = await answerTo(operation, input, ask);
  return {
    result: value,
    confidence: observed.includes(operation) ? "observed" : inferred.includes(operation) ? "inferred" : "derived",
    limitations: [...new Set(limitations)],
    locations: at === null ? [] : [{ kind: "address", address: at }],
    raw_result: null,
    resolved_parameters: {},
  };
}

async function answerTo(operation: GhidraOperation, input: JsonObject, ask: AskBridge): Promise<EngineAnswer> {
  switch (operation) {
    case "analyze_function":
      return analyzeFunction(input, ask);
    case "trace_native_values":
      return traceValues(input, ask);
    default:
      return ask(operation, input, timeoutOf(operation));
  }
}

function timeoutOf(operation: GhidraOperation): number {
  return operation === "procedure_pseudo_code" ? decompileMs : requestMs;
}

function refuseUnknownDocument(document: string | undefined, operation: string): void {
  if (document === undefined || document === documentName) return;
  throw new ReaError("invalid_request", {
    message: "No document has that name; 1 document exists. Leave document out, or read list_documents.",
    details: { operation, issues: [{ path: "document", reason: "invalid_value", expected: "the name of the 1 document: target" }] },
  });
}

/** The dialect is what two languages share: the bridge judges one, this the other. */
function refuseForeignPattern(pattern: string, operation: string): void {
  try {
    new RegExp(pattern, "u");
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ReaError("invalid_request", {
      message: "The pattern is not a regular expression of the supported dialect. Use mode literal for plain text.",
      details: {
        operation,
        issues: [
          {
            path: "pattern",
            reason: "invalid_format",
            expected: "RE2 syntax that is also valid ECMAScript with the u flag, without look-around and back-references",
          },
        ],
      },
    });
  }
}
