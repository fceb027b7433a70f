import { createHash } from "node:crypto";
import { memorySource, ReaError, type Omission } from "@rea/core";
import { isUnavailable, type DeclaredCheck, type Entry, type EntryContent, type Format, type FoundAnomaly, type ReaderInput } from "../../src/format.js";
import { defaultLimits } from "../../src/limits.js";
import { SequentialReader } from "../../src/reading/sequential-reader.js";

export interface SeenEntry {
  readonly name: string;
  readonly kind: string;
  readonly bytes: number | undefined;
  readonly sha256: string | undefined;
  readonly link: string | undefined;
  /** Why the content was not to be had, or how it broke off. */
  readonly problem: string | undefined;
  readonly failedChecks: readonly string[];
  readonly entry: Entry;
}

export interface Seen {
  readonly entries: readonly SeenEntry[];
  readonly anomalies: readonly FoundAnomaly[];
  readonly omissions: readonly Omission[];
}

export interface CollectOptions {
  readonly containerName?: string;
  readonly pieceBytes?: number;
  /** False leaves the contents unread. */
  readonly read?: boolean;
  readonly signal?: AbortSignal;
}

/** Everything a reader says about bytes, contents read and declarations checked. */
export async function collect(format: Format, bytes: Uint8Array | AsyncIterable<Uint8Array>, options: CollectOptions = {}): Promise<Seen> {
  const anomalies: FoundAnomaly[] = [];
  const omissions: Omission[] = [];
  const input: ReaderInput = {
    report: { part: () => undefined, anomaly: (found) => void anomalies.push(found), omission: (left) => void omissions.push(left) },
    signal: options.signal ?? new AbortController().signal,
    limits: defaultLimits,
    containerName: options.containerName ?? "",
    openBeside: () => undefined,
  };
  const entries: SeenEntry[] = [];
  for await (const entry of opened(format, bytes, input, options.pieceBytes ?? 4096)) entries.push(await see(entry, options.read ?? true));
  return { entries, anomalies, omissions };
}

function opened(format: Format, bytes: Uint8Array | AsyncIterable<Uint8Array>, input: ReaderInput, pieceBytes: number): AsyncIterable<Entry> {
  if (format.access === "sequential") return format.entries(new SequentialReader(bytes instanceof Uint8Array ? cut(bytes, pieceBytes) : bytes), input);
  if (bytes instanceof Uint8Array) return format.entries(memorySource(bytes), input);
  throw new Error("A random format needs all bytes.");
}

export async function* cut(bytes: Uint8Array, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield await Promise.resolve(bytes.subarray(at, at + pieceBytes));
}

async function see(entry: Entry, read: boolean): Promise<SeenEntry> {
  const { content } = entry;
  const base = {
    name: entry.name.text ?? Buffer.from(entry.name.bytes).toString("latin1"),
    kind: entry.kind,
    link: entry.linkTarget === null ? undefined : Buffer.from(entry.linkTarget).toString("utf8"),
    entry,
  };
  const nothing = { bytes: undefined, sha256: undefined, problem: undefined, failedChecks: [] };
  if (content === null || !read) return { ...base, ...nothing };
  if (isUnavailable(content)) return { ...base, ...nothing, problem: content.reason };
  return { ...base, ...(await readContent(entry, content)) };
}

async function readContent(entry: Entry, content: EntryContent): Promise<Pick<SeenEntry, "bytes" | "sha256" | "problem" | "failedChecks">> {
  const digests = new Map(["sha256", ...entry.checks.flatMap((check) => (check.kind === "digest" ? [check.algorithm] : []))].map((name) => [name, createHash(name)]));
  let bytes = 0;
  let crc = 0;
  const { crc32 } = await import("node:zlib");
  try {
    for await (const piece of content.stream()) {
      bytes += piece.byteLength;
      crc = crc32(piece, crc);
      for (const hash of digests.values()) hash.update(piece);
    }
  } catch (error) {
    if (!(error instanceof ReaError) || error.code !== "artifact_operation_failed") throw error;
    return { bytes, sha256: undefined, problem: error.message, failedChecks: [] };
  }
  const seen = new Map([...digests].map(([name, hash]) => [name, hash.digest("hex")]));
  const holds = (check: DeclaredCheck): boolean => {
    if (check.kind === "size") return check.bytes === bytes;
    if (check.kind === "crc32") return check.value === crc;
    if (check.kind === "measured") return check.observed() === check.hex;
    return check.kind !== "digest" || seen.get(check.algorithm) === check.hex;
  };
  const failedChecks = [...entry.checks, ...(content.lateChecks?.() ?? [])].filter((check) => !holds(check)).map(({ kind }) => kind);
  return { bytes, sha256: seen.get("sha256"), problem: undefined, failedChecks };
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
