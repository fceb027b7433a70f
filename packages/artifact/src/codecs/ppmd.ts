import { isReaError, type ReaError } from "@rea/core";
import type { SequentialReader } from "../reading/sequential-reader.js";
import { brokenData } from "./broken-data.js";
import { InputBatch } from "./input-batch.js";
import { PpmdModel } from "./ppmd/ppmd-model.js";
import { SymbolRange } from "./ppmd/symbol-range.js";
import type { DecoderOptions } from "./reader-codec.js";
import { turn } from "./turn.js";

/** What stands outside a PPMd stream and is needed to decode it. */
export interface PpmdSettings {
  /** Bytes of the longest context: 2 to 64. */
  readonly order: number;
  /** Memory of the model, which is allocated in full: 2 KiB to 4 GiB. */
  readonly memoryBytes: number;
  readonly plainBytes: number;
}

export const leastPpmdOrder = 2;
export const greatestPpmdOrder = 64;
export const leastPpmdMemory = 1 << 11;

const pieceBytes = 1 << 16;
/** No symbol uses more input: each of 65 contexts two bytes at most. */
const symbolInput = 160;

/** Decodes PPMd variant H with the range coder of 7z. Ends after `plainBytes`. The caller bounds the memory. */
export async function* decodePpmd(reader: SequentialReader, settings: PpmdSettings, options: DecoderOptions): AsyncGenerator<Uint8Array, void, undefined> {
  if (settings.order < leastPpmdOrder || settings.order > greatestPpmdOrder || settings.memoryBytes < leastPpmdMemory) {
    throw brokenData("The PPMd properties are out of range.");
  }
  const range = new SymbolRange();
  const input = new InputBatch();
  await input.load(reader);
  range.feed(input.bytes);
  range.start();
  const model = new PpmdModel(settings.order, settings.memoryBytes);
  for (let left = settings.plainBytes; left > 0; ) {
    await turn(options.signal);
    input.at += range.used;
    await input.load(reader);
    range.feed(input.bytes.subarray(input.at));
    const { piece, failure } = run(model, range, { limit: Math.min(left, pieceBytes), keep: input.isLast ? 0 : symbolInput });
    if (piece.byteLength > 0) yield piece;
    if (failure !== undefined) throw failure;
    left -= piece.byteLength;
  }
  await reader.skip(input.at + range.used);
}

interface Step {
  readonly piece: Uint8Array;
  readonly failure: ReaError | undefined;
}

/** Decodes until the piece is full or input runs short; what came before damage is kept. */
function run(model: PpmdModel, range: SymbolRange, { limit, keep }: { readonly limit: number; readonly keep: number }): Step {
  const out = new Uint8Array(limit);
  let at = 0;
  try {
    for (; at < limit && range.left >= keep; at += 1) {
      const symbol = model.decode(range);
      if (symbol < 0) throw brokenData(symbol === -1 ? "The PPMd data ends before its declared length." : "The PPMd data holds a value that stands for no symbol.");
      out[at] = symbol;
    }
  } catch (failure) {
    if (!isReaError(failure)) throw failure;
    return { piece: out.subarray(0, at), failure };
  }
  return { piece: out.subarray(0, at), failure: undefined };
}
