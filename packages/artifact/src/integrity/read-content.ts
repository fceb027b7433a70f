import { isReaError } from "@rea/core";
import { Spool } from "../disk/spool.js";
import { isUnavailable, type Entry, type OpenedSource } from "../format.js";

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

/** The content of a member for random access, from where it lies or kept aside; undefined as for `wholeContent`. */
export async function openedContent({ content, declaredBytes }: Pick<Entry, "content" | "declaredBytes">, most: number): Promise<OpenedSource | undefined> {
  if (content === null || isUnavailable(content) || (declaredBytes ?? 0) > most) return undefined;
  const lying = content.random?.();
  if (lying !== undefined) return lying;
  const spool = new Spool();
  let bytes = 0;
  try {
    for await (const piece of content.stream()) {
      bytes += piece.byteLength;
      if (bytes > most) break;
      spool.write(piece);
    }
    if (bytes <= most) return spool.source();
  } catch (error) {
    spool.close();
    if (isReaError(error) && error.code === "artifact_operation_failed") return undefined;
    throw error;
  }
  spool.close();
  return undefined;
}
