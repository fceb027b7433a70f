import type { Shape } from "./find-export.js";

export interface Discriminant {
  readonly pointer: string;
  /** In JSON. */
  readonly value: string;
}

/** Variants that stand for each other; undefined for one without a counterpart. */
export interface VariantPair {
  readonly left: Shape | undefined;
  readonly right: Shape | undefined;
  readonly discriminant: Discriminant | null;
}

export interface PairedVariants {
  readonly pairs: readonly VariantPair[];
  /** Variants of either side that nothing tells apart; none where the other side has none left. */
  readonly rest: { readonly left: readonly Shape[]; readonly right: readonly Shape[] };
}

/** Whether a token is a literal. */
export function isLiteral(token: string | undefined): token is string {
  return token !== undefined && /^(?:"|-?\d|true$|false$|null$)/u.test(token);
}

/**
 * Pairs variants of two sides by a literal that tells them apart: at one place, every value of which one variant of a side has.
 * Variants without it pair when they are equal, or when each side has one.
 */
export function pairVariants(left: readonly Shape[], right: readonly Shape[]): PairedVariants {
  const pointer = discriminating(left, right);
  const pairs: VariantPair[] = [];
  const rest = { left: [...left], right: [...right] };
  if (pointer !== undefined) {
    const [mine, theirs] = [byValue(left, pointer), byValue(right, pointer)];
    for (const value of [...new Set([...mine.keys(), ...theirs.keys()])].sort()) {
      const [one, other] = [mine.get(value), theirs.get(value)];
      pairs.push({ left: one, right: other, discriminant: { pointer, value } });
      rest.left = rest.left.filter((shape) => shape !== one);
      rest.right = rest.right.filter((shape) => shape !== other);
    }
  }
  for (const one of [...rest.left]) {
    const other = rest.right.find((shape) => textOf(shape) === textOf(one));
    if (other === undefined) continue;
    pairs.push({ left: one, right: other, discriminant: null });
    rest.left.splice(rest.left.indexOf(one), 1);
    rest.right.splice(rest.right.indexOf(other), 1);
  }
  const [one, ...more] = rest.left;
  const [other, ...others] = rest.right;
  const areAlone = more.length === 0 && others.length === 0 && (one !== undefined || other !== undefined);
  if (areAlone) return { pairs: [...pairs, { left: one, right: other, discriminant: null }], rest: { left: [], right: [] } };
  if (rest.left.length > 0 && rest.right.length > 0) return { pairs, rest };
  const lone = [...rest.left.map((shape) => ({ left: shape, right: undefined, discriminant: null })), ...rest.right.map((shape) => ({ left: undefined, right: shape, discriminant: null }))];
  return { pairs: [...pairs, ...lone], rest: { left: [], right: [] } };
}

/** The place that tells most variants apart; of equal ones the shortest, then the first. */
function discriminating(left: readonly Shape[], right: readonly Shape[]): string | undefined {
  const places = new Set([...left, ...right].flatMap((shape) => [...shape].flatMap(([pointer, token]) => (isLiteral(token) && pointer !== "" ? [pointer] : []))));
  let best: { readonly pointer: string; readonly told: number } | undefined;
  for (const pointer of [...places].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
    const [mine, theirs] = [byValue(left, pointer), byValue(right, pointer)];
    const isUnique = mine.size === literalsAt(left, pointer) && theirs.size === literalsAt(right, pointer);
    const told = [...mine.keys()].filter((value) => theirs.has(value)).length;
    if (isUnique && told > (best?.told ?? 0)) best = { pointer, told };
  }
  return best?.pointer;
}

function byValue(shapes: readonly Shape[], pointer: string): ReadonlyMap<string, Shape> {
  const found = new Map<string, Shape>();
  for (const shape of shapes) {
    const token = shape.get(pointer);
    if (isLiteral(token)) found.set(token, shape);
  }
  return found;
}

function literalsAt(shapes: readonly Shape[], pointer: string): number {
  return shapes.filter((shape) => isLiteral(shape.get(pointer))).length;
}

function textOf(shape: Shape): string {
  return JSON.stringify([...shape]);
}
