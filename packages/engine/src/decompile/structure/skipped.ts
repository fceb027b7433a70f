import { constant, someExpr, type Expr } from "../../ir/expression.js";
import { not1 } from "../../ir/simplify.js";
import { isSet, isSetOf, setFlag, when, type Flag } from "./flag.js";
import { leftByJump, type Asking } from "./left-by-jump.js";
import type { Node } from "./node.js";
import { mapLists } from "./short-tails.js";
import { jumpsTo } from "./node-facts.js";
import { leaves, leavesOuter, mayEnd, someList } from "./ways-out.js";

/** How control comes to the end of a list: by a jump that is to be written away, by itself, both or never. */
interface Ends {
  readonly byJump: boolean;
  readonly byItself: boolean;
}

interface Part extends Ends {
  readonly nodes: readonly Node[];
}

export interface Skipping extends Asking {
  readonly flag: Flag;
  /** False for nodes that hold a label to which something outside them jumps. */
  readonly isClosed: (nodes: readonly Node[]) => boolean;
}

/**
 * The list, which leads to the label, without the jumps to it: what they skip stands in the other branch of an `if`, or is
 * done unless a flag is set. Undefined where somebody jumps into what is skipped.
 */
export function skipped(nodes: readonly Node[], skipping: Skipping): readonly Node[] | undefined {
  const made = new Skipper(skipping).list(nodes);
  return made === undefined ? undefined : withFlag(made.nodes, skipping.flag);
}

/** The list in `do { … } while (0)`, and the jumps to the label behind it as `break`. Undefined where a `break` means another thing. */
export function inBlock(nodes: readonly Node[], skipping: Skipping): readonly Node[] | undefined {
  if (leavesOuter(nodes) || !skipping.isClosed(nodes)) return undefined;
  const body = new Skipper(skipping).leaving(nodes, false);
  return withFlag([{ kind: "do", at: -1, condition: constant(1, 0), body }], skipping.flag);
}

/** Sets the flag to nothing before, where something asks for it. */
function withFlag(nodes: readonly Node[], flag: Flag): readonly Node[] {
  const { nodes: made, isAsked } = withoutIdleSets(nodes, flag, false);
  return isAsked ? [setFlag(flag, 0), ...made] : made;
}

class Skipper {
  readonly #skipping: Skipping;

  constructor(skipping: Skipping) {
    this.#skipping = skipping;
  }

  list(nodes: readonly Node[]): Part | undefined {
    const { label, flag, isClosed } = this.#skipping;
    const index = nodes.findIndex((node) => jumpsTo(node, label));
    const node = nodes[index];
    if (node === undefined) return { nodes, byJump: false, byItself: !leaves(nodes) };
    const before = nodes.slice(0, index);
    const rest = nodes.slice(index + 1);
    if (rest.length > 0 && !isClosed(rest)) return undefined;
    if (node.kind === "goto") return { nodes: [...before, setFlag(flag, 1)], byJump: true, byItself: false };
    return node.kind === "if" ? this.#if(node, before, rest) : this.#breakable(node, before, rest);
  }

  #if(node: Extract<Node, { kind: "if" }>, before: readonly Node[], rest: readonly Node[]): Part | undefined {
    const [then, otherwise, tail] = [this.list(node.then), this.list(node.otherwise), this.list(rest)];
    if (then === undefined || otherwise === undefined || tail === undefined) return undefined;
    const own: Part = { nodes: [...before, { ...node, then: then.nodes, otherwise: otherwise.nodes }], ...either(then, otherwise) };
    if (rest.length === 0 || !own.byItself || !own.byJump) return followed(own, tail);
    if (!then.byItself) return { nodes: [...before, { ...node, then: then.nodes, otherwise: [...otherwise.nodes, ...this.#guarded(otherwise, tail)] }], ...after(own, tail) };
    if (!otherwise.byItself) return { nodes: [...before, { ...node, then: [...then.nodes, ...this.#guarded(then, tail)], otherwise: otherwise.nodes }], ...after(own, tail) };
    return { nodes: [...own.nodes, when(not1(isSet(this.#skipping.flag)), tail.nodes)], ...after(own, tail) };
  }

  #guarded(branch: Ends, tail: Part): readonly Node[] {
    if (!branch.byItself) return [];
    return branch.byJump ? [when(not1(isSet(this.#skipping.flag)), tail.nodes)] : tail.nodes;
  }

  #breakable(node: Node, before: readonly Node[], rest: readonly Node[]): Part | undefined {
    const tail = this.list(rest);
    if (tail === undefined) return undefined;
    const made = mapLists(node, (list) => this.leaving(list, true));
    const own: Part = { nodes: [...before, made], byJump: true, byItself: mayEnd(node) };
    if (rest.length === 0 || !own.byItself) return followed(own, tail);
    return { nodes: [...own.nodes, when(not1(this.#isLeftByJump(node)), tail.nodes)], ...after(own, tail) };
  }

  /** Asked directly behind a loop or `switch`. */
  #isLeftByJump(node: Node): Expr {
    return leftByJump(node, this.#skipping) ?? isSet(this.#skipping.flag);
  }

  /** Jumps in what `break` leaves become that; with `marks` the flag tells what comes behind. */
  leaving(nodes: readonly Node[], marks: boolean): readonly Node[] {
    const { isClosed } = this.#skipping;
    const made: Node[] = [];
    for (const [index, node] of nodes.entries()) {
      const left = this.#left(node, marks);
      made.push(...left);
      if (left.at(-1)?.kind === "break" && isClosed(nodes.slice(index + 1))) break;
    }
    return made;
  }

  #left(node: Node, marks: boolean): readonly Node[] {
    const { label, flag } = this.#skipping;
    if (!jumpsTo(node, label)) return [node];
    if (node.kind === "goto") return marks ? [setFlag(flag, 1), { kind: "break" }] : [{ kind: "break" }];
    if (node.kind === "if") return [mapLists(node, (list) => this.leaving(list, marks))];
    const made = mapLists(node, (list) => this.leaving(list, true));
    return [made, mayEnd(node) ? when(this.#isLeftByJump(node), [{ kind: "break" }]) : { kind: "break" }];
  }
}

function either(a: Ends, b: Ends): Ends {
  return { byJump: a.byJump || b.byJump, byItself: a.byItself || b.byItself };
}

/** What comes behind is reached only by itself. */
function after(own: Ends, tail: Ends): Ends {
  return { byJump: own.byJump || tail.byJump, byItself: tail.byItself };
}

/** Where all or none of the ways lead on. */
function followed(own: Part, tail: Part): Part {
  if (!own.byItself) return own;
  return { nodes: [...own.nodes, ...tail.nodes], ...(tail.nodes.length === 0 ? own : after(own, tail)) };
}

/** Without settings of the flag that nobody asks for afterwards; `isAsked` says whether somebody asks before the end of the list or behind it. */
function withoutIdleSets(nodes: readonly Node[], flag: Flag, isAskedBehind: boolean): { readonly nodes: readonly Node[]; readonly isAsked: boolean } {
  let isAsked = isAskedBehind;
  const made: Node[] = [];
  for (const node of [...nodes].reverse()) {
    if (isSetOf(node, flag)) {
      if (isAsked) made.push(node);
      continue;
    }
    // What sets the flag leaves the loops it is in, so that only what comes behind can ask.
    const behind = isAsked || (node.kind === "switch" && asks([node], flag));
    made.push(mapLists(node, (list) => withoutIdleSets(list, flag, behind).nodes));
    isAsked ||= asks([node], flag);
  }
  return { nodes: made.reverse(), isAsked };
}

function asks(nodes: readonly Node[], flag: Flag): boolean {
  return nodes.some((node) => (node.kind === "if" && uses(node.condition, flag)) || someList(node, (list) => asks(list, flag)));
}

function uses(condition: Expr, { def }: Flag): boolean {
  return someExpr(condition, (part) => part.kind === "use" && part.def === def);
}
