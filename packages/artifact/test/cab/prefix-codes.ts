export interface PrefixCodes {
  readonly lengths: Uint8Array;
  write(to: { put(value: number, bits: number): void }, symbol: number): void;
}

/** Complete canonical codes for the symbols that occur, no longer than `longest`; no codes at all when none occurs. */
export function prefixCodes(symbols: readonly number[], count: number, longest: number): PrefixCodes {
  const frequencies = new Float64Array(count);
  for (const symbol of symbols) frequencies[symbol] = (frequencies[symbol] ?? 0) + 1;
  // One symbol alone would leave half of the codes unused, which strict decoders refuse.
  const used = frequencies.reduce((total, frequency) => total + (frequency > 0 ? 1 : 0), 0);
  if (used === 1) frequencies[frequencies.findIndex((frequency) => frequency === 0)] = 1;
  const lengths = codeLengths(frequencies, longest);
  const codes = new Uint32Array(count);
  let code = 0;
  for (let length = 1; length <= longest; length += 1) {
    for (let symbol = 0; symbol < count; symbol += 1) {
      if (lengths[symbol] !== length) continue;
      codes[symbol] = code;
      code += 1;
    }
    code <<= 1;
  }
  return { lengths, write: (to, symbol) => { to.put(codes[symbol] ?? 0, lengths[symbol] ?? 0); } };
}

function codeLengths(frequencies: Float64Array, longest: number): Uint8Array {
  const lengths = new Uint8Array(frequencies.length);
  for (let halving = 0; ; halving += 1) {
    let nodes = [...frequencies.entries()].filter(([, weight]) => weight > 0).map(([symbol, weight]) => ({ symbols: [symbol], weight: Math.max(1, weight / 2 ** halving) }));
    lengths.fill(0);
    while (nodes.length > 1) {
      nodes = nodes.sort((a, b) => a.weight - b.weight);
      const [one, other, ...rest] = nodes;
      if (one === undefined || other === undefined) break;
      const symbols = [...one.symbols, ...other.symbols];
      for (const symbol of symbols) lengths[symbol] = (lengths[symbol] ?? 0) + 1;
      nodes = [{ symbols, weight: one.weight + other.weight }, ...rest];
    }
    if (lengths.every((length) => length <= longest)) return lengths;
  }
}
