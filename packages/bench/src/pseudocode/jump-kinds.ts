/** What a `goto` does that no other statement says. */
export type JumpKind =
  /** Back to what stands before it. */
  | "backward"
  /** Into a loop, `switch` or branch that it does not stand in. */
  | "inward"
  /** Forward, past the ends of two or more loops. */
  | "past outer break"
  /** Forward out of one loop, to somewhere else than directly behind it. */
  | "out of loop"
  /** Forward out of a `switch` that is in no loop which it leaves as well. */
  | "out of switch"
  /** Forward within the same loop. */
  | "sideways";

export const jumpKinds: readonly JumpKind[] = ["past outer break", "out of loop", "out of switch", "sideways", "inward", "backward"];

interface Place {
  readonly line: number;
  /** Lines that open what is around, the outermost first. */
  readonly around: readonly number[];
}

/** Jumps of a function in C as `rea` writes it: one statement on each line, braces around each body. */
export function jumpsOf(lines: readonly string[]): readonly JumpKind[] {
  const { jumps, labels } = placesOf(lines);
  return jumps.map(({ label, place }) => {
    const target = labels.get(label);
    return target === undefined ? "inward" : kindOf(place, target, lines);
  });
}

function kindOf(from: Place, to: Place, lines: readonly string[]): JumpKind {
  if (to.line < from.line) return "backward";
  if (to.around.some((opener) => !from.around.includes(opener))) return "inward";
  const left = from.around.filter((opener) => !to.around.includes(opener)).map((opener) => (lines[opener] ?? "").trim());
  const loops = left.filter((text) => /^(?:for|while|do)\b/u.test(text)).length;
  if (loops > 1) return "past outer break";
  if (loops === 1) return "out of loop";
  return left.some((text) => text.startsWith("switch ")) ? "out of switch" : "sideways";
}

function placesOf(lines: readonly string[]): { readonly jumps: readonly { readonly label: string; readonly place: Place }[]; readonly labels: ReadonlyMap<string, Place> } {
  const jumps: { label: string; place: Place }[] = [];
  const labels = new Map<string, Place>();
  const around: number[] = [];
  for (const [line, full] of lines.entries()) {
    const text = full.trim();
    if (text.startsWith("}")) around.pop();
    const label = /^(L\d+):/u.exec(text)?.[1];
    if (label !== undefined) labels.set(label, { line, around: [...around] });
    const jump = /^goto (L\d+);/u.exec(text)?.[1];
    if (jump !== undefined) jumps.push({ label: jump, place: { line, around: [...around] } });
    if (text.endsWith("{")) around.push(line);
  }
  return { jumps, labels };
}
