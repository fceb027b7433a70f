import { addressValue, nativeApiResult, operations, z, type NativeApi, type OperationResult } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { deepTarget } from "../targets.js";
import { compose } from "../composed/composition.js";
import { openQuestion, type OpenQuestion } from "./text-search.js";

const { procedure, max_pseudocode_chars, max_instructions } = operations.analyze_function.params.shape;
/** Items of each list: a page that a reader can take in. */
const listLimit = 100;

type Dossier = OperationResult<"analyze_function">;

export const inspectNativeApi = defineTool({
  name: "inspect_native_api",
  family: "enhanced",
  description:
    "Returns what the code of one procedure shows of its interface: calling convention with its basis, argument registers and stack places, return value, frame, kept registers, switch tables with cases, loops. Types and names stay null unless known. Use it before describing a signature; read blocks and edges with analyze_function.",
  input: z.strictObject({ procedure, max_pseudocode_chars, max_instructions }),
  output: z.strictObject({
    boundary: nativeApiResult.omit({ truncated: true, unknowns: true }),
    substeps: z.array(z.strictObject({ name: z.string(), available: z.boolean(), detail: z.string().nullable() })),
    unsupported_branches: z.array(z.strictObject({ address: addressValue, reason: z.string() })),
    residual_unknowns: z.array(openQuestion),
    limitations: z.array(z.string()),
  }),
  effects: effectClasses.engineEvidence,
  evidence: true,
  requires: ["analyze_function"],
  target: deepTarget,
  cli: { command: "inspect-native-api", target: "open", positionals: ["procedure"] },
  examples: [{ title: "The interface of main", target: "executable", input: { procedure: "main" } }],
  run: async (input, ports, context) => {
    const composition = compose("inspect_native_api", context);
    const question = { ...operations.analyze_function.params.parse({ procedure: input.procedure }), include_assembly: true, limit: listLimit };
    const { max_pseudocode_chars, max_instructions } = input;
    const dossier = await composition.ask(() => ports.analyze_function({ ...question, max_pseudocode_chars, max_instructions }, context));
    const facet = dossier.native_api;
    const { truncated, unknowns, ...boundary } = facet.state === "available" ? facet.value : nothing;
    const result = {
      boundary,
      substeps: substeps(dossier),
      unsupported_branches: boundary.artifacts.filter(({ kind }) => kind === "unresolved_jump").map(({ address, detail }) => ({ address, reason: detail })),
      residual_unknowns: [...unknowns.map(asQuestion), ...truncated.map(asCut), ...unavailableFacet(dossier)],
      limitations: [...composition.limitations()],
    };
    const { address } = dossier.procedure;
    return { result, produced: composition.produced({ locations: [{ kind: "address", address }] }) };
  },
});

const nothing: NativeApi = {
  available: false,
  calling_convention: null,
  parameters: [],
  variadic: null,
  return_type: null,
  return_value: null,
  signature_source: null,
  jump_tables: [],
  artifacts: [],
  frame: null,
  loops: [],
  truncated: [],
  unknowns: [],
};

/** What the answer was made from; each part fails for itself. */
function substeps({ native_api, pseudocode, assembly }: Dossier) {
  const cut = (part: Dossier["assembly"]) =>
    part.state === "available" && part.value.truncated ? `${String(part.value.returned_chars)} of ${String(part.value.total_chars)} characters read` : null;
  return [
    { name: "native_api", available: native_api.state === "available", detail: native_api.state === "available" ? null : native_api.reason },
    ...Object.entries({ pseudocode, assembly }).map(([name, part]) => ({
      name,
      available: part.state === "available",
      detail: part.state === "available" ? cut(part) : part.reason,
    })),
  ];
}

function asQuestion(question: string): OpenQuestion {
  return { question, next_step: "Read the listing with read_function_instructions." };
}

function asCut({ part, total }: NativeApi["truncated"][number]): OpenQuestion {
  return { question: `Only ${String(listLimit)} of ${String(total)} items of ${part} are shown.`, next_step: "Call analyze_function with a higher limit." };
}

function unavailableFacet({ native_api }: Dossier): OpenQuestion[] {
  return native_api.state === "available" ? [] : [{ question: native_api.reason, next_step: native_api.remediation }];
}
