import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { isReaError, memorySource, type ByteSource, type Omission } from "@rea/core";
import type { DeclaredCheck, Entry, FoundAnomaly, FoundPart, OpenedSource, RandomFormat } from "../src/format.js";
import { limitsWith, type ArtifactLimits } from "../src/limits.js";

/** A member as its reader gives it, with its content read and its declarations tried. */
export interface ReadMember {
  readonly name: string;
  readonly entry: Entry;
  /** Content; undefined where there is none or it broke. */
  readonly bytes: Buffer | undefined;
  /** `ok`, `none`, the reason of an unavailable content, `broken` or the kind of the first check that failed. */
  readonly state: string;
}

export interface ReadContainer {
  readonly members: readonly ReadMember[];
  readonly anomalies: readonly FoundAnomaly[];
  readonly omissions: readonly Omission[];
  readonly parts: readonly FoundPart[];
}

export interface ReadOptions {
  readonly containerName?: string;
  readonly openBeside?: (path: string) => OpenedSource | undefined;
  readonly maximum?: number;
  /** Contents are not read. */
  readonly listOnly?: boolean;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<ArtifactLimits>;
}

export async function readContainer(format: RandomFormat, from: Uint8Array | ByteSource, options: ReadOptions = {}): Promise<ReadContainer> {
  const members: ReadMember[] = [];
  const anomalies: FoundAnomaly[] = [];
  const omissions: Omission[] = [];
  const parts: FoundPart[] = [];
  const input = {
    report: {
      anomaly: (anomaly: FoundAnomaly) => anomalies.push(anomaly),
      omission: (left: Omission) => omissions.push(left),
      part: (part: FoundPart) => parts.push(part),
    },
    signal: options.signal ?? new AbortController().signal,
    limits: limitsWith(options.limits),
    containerName: options.containerName ?? "",
    openBeside: options.openBeside ?? (() => undefined),
  };
  const source = from instanceof Uint8Array ? memorySource(from) : from;
  for await (const entry of format.entries(source, input)) {
    members.push(await readMember(entry, options.listOnly === true ? 0 : (options.maximum ?? 16 * 1024 * 1024)));
  }
  return { members, anomalies, omissions, parts };
}

async function readMember(entry: Entry, maximum: number): Promise<ReadMember> {
  const name = entry.name.text ?? Buffer.from(entry.name.bytes).toString("latin1");
  const { content } = entry;
  if (content === null) return { name, entry, bytes: undefined, state: "none" };
  if ("reason" in content) return { name, entry, bytes: undefined, state: content.reason };
  if (maximum === 0) return { name, entry, bytes: undefined, state: "not read" };
  const pieces: Uint8Array[] = [];
  let total = 0;
  try {
    for await (const piece of content.stream()) {
      pieces.push(piece);
      total += piece.byteLength;
      if (total > maximum) return { name, entry, bytes: undefined, state: "maximum" };
    }
  } catch (error) {
    if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
    return { name, entry, bytes: undefined, state: "broken" };
  } finally {
    content.close?.();
  }
  const bytes = Buffer.concat(pieces);
  const checks = [...entry.checks, ...(content.lateChecks?.() ?? [])];
  return { name, entry, bytes, state: checks.find((check) => !holds(check, bytes))?.kind ?? "ok" };
}

function holds(check: DeclaredCheck, bytes: Buffer): boolean {
  switch (check.kind) {
    case "size":
      return check.bytes === bytes.byteLength;
    case "crc32":
      return check.value === crc32(bytes);
    case "digest":
      return createHash(check.algorithm).update(bytes).digest("hex") === check.hex;
    case "part": {
      const part = check.part(bytes.subarray(0, check.headBytes));
      return part !== undefined && createHash(check.algorithm).update(bytes.subarray(part.offset, part.offset + part.length)).digest("hex") === check.hex;
    }
    case "measured":
      return check.observed() === check.hex;
    case "blocks":
      return blocksHold(check, bytes);
  }
}

function blocksHold(check: Extract<DeclaredCheck, { kind: "blocks" }>, bytes: Buffer): boolean {
  const count = Math.max(1, Math.ceil(bytes.byteLength / check.blockBytes));
  if (count !== check.hex.length) return false;
  return check.hex.every((hex, index) => {
    const block = bytes.subarray(index * check.blockBytes, (index + 1) * check.blockBytes);
    return createHash(check.algorithm).update(block).digest("hex") === hex;
  });
}

/** `name=state` of every member, in the order they came. */
export function statesOf({ members }: ReadContainer): readonly string[] {
  return members.map(({ name, state }) => `${name}=${state}`);
}

/** The kinds of anomalies, sorted, one of each. */
export function kindsOf({ anomalies }: ReadContainer): readonly string[] {
  return [...new Set(anomalies.map(({ anomaly }) => anomaly))].sort();
}
