/** Literals followed by a match; the last step of a text has no match. */
export interface Step {
  readonly literals: Uint8Array;
  readonly length: number;
  readonly distance: number;
}

export interface StepBounds {
  readonly literals: number;
  readonly length: number;
  readonly distance: number;
  readonly shortest: number;
}

/** Takes a text apart, greedily and without lookahead. */
export function stepsOf(text: Uint8Array, bounds: StepBounds): Step[] {
  const steps: Step[] = [];
  const seen = new Map<string, number>();
  let start = 0;
  for (let at = 0; at < text.byteLength; ) {
    const key = Buffer.from(text.subarray(at, at + bounds.shortest)).toString("latin1");
    const known = seen.get(key);
    seen.set(key, at);
    const length = known === undefined || at - known > bounds.distance || key.length < bounds.shortest ? 0 : common(text, known, at, bounds.length);
    if (length >= bounds.shortest && known !== undefined) {
      steps.push({ literals: text.subarray(start, at), length, distance: at - known });
      at += length;
      start = at;
    } else {
      at += 1;
      if (at - start === bounds.literals) {
        steps.push({ literals: text.subarray(start, at), length: 0, distance: 1 });
        start = at;
      }
    }
  }
  if (start < text.byteLength) steps.push({ literals: text.subarray(start), length: 0, distance: 1 });
  return steps;
}

function common(text: Uint8Array, from: number, to: number, most: number): number {
  let length = 0;
  while (length < most && to + length < text.byteLength && text[from + length] === text[to + length]) length += 1;
  return length;
}
