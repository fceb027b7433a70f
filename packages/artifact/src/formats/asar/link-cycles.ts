import type { EntryName } from "../../format.js";

const linksKept = 100_000;
const mostHops = 64;
const longestPath = 65_536;

/** Symbolic links of an archive, all relative to its root. */
export class LinkTable {
  readonly #targets = new Map<string, { readonly target: string; readonly name: EntryName }>();

  add(name: EntryName, target: string): void {
    if (name.text === undefined || this.#targets.size >= linksKept) return;
    this.#targets.set(name.text, { target, name });
  }

  /** Links that lead back to themselves, or through more links than any system follows. */
  *cycles(): Generator<EntryName, void, undefined> {
    for (const { target, name } of this.#targets.values()) if (this.#neverEnds(target)) yield name;
  }

  #neverEnds(target: string): boolean {
    let at = segmentsOf(target);
    for (let hop = 0; hop < mostHops; hop += 1) {
      const next = this.#followed(at);
      if (next === undefined) return false;
      at = next;
    }
    return true;
  }

  /** The path with its first link replaced by the link's target; undefined when there is none in it. */
  #followed(segments: readonly string[]): readonly string[] | undefined {
    let prefix = "";
    for (const [index, segment] of segments.entries()) {
      prefix = index === 0 ? segment : `${prefix}/${segment}`;
      if (prefix.length > longestPath) return undefined;
      const link = this.#targets.get(prefix);
      if (link !== undefined) return segmentsOf([link.target, ...segments.slice(index + 1)].join("/"));
    }
    return undefined;
  }
}

function segmentsOf(path: string): readonly string[] {
  const kept: string[] = [];
  for (const segment of path.slice(0, longestPath).split(/[/\\]/)) {
    if (segment === "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  return kept;
}
