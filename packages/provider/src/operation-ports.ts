import {
  operations,
  ReaError,
  type Execution,
  type OperationContext,
  type OperationName,
  type OperationParams,
  type OperationPorts,
  type OperationResult,
  type z,
} from "@rea/core";

/** Answers any operation; what dispatch is written as. */
export type OperationCall = <N extends OperationName>(
  operation: N,
  params: OperationParams<N>,
  context: OperationContext,
) => Promise<Execution<OperationResult<N>>>;

type ResultContracts = { readonly [N in OperationName]: { readonly result: z.ZodType<OperationResult<N>> } };
const contracts: ResultContracts = operations;

/** One port for each operation, all answered by the same call. */
export function operationPorts(call: OperationCall): OperationPorts {
  const entries = operationNames.map((name) => [name, portOf(name, call)]);
  const ports: unknown = Object.fromEntries(entries);
  if (!isComplete(ports)) throw new Error("An operation has no port.");
  return ports;
}

/**
 * Checks an answer against the output contract of its operation. Throws `unreadable_output` naming provider, operation
 * and the first place that is off, never a value: answers carry names of the target.
 */
export function parseOperationResult<N extends OperationName>(
  operation: N,
  value: unknown,
  providerId: string,
): OperationResult<N> {
  const parsed = contracts[operation].result.safeParse(value);
  if (parsed.success) return parsed.data;
  throw unreadableAnswer({ operation, providerId, issues: parsed.error.issues });
}

/** The typed error for an answer that is off contract. */
export function unreadableAnswer(answer: {
  readonly operation: string;
  readonly providerId: string;
  readonly issues: readonly z.core.$ZodIssue[];
}): ReaError<"unreadable_output"> {
  const [issue] = answer.issues;
  return new ReaError("unreadable_output", {
    message: `The answer of ${answer.providerId} to ${answer.operation} does not match its contract.`,
    details: {
      provider_id: answer.providerId,
      operation: answer.operation,
      place: placeOf(issue),
      problem: issue?.code ?? "invalid",
    },
  });
}

/** Keys of records may come from the target, so only the first two steps and list positions are named. */
function placeOf(issue: z.core.$ZodIssue | undefined): string {
  const path = issue?.path.slice(0, 2).map(String).join(".") ?? "";
  return path === "" ? "top level" : path;
}

const operationNames = Object.keys(operations).filter((name): name is OperationName => Object.hasOwn(operations, name));

function portOf<N extends OperationName>(name: N, call: OperationCall) {
  return (params: OperationParams<N>, context: OperationContext) => call(name, params, context);
}

function isComplete(value: unknown): value is OperationPorts {
  return typeof value === "object" && value !== null && operationNames.every((name) => Object.hasOwn(value, name));
}
