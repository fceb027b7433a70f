import type { SequentialReader } from "../../reading/sequential-reader.js";
import { brokenData } from "../broken-data.js";
import { defaultWindowBytes, type DecoderOptions } from "../reader-codec.js";
import { turn } from "../turn.js";
import { Dictionary } from "./dictionary.js";
import { longestSymbolBytes, lzmaProperties, LzmaState } from "./lzma-state.js";

/** What stands outside a raw LZMA stream and is needed to decode it. */
export interface RawLzma {
  /** The properties byte. */
  readonly properties: number;
  readonly dictionaryBytes: number;
  /** Bytes that come out; undefined when only an end marker tells. */
  readonly plainBytes: number | undefined;
}

const inputBytes = 1 << 16;
const outputBytes = 1 << 18;

/**
 * Decodes LZMA without any header, as LZMA-alone files, ZIP method 14 and 7z hold it. Ends after `plainBytes`, an end
 * marker behind them included, or at the end marker.
 */
export async function* decodeRawLzma(reader: SequentialReader, raw: RawLzma, options: DecoderOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const properties = lzmaProperties(raw.properties);
  if (properties === undefined) throw brokenData("The LZMA properties are out of range.");
  const dictionary = new Dictionary(windowFor(raw, options.maxWindowBytes ?? defaultWindowBytes));
  const state = new LzmaState(dictionary);
  state.configure(properties);
  state.range.feed(await reader.read(5));
  state.range.start();
  let left = raw.plainBytes ?? Number.POSITIVE_INFINITY;
  while (left > 0) {
    await turn(options.signal);
    const { produced, ended } = await step(reader, state, Math.min(left, outputBytes));
    left -= produced;
    if (dictionary.pending > 0) yield dictionary.flush();
    if (ended) return endAtMarker(reader, state, raw.plainBytes === undefined ? 0 : left);
  }
  await endAtLength(reader, state);
}

/** The dictionary that is needed: never more than what comes out. */
function windowFor(raw: RawLzma, maximum: number): number {
  const wanted = Math.min(raw.dictionaryBytes, raw.plainBytes ?? Number.POSITIVE_INFINITY);
  if (wanted > maximum) throw brokenData(`The data asks for a window of ${String(wanted)} bytes, more than the ${String(maximum)} allowed.`);
  return wanted;
}

async function step(reader: SequentialReader, state: LzmaState, limit: number): Promise<{ produced: number; ended: boolean }> {
  const input = await reader.peek(inputBytes);
  state.range.feed(input);
  const done = state.run(limit, input.byteLength < inputBytes ? 0 : longestSymbolBytes);
  await reader.skip(state.range.used);
  return done;
}

/** At an end marker: the coder's last byte; nothing of the declared length may be missing. */
async function endAtMarker(reader: SequentialReader, state: LzmaState, missing: number): Promise<void> {
  await lastByte(reader, state);
  if (missing > 0) throw brokenData(`The LZMA data ends ${String(missing)} bytes before its declared length.`);
}

/** After the declared length: the coder's last byte, and an end marker where the writer put one. */
async function endAtLength(reader: SequentialReader, state: LzmaState): Promise<void> {
  if (state.hasPendingMatch) throw brokenData("The last match reaches past the declared length of the LZMA data.");
  await lastByte(reader, state);
  if (state.range.finished) return;
  const { ended } = await step(reader, state, 1);
  if (!ended) throw brokenData("The LZMA data goes on behind its declared length.");
  await lastByte(reader, state);
}

async function lastByte(reader: SequentialReader, state: LzmaState): Promise<void> {
  state.range.feed(await reader.peek(1));
  state.range.normalizeAtEnd();
  await reader.skip(state.range.used);
}
