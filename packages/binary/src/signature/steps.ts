import { createHash } from "node:crypto";
import { checkRange, type ByteSource } from "@rea/core";
import type { HashName } from "./object-identifiers.js";

/** Work that stops for breath after each piece of about a megabyte, so that its caller can serve others and be cancelled. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does all of it at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Bytes of a source, half-open. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const pieceBytes = 1 << 20;

/** The digests of the spans one after another, with zeros behind them where asked for; one digest for each algorithm. */
export function* spansDigest(source: ByteSource, spans: readonly Span[], algorithms: readonly HashName[], zeros = 0): Steps<readonly string[]> {
  const hashes = algorithms.map((name) => createHash(name));
  for (const { start, end } of spans) {
    checkRange(start, Math.max(0, end - start), source.size);
    for (let at = start; at < end; at += pieceBytes) {
      const piece = source.read(at, Math.min(pieceBytes, end - at));
      for (const hash of hashes) hash.update(piece);
      yield undefined;
    }
  }
  return hashes.map((hash) => hash.update(Buffer.alloc(zeros)).digest("hex"));
}
