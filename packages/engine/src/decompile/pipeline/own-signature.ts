import { agreed, withNames, type Prototype } from "../../debug-types/prototype.js";
import { returnValue, type FunctionResult } from "../calls/result.js";
import { parametersOf } from "../calls/signature.js";
import type { Machine } from "../machine-model.js";
import type { Graph, Signature } from "../ssa/graph.js";

/** What the function takes and returns: as debug information has it where the code agrees, else as the code shows. Sets what each return returns. */
export function ownSignature(graph: Graph, machine: Machine, prototype: Prototype | undefined, ownResult: () => FunctionResult): Signature {
  const states = graph.blocks.map((block) => ({ block, state: block.ending.kind === "return" ? block.ending.state : undefined }));
  const fromCode = (result: FunctionResult): Signature => {
    for (const { block, state } of states) {
      const { ending } = block;
      if (ending.kind !== "return" || state === undefined) continue;
      ending.value = returnValue(state, result, machine);
      ending.state = new Map();
    }
    return { parameters: parametersOf(graph, machine), variadic: false, result: result.type, ...(result.shape === undefined ? {} : { shape: result.shape }), source: "code" };
  };
  const own = ownResult();
  const known = prototype?.signature;
  if (known !== undefined && agreed(fromCode({ type: known.result }), prototype) === known) return known;
  return withNames(fromCode(own), prototype);
}
