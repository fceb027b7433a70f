import type { z } from "../z.js";

/**
 * An operation a provider can answer: the contract between tools, which ask for it by name, and providers, which
 * declare it. `params` is the strict input, `result` what every answer is checked against.
 */
export interface OperationContract<P extends z.ZodObject = z.ZodObject, R extends z.ZodType = z.ZodType> {
  readonly params: P;
  readonly result: R;
}

export function defineOperation<P extends z.ZodObject, R extends z.ZodType>(params: P, result: R): OperationContract<P, R> {
  return { params, result };
}
