import { ReaError, type ErrorCode } from "@rea/core";

export function isReaError(error: unknown, code: ErrorCode): boolean {
  return error instanceof ReaError && error.code === code;
}
