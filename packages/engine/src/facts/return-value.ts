import type { Convention } from "./conventions.js";
import type { FunctionFlow } from "./function-flow.js";
import { lastWrite, writesBeforeReturns } from "./register-flow.js";

/** What the code leaves in the return registers. */
export interface ReturnValue {
  readonly kind: "integer" | "float" | "integer_and_float" | "none_seen" | "unknown" | "does_not_return";
  readonly basis: string;
}

/** Whether return registers are written before returns with values that nothing else reads. */
export function returnValueOf({ graph, effects }: FunctionFlow, convention: Convention): ReturnValue {
  const general = writesBeforeReturns(graph, effects, {
    of: ({ generalReturn }) => generalReturn,
    isRead: ({ exposed }) => ((exposed >>> convention.generalReturn) & 1) === 1,
  });
  const vector = writesBeforeReturns(graph, effects, {
    of: ({ vectorReturn }) => vectorReturn,
    isRead: ({ exposedVector }) => ((exposedVector >>> convention.vectorReturn) & 1) === 1,
  });
  if (general.length === 0) return { kind: "does_not_return", basis: "no return is reached by the edges that were seen" };
  return judge(verdict(general), verdict(vector));
}

type Verdict = "written" | "untouched" | "from_call" | "unclear";

/** A value that is written last and read by nothing is for the caller; a path that leaves the register alone speaks against it. */
function verdict(states: readonly number[]): Verdict {
  const all = states.reduce((bits, state) => bits | state, 0);
  if (all & lastWrite.none) return "untouched";
  if (all & lastWrite.written) return "written";
  return all === lastWrite.call ? "from_call" : "unclear";
}

function judge(general: Verdict, vector: Verdict): ReturnValue {
  if (general === "written" && vector === "written") return { kind: "integer_and_float", basis: "both return registers hold values that only a caller can read" };
  if (general === "written") return { kind: "integer", basis: "the integer return register holds a value that only a caller can read" };
  if (vector === "written") return { kind: "float", basis: "the floating-point return register holds a value that only a caller can read" };
  if (general === "from_call" || vector === "from_call") return { kind: "unknown", basis: "what the last call returned may be passed on" };
  if (general === "untouched") return { kind: "none_seen", basis: "a way to a return leaves the return registers alone" };
  return { kind: "unknown", basis: "the value last written to the return register is also used in the function" };
}
