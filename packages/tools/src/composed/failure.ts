import { z, type ReaError } from "@rea/core";

/** A sub-failure that stays local: which operation on which address failed, and how. */
export const localFailure = z.strictObject({
  address: z.string().nullable(),
  operation: z.string(),
  code: z.string(),
  message: z.string(),
  next_step: z.string(),
});
export type LocalFailure = z.infer<typeof localFailure>;

export function failureAt(address: string | null, operation: string, error: ReaError): LocalFailure {
  return { address, operation, code: error.code, message: error.message, next_step: error.action };
}
