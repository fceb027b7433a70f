import { ReaError, type ByteSource, type StaticOperationName } from "@rea/core";
import type { Answer } from "../operations/answer.js";
import type { WorkerTarget } from "./messages.js";

export interface StaticInput {
  readonly target: WorkerTarget;
  readonly source: ByteSource;
  readonly checkpoint: () => void;
}

const names: readonly StaticOperationName[] = ["inspect_binary", "inspect_macho", "list_architectures"];

export function isStaticOperation(name: string): name is StaticOperationName {
  return names.some((known) => known === name);
}

/** Answers an operation about the file's format. */
export function answerStatic(operation: StaticOperationName, _params: unknown, _input: StaticInput): Promise<Answer<unknown>> {
  return Promise.reject(new ReaError("capability_unavailable", { message: `${operation} is not available in this build.`, details: {} }));
}
