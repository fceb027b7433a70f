import { isReaError, ReaError, type ErrorDetailValue } from "@rea/core";

interface Remaining {
  readonly kind: string;
  readonly detail: { readonly [key: string]: ErrorDetailValue | undefined };
}

/** `cleanup_incomplete`: work failed, and something that it had started is left. `happened` is one sentence about both. */
export function cleanupIncomplete(error: unknown, left: { readonly operation: string; readonly happened: string; readonly resources: readonly Remaining[] }): ReaError {
  return new ReaError("cleanup_incomplete", {
    message: `${left.happened} Details list what remains.`,
    details: {
      operation: left.operation,
      cleanup: "incomplete",
      resources: left.resources.map(({ kind, detail }) => ({ kind, detail: { ...detail } })),
      cause: isReaError(error) ? error.code : "execution_failure",
    },
    cause: error,
  });
}
