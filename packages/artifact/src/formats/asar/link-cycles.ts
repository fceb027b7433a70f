import type { EntryName } from "../../format.js";

const linksKept = 100_000;
const mostHops = 64;
const longestPath = 4096;
/** Characters looked at for all links together; an ordinary archive needs a few thousand. */
const workCharacters = 100_000_000;

/** Symbolic links of an archive, all relative to its root. */
export class LinkTable {
  readonly #targets = new Map<string, { readonly target: string; readonly name: EntryName }>();
  #work = workCharacters;

  add(name: EntryName, target: string): void {
    const { text } = name;
    if (text === undefined || Math.max(text.length, target.length) > longestPath || this.#targets.size >= linksKept) return;
    this.#targets.set(text, { target, name });
  }

  /** Links that lead back to themselves, or through more links than any system follows. */
  *cycles(): Generator<EntryName, void, undefined> {
    for (const { target, name } of this.#targets.values()) if (this.#neverEnds(target)) yield name;
  }

  #neverEnds(target: string): boolean {
    let at: string | undefined = normalized(target);
    for (let hop = 0; hop < mostHops; hop += 1) {
      at = this.#followed(at);
      if (at === undefined) return false;
    }
    return true;
  }

  /** The path with its first link replaced by the link's target; undefined when there is none in it. */
  #followed(path: string): string | undefined {
    for (let end = path.indexOf("/"); end !== path.length; end = path.indexOf("/", end + 1)) {
      if (end < 0) end = path.length;
      this.#work -= end;
      if (this.#work < 0) return undefined;
      const link = this.#targets.get(path.slice(0, end));
      if (link !== undefined) return shortEnough(normalized(link.target + path.slice(end)));
      if (end === path.length) return undefined;
    }
    return undefined;
  }
}

/** A path that grew with every link is longer than any system takes; it leads nowhere. */
function shortEnough(path: string): string | undefined {
  return path.length > longestPath * 4 ? undefined : path;
}

function normalized(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split(/[/\\]/)) {
    if (segment === "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  return kept.join("/");
}
