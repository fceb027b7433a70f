import {
  deepOperationNames,
  isDeepOperation,
  operations,
  ReaError,
  type DeepOperationName,
  type Execution,
  type OperationContext,
  type OperationName,
  type OperationParams,
  type OperationPort,
  type OperationPorts,
  type OperationResult,
  type StaticOperationName,
  type z,
} from "@rea/core";

/** Answers any deep operation; what dispatch is written as. */
export type DeepCall = <N extends DeepOperationName>(
  operation: N,
  params: OperationParams<N>,
  context: OperationContext,
) => Promise<Execution<OperationResult<N>>>;

/** Answers any operation of the auxiliary providers. */
export type StaticCall = <N extends StaticOperationName>(
  operation: N,
  params: OperationParams<N>,
  context: OperationContext,
) => Promise<Execution<OperationResult<N>>>;

type ResultContracts = { readonly [N in OperationName]: { readonly result: z.ZodType<OperationResult<N>> } };
const contracts: ResultContracts = operations;

/** One port for each operation: deep ones answered by one call, the others by another. */
export function operationPorts(calls: { readonly deep: DeepCall; readonly auxiliary: StaticCall }): OperationPorts {
  const deep = deepOperationNames.map((name) => [name, deepPort(name, calls.deep)]);
  const auxiliary = staticOperationNames.map((name) => [name, staticPort(name, calls.auxiliary)]);
  const ports: unknown = Object.fromEntries([...deep, ...auxiliary]);
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

const operationNames = Object.keys(operations);

/** Operations that auxiliary providers answer. */
export const staticOperationNames: readonly StaticOperationName[] = operationNames.filter(
  (name): name is StaticOperationName => !isDeepOperation(name),
);

function deepPort<N extends DeepOperationName>(name: N, call: DeepCall): OperationPort<N> {
  return (params, context) => call(name, params, context);
}

function staticPort<N extends StaticOperationName>(name: N, call: StaticCall): OperationPort<N> {
  return (params, context) => call(name, params, context);
}

function isComplete(value: unknown): value is OperationPorts {
  return typeof value === "object" && value !== null && operationNames.every((name) => Object.hasOwn(value, name));
}
