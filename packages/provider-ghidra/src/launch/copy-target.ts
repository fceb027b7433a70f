import { createHash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { ReaError, throwIfAborted } from "@rea/core";

const chunkBytes = 1024 * 1024;

export interface CopyRequest {
  readonly from: string;
  /** A new file, 0600. */
  readonly to: string;
  /** Of the bytes that were admitted. */
  readonly sha256: string;
  readonly signal: AbortSignal;
}

/**
 * Copies the target and checks that the copy is what was admitted. Throws `target_unavailable` (`target_changed`, `missing`,
 * `unreadable`), `provider_unavailable` (`private_directory_unusable`, with the system's code such as `ENOSPC`), `cancelled`.
 */
export async function copyTarget({ from, to, sha256, signal }: CopyRequest): Promise<void> {
  const source = await open(from, "r").catch((error: unknown) => {
    throw targetGone(codeOf(error) === "ENOENT" ? "missing" : "unreadable", error);
  });
  try {
    const copy = await open(to, "wx", 0o600).catch(rethrowUnwritable);
    try {
      const copied = await copyBytes(source, copy, signal);
      if (copied !== sha256) throw targetGone("target_changed");
    } finally {
      await copy.close();
    }
  } finally {
    await source.close();
  }
}

async function copyBytes(source: FileHandle, copy: FileHandle, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  const chunk = Buffer.alloc(chunkBytes);
  for (;;) {
    throwIfAborted(signal, "start_engine");
    const { bytesRead } = await source.read(chunk, 0, chunk.length, null).catch((error: unknown) => {
      throw targetGone("unreadable", error);
    });
    if (bytesRead === 0) return hash.digest("hex");
    const bytes = chunk.subarray(0, bytesRead);
    hash.update(bytes);
    await copy.writeFile(bytes).catch(rethrowUnwritable);
  }
}

/** What the session's directory does not take, a full disk above all. */
export function rethrowUnwritable(error: unknown): never {
  const code = codeOf(error);
  if (code === "unknown") throw error;
  const what = code === "ENOSPC" || code === "EDQUOT" ? "There is no room left" : `The system refused (${code})`;
  throw new ReaError("provider_unavailable", {
    message: `Ghidra's private directory cannot be written: ${what}. Let TMPDIR name a directory with room for the target and its project.`,
    details: { provider_id: "ghidra", operation: "start_engine", reason: "private_directory_unusable", errno: code },
    cause: error,
  });
}

function targetGone(reason: "missing" | "unreadable" | "target_changed", cause?: unknown): ReaError {
  const what = { missing: "is not there any more", unreadable: "cannot be read", target_changed: "is not the one that was opened" };
  return new ReaError("target_unavailable", {
    message: `The target's file ${what[reason]}. Open it again.`,
    details: { reason },
    cause,
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
}
