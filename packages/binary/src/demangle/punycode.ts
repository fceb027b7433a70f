/** Decodes the Punycode (RFC 3492) of Rust identifiers, which has `_` where the RFC has `-`; undefined when malformed. */
export function decodePunycode(text: string): string | undefined {
  const split = text.lastIndexOf("_");
  const output = [...(split < 0 ? "" : text.slice(0, split))];
  const input = text.slice(split + 1);
  if (input === "" || text.length > 1024) return undefined;
  let code = 128;
  let index = 0;
  let bias = 72;
  for (let at = 0; at < input.length; ) {
    const before = index;
    let weight = 1;
    for (let k = 36; ; k += 36) {
      const digit = "abcdefghijklmnopqrstuvwxyz0123456789".indexOf(input[at] ?? "?");
      at += 1;
      if (digit < 0) return undefined;
      index += digit * weight;
      const threshold = Math.min(26, Math.max(1, k - bias));
      if (digit < threshold) break;
      weight *= 36 - threshold;
      if (index > 0x7fff_ffff || weight > 0x7fff_ffff) return undefined;
    }
    const length = output.length + 1;
    bias = adapted(index - before, length, before === 0);
    code += Math.floor(index / length);
    index %= length;
    if (code > 0x10_ffff || (code >= 0xd800 && code < 0xe000)) return undefined;
    output.splice(index, 0, String.fromCodePoint(code));
    index += 1;
  }
  return output.join("");
}

/** RFC 3492 §6.1. */
function adapted(difference: number, length: number, first: boolean): number {
  let delta = Math.floor(difference / (first ? 700 : 2));
  delta += Math.floor(delta / length);
  let k = 0;
  for (; delta > 455; k += 36) delta = Math.floor(delta / 35);
  return k + Math.floor((36 * delta) / (delta + 38));
}
