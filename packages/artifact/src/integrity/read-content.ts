import { isReaError } from "@rea/core";
import { isUnavailable, type Entry } from "../format.js";

/** Lists of members are text; no honest one is larger. */
export const mostManifestBytes = 32 * 1024 * 1024;

/** The content of a member at once; undefined when there is none, it is damaged or larger than the bound. */
export async function wholeContent({ content, declaredBytes }: Pick<Entry, "content" | "declaredBytes">, most = mostManifestBytes): Promise<Uint8Array | undefined> {
  if (content === null || isUnavailable(content) || (declaredBytes ?? 0) > most) return undefined;
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of content.stream()) {
      bytes += piece.byteLength;
      if (bytes > most) return undefined;
      pieces.push(Uint8Array.prototype.slice.call(piece));
    }
  } catch (error) {
    if (isReaError(error) && error.code === "artifact_operation_failed") return undefined;
    throw error;
  } finally {
    content.close?.();
  }
  return Buffer.concat(pieces);
}
