import { argumentAt, bare, child, memberName, nameOf, type SyntaxNode } from "../syntax/node.js";
import type { Scope } from "../syntax/scope.js";
import { constantText } from "./constant.js";
import { spanOf, type Detector, type FileView, type Sight } from "./detector.js";
import type { Span } from "./fact.js";
import { withoutGlobalObject } from "./origin.js";

/** Code uses a member of an object that neither the file nor the platform defines: perhaps what a preload script hands out. */
export interface GlobalUse {
  /** Names from the global on, without `window` and its kin. */
  readonly path: readonly string[];
  /** What a call passes first, where that is a constant text. */
  readonly first: string | null;
  readonly at: Span;
}

const most = 400;
const longest = 6;
const globalObjects: ReadonlySet<string> = new Set(["window", "globalThis", "self", "top"]);

/** What platforms define; nobody hides these behind an API of their own. */
const platform: ReadonlySet<string> = new Set(
  `Array ArrayBuffer Atomics BigInt Boolean DataView Date Error Function Infinity Intl Iterator JSON Map Math NaN Number Object Promise Proxy Reflect RegExp Set
  SharedArrayBuffer String Symbol TypeError RangeError Uint8Array WeakMap WeakRef WeakSet WebAssembly decodeURIComponent encodeURIComponent encodeURI decodeURI escape
  unescape eval isFinite isNaN parseFloat parseInt structuredClone queueMicrotask setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate atob btoa
  fetch console process global globalThis window self top parent Buffer URL URLSearchParams AbortController TextEncoder TextDecoder Blob File FormData Headers Request
  Response performance crypto document location history navigator localStorage sessionStorage indexedDB caches customElements screen frames opener module exports
  require define alert confirm prompt getComputedStyle getSelection matchMedia requestAnimationFrame cancelAnimationFrame requestIdleCallback cancelIdleCallback
  addEventListener removeEventListener dispatchEvent postMessage importScripts XMLHttpRequest WebSocket Worker SharedWorker Image Audio Event CustomEvent Node Element
  MutationObserver ResizeObserver IntersectionObserver open close focus blur scrollTo scroll scrollBy jQuery $ arguments __filename __dirname undefined`.split(/\s+/u),
);

/** Uses of members of global objects, by name only. */
export class GlobalUses implements Detector {
  readonly types = ["CallExpression", "MemberExpression"];
  readonly found: GlobalUse[] = [];
  readonly #seen = new Set<string>();
  readonly #view: FileView;

  constructor(view: FileView) {
    this.#view = view;
  }

  see(node: SyntaxNode, { scope, ancestors }: Sight): void {
    if (this.found.length >= most) return;
    if (node.type === "CallExpression") {
      const callee = bare(child(node, "callee"));
      if (callee?.type === "MemberExpression" || callee?.type === "Identifier") this.#use(callee, node, scope);
    } else if (isOfGlobalObject(node, scope)) {
      const read = wholeRead(node, ancestors);
      if (read !== undefined) this.#use(read, undefined, scope);
    }
  }

  #use(node: SyntaxNode, call: SyntaxNode | undefined, scope: Scope): void {
    const root = rootName(node);
    if (root === undefined || (platform.has(root) && !globalObjects.has(root) && scope.resolve(root) === undefined)) return;
    const origin = this.#view.origins.of(node, scope);
    if (origin === undefined || origin.module !== null) return;
    const path = withoutGlobalObject(origin.path);
    const [first] = path;
    if (first === undefined || path.length > longest || platform.has(first)) return;
    const text = call === undefined ? null : (constantText(argumentAt(call, 0), scope) ?? null);
    const key = `${path.join("\0")}\0\0${text ?? ""}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.found.push({ path, first: text, at: spanOf(call ?? node) });
  }
}

/** `window.x` */
function isOfGlobalObject(node: SyntaxNode, scope: Scope): boolean {
  const name = nameOf(bare(child(node, "object")));
  return name !== undefined && globalObjects.has(name) && scope.resolve(name) === undefined;
}

/** The longest chain of members around the first of them; undefined where it is called, which says more, or assigned to. */
function wholeRead(first: SyntaxNode, ancestors: readonly SyntaxNode[]): SyntaxNode | undefined {
  let chain = first;
  for (let at = ancestors.length - 1; at >= 0; at -= 1) {
    const above = ancestors[at];
    if (above === undefined) break;
    if (above.type === "MemberExpression" && bare(child(above, "object")) === chain && memberName(above) !== undefined) chain = above;
    else if (above.type === "CallExpression" && bare(child(above, "callee")) === chain) return undefined;
    else if (above.type === "AssignmentExpression" && child(above, "left") === chain) return undefined;
    else if (bare(above) !== chain) break;
  }
  return chain;
}

function rootName(node: SyntaxNode): string | undefined {
  let now: SyntaxNode | undefined = node;
  for (let turns = 0; now?.type === "MemberExpression" && turns < 16; turns += 1) {
    if (memberName(now) === undefined) return undefined;
    now = bare(child(now, "object"));
  }
  return nameOf(now);
}
