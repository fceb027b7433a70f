import { operations, type ByteSource, type JsonObject, type BinaryOperationName } from "@rea/core";
import { bundleFilesOf, inspectBinary, inspectMacho, inspectSignature, listArchitectures } from "@rea/binary";
import { answer, type Answer } from "../operations/answer.js";
import type { WorkerTarget } from "./messages.js";
import { sliceOf } from "./target-image.js";

export interface StaticInput {
  readonly target: WorkerTarget;
  readonly source: ByteSource;
  readonly params: unknown;
}

type StaticHandler = (input: StaticInput) => Answer<unknown>;

const handlers: { readonly [N in BinaryOperationName]: StaticHandler } = {
  inspect_binary({ target, source, params }) {
    const { path: _path, ...wanted } = operations.inspect_binary.params.parse(params);
    const { architecture, resolved } = chosenSlice(target, wanted.architecture);
    const result = inspectBinary(source, { ...wanted, architecture });
    return answer(result, { resolved, limitations: result.limitations });
  },
  inspect_macho({ target, source, params }) {
    const { architecture, resolved } = chosenSlice(target, operations.inspect_macho.params.parse(params).architecture);
    const result = inspectMacho(source, { architecture });
    return answer(result, { resolved, limitations: result.limitations });
  },
  inspect_signature({ target, source, params }) {
    // All slices unless one is asked for: each has a signature of its own.
    const { architecture } = operations.inspect_signature.params.parse(params);
    const result = inspectSignature(source, { architecture, files: bundleFilesOf(target.path) });
    return answer(result, { limitations: result.limitations });
  },
  list_architectures({ source }) {
    return answer(listArchitectures(source));
  },
};

export function isStaticOperation(name: string): name is BinaryOperationName {
  return Object.hasOwn(handlers, name);
}

/** Answers an operation about the file's format; throws what the readers of `@rea/binary` throw. */
export function answerStatic(operation: BinaryOperationName, input: StaticInput): Answer<unknown> {
  return handlers[operation](input);
}

/** The slice asked for, or the one that was opened; the latter is stated. */
function chosenSlice(
  target: WorkerTarget,
  wanted: string | undefined,
): { readonly architecture: string | undefined; readonly resolved: JsonObject } {
  if (wanted !== undefined) return { architecture: wanted, resolved: {} };
  const architecture = sliceOf(target);
  return { architecture, resolved: architecture === undefined ? {} : { architecture } };
}
