import { memorySource } from "@rea/core";
import type { Entry, FoundAnomaly, ReaderInput } from "../../src/format.js";
import { isUnavailable } from "../../src/format.js";
import { tarFormat } from "../../src/formats/tar/tar-format.js";
import { defaultLimits } from "../../src/limits.js";
import { ReadingPool } from "../../src/pool/reading-pool.js";
import { SequentialReader } from "../../src/reading/sequential-reader.js";
import { fetchAhead } from "../../src/walk/fetch-ahead.js";
import { HeldReport } from "../../src/walk/held-report.js";
import { sha256 } from "../sequential/collect-entries.js";

export interface ReadMember {
  readonly entry: Entry;
  readonly name: string;
  /** Of the content; undefined where there is none, or where it breaks off. */
  readonly sha256: string | undefined;
  /** The library streamed the content ahead, and it is as we say. */
  readonly isStreamed: boolean;
}

export interface TarReading {
  readonly members: readonly ReadMember[];
  readonly anomalies: readonly FoundAnomaly[];
  /** What was told of readings that differ between the library and us. */
  readonly disagreements: readonly string[];
}

const words = /^tar-stream, a second reader that streams what is ordinary by its headers, (.*); the first reading counts\.$/u;

/** An archive with a source, as the walk reads it: ordinary members are streamed by the library in groups. */
export async function readAhead(bytes: Uint8Array): Promise<TarReading> {
  const anomalies: FoundAnomaly[] = [];
  const signal = new AbortController().signal;
  const held = new HeldReport({ part: () => undefined, anomaly: (found) => void anomalies.push(found), omission: () => undefined });
  const pool = new ReadingPool({ threads: 0, signal });
  const reader = SequentialReader.over(memorySource(bytes));
  const members: ReadMember[] = [];
  try {
    for await (const entry of fetchAhead(tarFormat.entries(reader, inputOf(held, signal)), { pool, signal, held, streamed: false, mayRead: () => true })) members.push(await memberOf(entry));
  } finally {
    await pool.close();
  }
  return { members, anomalies, disagreements: disagreementsOf(anomalies) };
}

/** The same of an archive that passes once: the library streams each ordinary member as it passes. */
export async function readOnce(bytes: Uint8Array, pieceBytes = 700): Promise<TarReading> {
  const anomalies: FoundAnomaly[] = [];
  const report = { part: () => undefined, anomaly: (found: FoundAnomaly) => void anomalies.push(found), omission: () => undefined };
  const members: ReadMember[] = [];
  for await (const entry of tarFormat.entries(new SequentialReader(pieces(bytes, pieceBytes)), inputOf(report, new AbortController().signal))) members.push(await memberOf(entry));
  return { members, anomalies, disagreements: disagreementsOf(anomalies) };
}

async function* pieces(bytes: Uint8Array, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield await Promise.resolve(bytes.subarray(at, at + pieceBytes));
}

function inputOf(report: ReaderInput["report"], signal: AbortSignal): ReaderInput {
  return { report, signal, limits: defaultLimits, containerName: "", openBeside: () => undefined };
}

async function memberOf(entry: Entry): Promise<ReadMember> {
  const { content } = entry;
  const readable = content === null || isUnavailable(content) ? undefined : content;
  const name = entry.name.text ?? Buffer.from(entry.name.bytes).toString("latin1");
  const streamed = readable?.fetched?.sha256;
  return { entry, name, sha256: streamed ?? (readable === undefined ? undefined : await digestOf(readable.stream())), isStreamed: streamed !== undefined };
}

async function digestOf(stream: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  try {
    for await (const piece of stream) parts.push(piece.slice());
  } catch {
    return undefined;
  }
  return sha256(Buffer.concat(parts));
}

function disagreementsOf(anomalies: readonly FoundAnomaly[]): readonly string[] {
  return anomalies.flatMap(({ detail }) => words.exec(detail)?.[1] ?? []);
}
