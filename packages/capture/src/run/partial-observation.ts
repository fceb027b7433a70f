import { canonicalJson, type JsonObject } from "@rea/core";
import type { EndedRun } from "@rea/lineage";
import { plainJson } from "./manifest.js";
import type { Recording } from "./recording.js";

const maximumBytes = 1024 * 1024;
/** For the names and counts around what is kept. */
const frameBytes = 2_048;

/**
 * What a capture that failed had collected, at most 1 MiB: of each collection as much from its beginning as there is room
 * for, those that say most in few bytes first. `left_out` counts the rest.
 */
export function partialObservation(recording: Recording, { cleanup }: EndedRun): JsonObject {
  const collections: { readonly [name: string]: readonly unknown[] } = {
    interaction_events: recording.interactions,
    process_samples: recording.samples,
    shim_events: recording.shims,
    filesystem_checkpoints: recording.filesystem,
    protocol_events: recording.protocol,
    frames: recording.frames,
    rendered_frames: recording.rendered,
    syscall_events: recording.syscalls,
  };
  const base = { exit: recording.exit, cleanup, limitations: recording.limitations() };
  let room = maximumBytes - frameBytes - bytesOf(base);
  const kept: [string, readonly unknown[]][] = [];
  const leftOut: [string, number][] = [];
  for (const [name, items] of Object.entries(collections)) {
    const part = beginningOf(items, room);
    room -= part.bytes;
    kept.push([name, part.items]);
    if (part.items.length < items.length) leftOut.push([name, items.length - part.items.length]);
  }
  return plainJson({ ...base, ...Object.fromEntries(kept), left_out: Object.fromEntries(leftOut) });
}

function beginningOf(items: readonly unknown[], room: number): { readonly items: readonly unknown[]; readonly bytes: number } {
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    const size = bytesOf(item) + 1;
    if (bytes + size > room) return { items: items.slice(0, index), bytes };
    bytes += size;
  }
  return { items, bytes };
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(canonicalJson(value));
}
