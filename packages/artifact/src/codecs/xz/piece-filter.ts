/** Changes bytes that pass in pieces; may hold some back. */
export interface PieceFilter {
  push(piece: Uint8Array): Uint8Array;
  /** What was held back. */
  finish(): Uint8Array;
}

/** Adds to each byte the one `distance` bytes before it (delta filter of xz and 7z). */
export function deltaFilter(distance: number): PieceFilter {
  const history = new Uint8Array(distance);
  let at = 0;
  return {
    push(piece) {
      const out = new Uint8Array(piece.byteLength);
      for (let index = 0; index < piece.byteLength; index += 1) {
        const value = ((piece[index] ?? 0) + (history[at] ?? 0)) & 0xff;
        out[index] = value;
        history[at] = value;
        at = at + 1 === distance ? 0 : at + 1;
      }
      return out;
    },
    finish: () => new Uint8Array(0),
  };
}
