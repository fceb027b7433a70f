import { isSetOf, type Flag, type Flags } from "./flag.js";
import { atLoopEnd } from "./loop-ends.js";
import { withoutNeedlessJumps } from "./needless-jumps.js";
import type { Node } from "./node.js";
import { countJumps, factsOf, isClosed, jumpsTo, weight } from "./node-facts.js";
import { mapLists, withoutUnreached } from "./short-tails.js";
import { setBefore } from "./set-before.js";
import { inBlock, skipped, type Skipping } from "./skipped.js";
import { tidyList, withoutUnusedLabels } from "./tidy.js";
import { leavesOuter } from "./ways-out.js";

/** Lines that one `goto` is worth. */
export const jumpWeight = 8;
/** Lines that a flag costs besides those that set it and ask for it: it has to be declared and followed. */
export const flagWeight = 3;
const mostRounds = 3;

/**
 * Jumps forward become what C has for them, where that does not cost more lines than they are worth: the other branch of an
 * `if`, a way out of `do { … } while (0)`, the end of a loop, or else a flag that is asked for behind.
 */
export function withoutJumps(nodes: readonly Node[], flags: Flags): readonly Node[] {
  let made = withoutUnusedLabels(withoutNeedlessJumps(nodes));
  for (let round = 0; round < mostRounds; round += 1) {
    const jumps = countJumps(made);
    if (jumps.size === 0) break;
    const pass = new Pass(jumps, flags);
    made = withoutNeedlessJumps(tidyList(pass.list(made)));
    made = withoutUnusedLabels(withoutUnreached(made, countJumps(made)));
    if (!pass.isChanged) break;
  }
  return made;
}

class Pass {
  isChanged = false;
  /** How many jumps there are to each label, kept up while they become fewer. */
  readonly #jumps: Map<number, number>;
  readonly #flags: Flags;

  constructor(jumps: Map<number, number>, flags: Flags) {
    this.#jumps = jumps;
    this.#flags = flags;
  }

  list(nodes: readonly Node[]): readonly Node[] {
    let made: readonly Node[] = nodes.map((node, index) => this.#inside(node, nodes, index));
    for (let index = 1; index < made.length; index += 1) {
      const node = made[index];
      if (node?.kind !== "label" || !this.#isUsed(node.label)) continue;
      const before = this.#before(made.slice(0, index), node.label);
      made = [...before, ...made.slice(index)];
      index = before.length;
    }
    return made;
  }

  #inside(node: Node, nodes: readonly Node[], index: number): Node {
    return factsOf(node).jumps.size === 0 ? node : this.#again(mapLists(node, (list) => this.list(list)), nodes, index);
  }

  /** Jumps from inside the statements of a loop to its start are ways to its end. */
  #again(node: Node, nodes: readonly Node[], index: number): Node {
    if (node.kind !== "loop" && node.kind !== "while") return node;
    let body = node.body;
    for (let at = index - 1; nodes[at]?.kind === "label"; at -= 1) {
      const label = nodes[at];
      if (label?.kind === "label") body = this.#before(body, label.label);
    }
    return body === node.body ? node : { ...node, body };
  }

  /** A list that leads to the label, with fewer jumps to it where there is a way. */
  #before(nodes: readonly Node[], label: number): readonly Node[] {
    const first = nodes.findIndex((node) => jumpsTo(node, label));
    if (first < 0) return nodes;
    const from = this.#opening(nodes, first);
    if (from === undefined) return nodes;
    const region = nodes.slice(from).filter((node) => node.kind !== "label" || this.#isUsed(node.label));
    let best: readonly Node[] = region;
    let cost = this.#cost(region, label);
    for (const candidate of this.#candidates(region, label)) {
      const its = this.#cost(candidate, label);
      if (its >= cost) continue;
      [best, cost] = [candidate, its];
    }
    if (best === region) return nodes;
    this.isChanged = true;
    this.#count(region, -1);
    this.#count(best, 1);
    if (beginsWith(this.#flags.next, best)) this.#flags.keep(label);
    return [...nodes.slice(0, from), ...best];
  }

  #isUsed(label: number): boolean {
    return (this.#jumps.get(label) ?? 0) > 0;
  }

  #count(nodes: readonly Node[], sign: 1 | -1): void {
    for (const [label, count] of countJumps(nodes)) this.#jumps.set(label, (this.#jumps.get(label) ?? 0) + sign * count);
  }

  /** The last position, up to the given one, from where on nothing is jumped into from before. */
  #opening(nodes: readonly Node[], first: number): number | undefined {
    for (let from = first; from >= 0; from -= 1) if (isClosed(nodes.slice(from), this.#jumps)) return from;
    return undefined;
  }

  *#candidates(region: readonly Node[], label: number): Generator<readonly Node[], void, undefined> {
    const skipping: Skipping = { label, flag: this.#flags.next, isClosed: (nodes) => isClosed(nodes, this.#jumps), isUsed: (each) => each !== label && this.#isUsed(each), variableOf: this.#flags.variableOf };
    const before = setBefore(region, skipping);
    yield* ways(region, skipping);
    if (before === undefined) return;
    for (const each of ways(before.rest, skipping)) yield after([before.first], each, skipping.flag);
  }

  #cost(nodes: readonly Node[], label: number): number {
    return weight(nodes) + (beginsWith(this.#flags.next, nodes) ? flagWeight : 0) + (jumpWeight - 1) * (countJumps(nodes).get(label) ?? 0);
  }
}

/** Whether the statements begin with setting the flag to nothing. */
function beginsWith(flag: Flag, [first]: readonly Node[]): boolean {
  return first !== undefined && isSetOf(first, flag);
}

function ways(region: readonly Node[], skipping: Skipping): readonly (readonly Node[])[] {
  return [skipped(region, skipping), atLoopEnd(region, skipping), blockAtEnd(region, skipping)].filter((each) => each !== undefined);
}

/** As many of the jumps as have nothing behind them that belongs to what is around. */
function blockAtEnd(region: readonly Node[], skipping: Skipping): readonly Node[] | undefined {
  const last = region.findLastIndex((node) => leavesOuter([node]));
  const from = region.findIndex((node, index) => index > last && jumpsTo(node, skipping.label));
  if (from < 0) return undefined;
  const block = inBlock(region.slice(from), skipping);
  return block === undefined ? undefined : after(region.slice(0, from), block, skipping.flag);
}

/** The statements with others before them, but behind the flag. */
function after(before: readonly Node[], nodes: readonly Node[], flag: Flag): readonly Node[] {
  const [first] = nodes;
  return first !== undefined && isSetOf(first, flag) ? [first, ...before, ...nodes.slice(1)] : [...before, ...nodes];
}
