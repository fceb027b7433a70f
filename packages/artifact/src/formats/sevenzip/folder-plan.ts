import { isReaError } from "@rea/core";
import type { Unavailable } from "../../format.js";
import { isEncryption, methodOf, otherMethodName } from "./coders.js";
import { coderOf, mainOutput, type Coder, type Folder } from "./folder.js";
import type { Streams } from "./streams.js";

/** Memory that the coders of one folder may ask for together. */
export const mostFolderMemory = 256 * 1024 * 1024;

/** A folder that can be decoded, or why it cannot. */
export interface FolderPlan {
  readonly index: number;
  readonly folder: Folder;
  readonly plainBytes: number;
  /** Bytes of its packed streams, all together. */
  readonly packedBytes: number;
  readonly encrypted: boolean;
  /** A method's identifier that no document gives. */
  readonly unknownMethod: boolean;
  readonly problem: Unavailable | undefined;
}

/** Looks at a folder's coders before anything is allocated. */
export function planFolder(streams: Streams, index: number, room: { readonly start: number; readonly size: number }): FolderPlan {
  const folder = streams.folder(index);
  const first = streams.firstPacked(index);
  const sizes = folder.packed.map((_, at) => streams.packSizes[first + at] ?? 0);
  const packedBytes = sizes.reduce((total, size) => total + size, 0);
  const start = streams.packStart(first) + room.start;
  const inside = start + packedBytes <= room.size;
  const cut: Unavailable = { reason: "malformed", why: "The packed data reaches past the end of the archive." };
  const problem = coderProblem(streams, index, folder) ?? (inside ? undefined : cut);
  return {
    index,
    folder,
    plainBytes: streams.plainSize(index),
    packedBytes,
    encrypted: folder.coders.some(({ id }) => isEncryption(id)),
    unknownMethod: folder.coders.some(({ id }) => methodOf(id) === undefined && otherMethodName(id) === undefined),
    problem,
  };
}

function coderProblem(streams: Streams, index: number, folder: Folder): Unavailable | undefined {
  const encryption = folder.coders.find(({ id }) => isEncryption(id));
  if (encryption !== undefined) return { reason: "encrypted", why: `The data is encrypted with ${otherMethodName(encryption.id) ?? "a cipher"}.` };
  const foreign = folder.coders.find(({ id }) => methodOf(id) === undefined);
  if (foreign !== undefined) return { reason: "unsupported_method", why: notDecoded(foreign.id) };
  if (!isJoined(folder)) return { reason: "malformed", why: "The coders of the folder are joined in a circle, or do not take the streams they are given." };
  return memoryProblem(streams, index, folder);
}

function notDecoded(id: string): string {
  const name = otherMethodName(id);
  return name === undefined ? `Method ${id} means nothing.` : `Method ${id} (${name}) is not decoded.`;
}

function memoryProblem(streams: Streams, index: number, folder: Folder): Unavailable | undefined {
  let wanted = 0;
  for (const [output, coder] of folder.coders.entries()) {
    const method = methodOf(coder.id);
    if (method?.memoryBytes === undefined) continue;
    const memory = method.memoryBytes(coder.properties, streams.outputSize(index, output));
    if (memory === undefined) return { reason: "malformed", why: `The properties of ${method.name} are out of range.` };
    wanted += memory;
  }
  if (wanted <= mostFolderMemory) return undefined;
  return { reason: "limit", why: `Decoding asks for a dictionary of ${String(wanted)} bytes, more than the ${String(mostFolderMemory)} allowed.` };
}

/** True when each coder has one output, the inputs its method reads, and the main output leads back to packed streams. */
function isJoined(folder: Folder): boolean {
  const fits = (coder: Coder): boolean => coder.outputs === 1 && coder.inputs === (methodOf(coder.id)?.inputs ?? 1);
  return folder.coders.every(fits) && reaches(folder);
}

/** Follows the coders from the main output; each must be met once. */
function reaches(folder: Folder): boolean {
  const met = new Set<number>();
  try {
    const queue = [mainOutput(folder)];
    for (let output = queue.pop(); output !== undefined; output = queue.pop()) {
      if (met.has(output)) return false;
      met.add(output);
      const { coder, firstInput } = coderOf(folder, output);
      const inputs = Array.from({ length: coder.inputs }, (_, at) => firstInput + at);
      queue.push(...folder.bonds.filter(({ input }) => inputs.includes(input)).map((bond) => bond.output));
    }
  } catch (error) {
    if (!isReaError(error)) throw error;
    return false;
  }
  return met.size === folder.coders.length;
}
