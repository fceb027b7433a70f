import { escapeUntrusted, isReaError, ReaError, type ErrorDetails } from "@rea/core";

export interface RefusedFile {
  /** The path as the caller gave it. */
  readonly path: string;
  /** How to get a file that will be taken. */
  readonly action: string;
}

/** Runs `read`; a refusal of the file's content names the file and says how to get a good one. */
export async function namingFile<T>({ path, action }: RefusedFile, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new ReaError("evidence_integrity_mismatch", {
      message: `${error.message} The file is ${escapeUntrusted(path)}.`,
      details: error.details,
      action,
      cause: error,
    });
  }
}

type Refusal = ReaError & { readonly details: ErrorDetails<"evidence_integrity_mismatch"> };

function isRefusal(error: unknown): error is Refusal {
  return isReaError(error) && error.code === "evidence_integrity_mismatch";
}
