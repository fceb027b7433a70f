import type { Span } from "../facts/fact.js";
import { ownPath } from "../link/application-root.js";
import type { LinkedApplication, LinkedScript } from "../link/linked-application.js";
import type { GraphBuilder } from "./graph-builder.js";

/** Finds the nodes of files and of the modules inside them. */
export class NodePlaces {
  readonly application: LinkedApplication;
  readonly builder: GraphBuilder;
  readonly #files = new Map<string, string>();
  /** Modules of each script in order of their starts, with their nodes. */
  readonly #modules = new Map<string, { readonly at: Span; readonly node: string | undefined }[]>();

  constructor(application: LinkedApplication, builder: GraphBuilder) {
    this.application = application;
    this.builder = builder;
  }

  /** Path as the file's identity has it. */
  own(path: string): string {
    return ownPath(path, this.application.root);
  }

  setFile(path: string, node: string | undefined): void {
    if (node !== undefined) this.#files.set(path, node);
  }

  file(path: string): string | undefined {
    return this.#files.get(path);
  }

  setModules(path: string, modules: { readonly at: Span; readonly node: string | undefined }[]): void {
    this.#modules.set(path, modules);
  }

  modules(path: string): readonly { readonly at: Span; readonly node: string | undefined }[] {
    return this.#modules.get(path) ?? [];
  }

  /** The innermost module of a bundle that holds a place, else its file. */
  owner(script: Pick<LinkedScript, "path">, at: Pick<Span, "start">): string | undefined {
    const modules = this.#modules.get(script.path);
    const found = modules === undefined ? undefined : innermost(modules, at.start);
    return found?.node ?? this.#files.get(script.path);
  }
}

/** Of ranges in order of their starts, the last that holds an offset; enclosing ones come before what they enclose. */
export function innermost<T extends { readonly at: Span }>(ranges: readonly T[], offset: number): T | undefined {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.at.start ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  for (let at = low - 1; at >= 0 && at > low - 64; at -= 1) {
    const range = ranges[at];
    if (range !== undefined && offset < range.at.end) return range;
  }
  return undefined;
}
