import { ReaError, throwIfAborted, type OperationContext } from "@rea/core";
import { propertyListSteps, type PropertyList } from "@rea/binary";
import type { ArtifactDocument } from "@rea/artifact";

const mostBytes = 64 * 1024 * 1024;
const turnMs = 25;

/**
 * Reads a property list and lets others have their turn meanwhile; undefined when the document is none. Throws
 * `truncated` for one that is too large, and `cancelled`.
 */
export async function readList({ bytes }: ArtifactDocument, operation: string, { signal }: OperationContext): Promise<PropertyList | undefined> {
  if (bytes.byteLength > mostBytes) throw tooLarge(operation, bytes.byteLength);
  const steps = propertyListSteps(bytes);
  let started = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - started < turnMs) continue;
    await new Promise((resume) => setImmediate(resume));
    throwIfAborted(signal, operation);
    started = performance.now();
  }
}

function tooLarge(operation: string, size: number): ReaError {
  return new ReaError("truncated", {
    message: `The property list is larger than ${operation} reads (${String(mostBytes)} bytes).`,
    details: { operation, limit: mostBytes, actual_bytes: size },
    action: "Give a smaller file.",
  });
}
